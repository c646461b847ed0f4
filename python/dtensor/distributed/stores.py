# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Key-value stores: how ranks find each other before they can communicate.

Values are bytes (texts are encoded). Timeouts are seconds; a wait that is not
over by then raises RankTimeoutError and names the missing keys.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import socketserver
import struct
import threading
import time
from typing import Dict, List, Optional, Sequence, Union

from .. import errors

Value = Union[str, bytes]


def _bytes(value: Value) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def _add(data: Dict[str, bytes], key: str, amount: int) -> int:
    try:
        total = int(data.get(key, b"0")) + amount
    except ValueError:
        raise errors.InvalidArgumentError(
            f"the value of '{key}' is {data[key]!r}, which is no number to add to"
        ) from None
    data[key] = str(total).encode()
    return total


def _compare_set(data: Dict[str, bytes], key: str, expected: bytes, desired: bytes) -> bytes:
    if key not in data:
        if expected:
            return expected
        data[key] = desired
    elif data[key] == expected:
        data[key] = desired
    return data[key]


class Store:
    """Base of the stores."""

    def __init__(self, timeout: float):
        self.timeout = timeout

    def set_timeout(self, seconds: float) -> None:
        self.timeout = seconds

    def set(self, key: str, value: Value) -> None:
        """Stores a value."""
        raise NotImplementedError

    def get(self, key: str) -> bytes:
        """The value of a key; waits until there is one."""
        self.wait([key])
        value = self._read(key)
        if value is None:
            raise errors.InvalidArgumentError(f"key '{key}' was deleted meanwhile")
        return value

    def add(self, key: str, amount: int) -> int:
        """Adds to the number of a key (0 where there is none); returns the sum."""
        raise NotImplementedError

    def compare_set(self, key: str, expected: Value, desired: Value) -> bytes:
        """Stores `desired` where the value is `expected` (or where there is none
        and `expected` is empty); returns what the key has then."""
        raise NotImplementedError

    def delete_key(self, key: str) -> bool:
        """True where there was such a key."""
        raise NotImplementedError

    def num_keys(self) -> int:
        raise NotImplementedError

    def check(self, keys: Sequence[str]) -> bool:
        """True where all keys have values; does not wait."""
        return not self._missing(keys)

    def wait(self, keys: Sequence[str], timeout: Optional[float] = None) -> None:
        """Waits until all keys have values."""
        seconds = self.timeout if timeout is None else timeout
        end = time.monotonic() + seconds
        while True:
            missing = self._missing(keys)
            if not missing:
                return
            left = end - time.monotonic()
            if left <= 0:
                raise errors.RankTimeoutError(
                    f"waited {seconds} s for key{'s' if len(missing) > 1 else ''} "
                    + ", ".join(f"'{key}'" for key in missing)
                )
            self._pause(min(left, 0.5))

    def _read(self, key: str) -> Optional[bytes]:
        raise NotImplementedError

    def _missing(self, keys: Sequence[str]) -> List[str]:
        return [key for key in keys if self._read(key) is None]

    def _pause(self, seconds: float) -> None:
        time.sleep(min(seconds, 0.01))


class HashStore(Store):
    """A store of one process, for ranks that are threads."""

    def __init__(self, timeout: float = 300.0):
        super().__init__(timeout)
        self._data: Dict[str, bytes] = {}
        self._changed = threading.Condition()

    def set(self, key: str, value: Value) -> None:
        with self._changed:
            self._data[key] = _bytes(value)
            self._changed.notify_all()

    def add(self, key: str, amount: int) -> int:
        with self._changed:
            total = _add(self._data, key, amount)
            self._changed.notify_all()
            return total

    def compare_set(self, key: str, expected: Value, desired: Value) -> bytes:
        with self._changed:
            value = _compare_set(self._data, key, _bytes(expected), _bytes(desired))
            self._changed.notify_all()
            return value

    def delete_key(self, key: str) -> bool:
        with self._changed:
            return self._data.pop(key, None) is not None

    def num_keys(self) -> int:
        with self._changed:
            return len(self._data)

    def _read(self, key: str) -> Optional[bytes]:
        with self._changed:
            return self._data.get(key)

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait(min(seconds, 0.05))


class FileStore(Store):
    """A store in a file that all ranks reach; locked while one uses it.

    Args:
        file_name: made where it is not there; whoever made it removes it.
        world_size: kept for readers; any number of ranks may use the file.
    """

    def __init__(self, file_name: Union[str, os.PathLike], world_size: int = -1, timeout: float = 300.0):
        super().__init__(timeout)
        self.path, self.world_size = os.fspath(file_name), world_size
        with self._locked():
            pass

    def _locked(self):
        return _LockedFile(self.path)

    def set(self, key: str, value: Value) -> None:
        with self._locked() as file:
            file.data[key] = _bytes(value)
            file.changed = True

    def add(self, key: str, amount: int) -> int:
        with self._locked() as file:
            file.changed = True
            return _add(file.data, key, amount)

    def compare_set(self, key: str, expected: Value, desired: Value) -> bytes:
        with self._locked() as file:
            file.changed = True
            return _compare_set(file.data, key, _bytes(expected), _bytes(desired))

    def delete_key(self, key: str) -> bool:
        with self._locked() as file:
            file.changed = True
            return file.data.pop(key, None) is not None

    def num_keys(self) -> int:
        with self._locked() as file:
            return len(file.data)

    def _read(self, key: str) -> Optional[bytes]:
        with self._locked() as file:
            return file.data.get(key)


class _LockedFile:
    """The contents of a FileStore while its lock is held."""

    def __init__(self, path: str):
        try:
            self._file = open(path, "a+b")
        except OSError as error:
            raise errors.IoError(f"{path}: {error.strerror}") from None
        self.changed = False
        self.data: Dict[str, bytes] = {}

    def __enter__(self) -> "_LockedFile":
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._file.seek(0)
        text = self._file.read()
        try:
            stored = json.loads(text) if text else {}
            self.data = {key: bytes.fromhex(value) for key, value in stored.items()}
        except (ValueError, AttributeError):
            self._file.close()
            raise errors.IoError(f"{self._file.name}: is no file of a FileStore") from None
        return self

    def __exit__(self, *unused) -> None:
        if self.changed:
            self._file.truncate(0)
            stored = {key: value.hex() for key, value in self.data.items()}
            self._file.write(json.dumps(stored).encode())
        self._file.close()  # which unlocks


class _Request(socketserver.BaseRequestHandler):
    """One client of a TCPStore's server."""

    def handle(self) -> None:
        while True:
            request = _receive(self.request)
            if request is None:
                return
            try:
                reply = {"value": self._answer(request)}
            except errors.DTensorError as error:
                reply = {"error": str(error)}
            _send(self.request, reply)

    def _answer(self, request: dict):
        data, lock = self.server.data, self.server.lock
        kind, key = request["kind"], request.get("key", "")
        with lock:
            if kind == "set":
                data[key] = bytes.fromhex(request["value"])
                return None
            if kind == "read":
                return data[key].hex() if key in data else None
            if kind == "add":
                return _add(data, key, request["amount"])
            if kind == "compare_set":
                value = _compare_set(
                    data, key, bytes.fromhex(request["expected"]), bytes.fromhex(request["desired"])
                )
                return value.hex()
            if kind == "delete":
                return data.pop(key, None) is not None
            return len(data)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def _send(connection: socket.socket, message: dict) -> None:
    data = json.dumps(message).encode()
    connection.sendall(struct.pack("!I", len(data)) + data)


def _receive_exactly(connection: socket.socket, count: int) -> Optional[bytes]:
    pieces = []
    while count:
        try:
            piece = connection.recv(count)
        except OSError:
            return None
        if not piece:
            return None
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _receive(connection: socket.socket) -> Optional[dict]:
    header = _receive_exactly(connection, 4)
    if header is None:
        return None
    data = _receive_exactly(connection, struct.unpack("!I", header)[0])
    return json.loads(data) if data is not None else None


class TCPStore(Store):
    """A store behind a TCP port of one rank. Connections are neither encrypted nor
    authenticated: use it inside a network that is yours.

    Args:
        host_name: where the master is; it listens on that address only.
        port: 0 lets the master choose one (attribute `port`).
        is_master: this rank keeps the values.
        timeout: seconds for the master to come, and for waits.
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: Optional[int] = None,
        is_master: bool = False,
        timeout: float = 300.0,
    ):
        super().__init__(timeout)
        self.host, self.port, self.world_size = host_name, port, world_size
        self._server = None
        if is_master:
            try:
                self._server = _Server((host_name, port), _Request)
            except OSError as error:
                raise errors.IoError(
                    f"cannot listen on {host_name} port {port}: {error.strerror}"
                ) from None
            self._server.data, self._server.lock = {}, threading.Lock()
            self.port = self._server.server_address[1]
            threading.Thread(
                target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
            ).start()
        self._lock = threading.Lock()
        self._connection = self._connect()

    def _connect(self) -> socket.socket:
        end = time.monotonic() + self.timeout
        while True:
            try:
                connection = socket.create_connection((self.host, self.port), timeout=self.timeout)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            except OSError as error:
                if time.monotonic() > end:
                    raise errors.RankTimeoutError(
                        f"no store on {self.host} port {self.port} after {self.timeout} s: {error}"
                    ) from None
                time.sleep(0.05)

    def close(self) -> None:
        """Ends the connection, and the server where this rank has it."""
        self._connection.close()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _ask(self, **request):
        with self._lock:
            try:
                _send(self._connection, request)
                reply = _receive(self._connection)
            except OSError:
                reply = None
        if reply is None:
            raise errors.RankFailedError(f"the store on {self.host} port {self.port} has ended")
        if "error" in reply:
            raise errors.InvalidArgumentError(reply["error"])
        return reply["value"]

    def set(self, key: str, value: Value) -> None:
        self._ask(kind="set", key=key, value=_bytes(value).hex())

    def add(self, key: str, amount: int) -> int:
        return self._ask(kind="add", key=key, amount=amount)

    def compare_set(self, key: str, expected: Value, desired: Value) -> bytes:
        value = self._ask(
            kind="compare_set",
            key=key,
            expected=_bytes(expected).hex(),
            desired=_bytes(desired).hex(),
        )
        return bytes.fromhex(value)

    def delete_key(self, key: str) -> bool:
        return self._ask(kind="delete", key=key)

    def num_keys(self) -> int:
        return self._ask(kind="count")

    def _read(self, key: str) -> Optional[bytes]:
        value = self._ask(kind="read", key=key)
        return bytes.fromhex(value) if value is not None else None
