# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running one function on many ranks: threads of this process, or the processes
of an mpirun."""

from __future__ import annotations

import ctypes
import functools
import pickle
import sys
import threading
from typing import Any, Callable, List, Optional

import numpy as np

from . import errors
from ._native import RANK_MAIN, Handle, SpmdOptions, check, int64s, last_error, lib, make
from ._tensor import from_local
from .device_mesh import DeviceMesh
from .placement_types import Shard


def _options(timeout: float, topology: Optional[str], check_calls: bool) -> SpmdOptions:
    return SpmdOptions(timeout, topology.encode() if topology else None, int(check_calls))


class RankHandle(Handle):
    """This thread's rank, for threads that it starts."""

    _release = staticmethod(lib.dtensorRankRelease)

    def __init__(self):
        super().__init__(make(lib.dtensorCurrentRank))

    def __enter__(self) -> "RankHandle":
        """Makes the present thread act for the rank."""
        check(lib.dtensorSetCurrentRank(self._handle))
        return self

    def __exit__(self, *unused) -> None:
        check(lib.dtensorSetCurrentRank(None))


def current_rank() -> RankHandle:
    """This thread's rank: a thread that the rank starts enters it (`with rank:`)
    and may then use the rank's meshes, each thread its own."""
    return RankHandle()


class _Run:
    """One call of a function on all ranks."""

    def __init__(self, function: Callable, args: tuple, kwargs: dict):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.results, self.raised, self.ranks = {}, {}, {}
        self.status, self.error = 0, None

    def rank_main(self, unused) -> int:
        rank = get_rank()
        self.ranks[rank] = RankHandle()
        try:
            self.results[rank] = self.function(*self.args, **self.kwargs)
            return 0
        except errors.DTensorError as error:
            self.raised[rank] = error
            lib.dtensorSetError(error.code, str(error).encode(), error.rank)
            return error.code
        except BaseException as error:  # ends the other ranks, then raised again
            self.raised[rank] = error
            text = f"rank {rank} failed: {type(error).__name__}: {error}"
            lib.dtensorSetError(errors.RankFailedError.code, text.encode(), rank)
            return errors.RankFailedError.code

    def call(self, num_ranks: int, options: SpmdOptions) -> None:
        callback = RANK_MAIN(self.rank_main)
        self.status = lib.dtensorSpmd(num_ranks, callback, None, ctypes.byref(options))
        if self.status:
            self.error = last_error(self.status)

    def interrupt(self) -> None:
        """Ends the ranks in their present or next collective."""
        for handle in list(self.ranks.values())[:1]:
            with handle:
                lib.dtensorAbort(errors.RankFailedError.code, b"interrupted")

    def outcome(self) -> dict:
        if not self.status:
            return self.results
        first = self.raised.get(self.error.rank)
        if first is not None and not isinstance(first, errors.DTensorError):
            raise first
        raise self.error


def _gather_results(mine: Any) -> List[Any]:
    """The results of all processes, pickled."""
    size = get_world_size()
    mesh = DeviceMesh("cpu", list(range(size)))
    data = np.frombuffer(pickle.dumps(mine), np.uint8)
    lengths = from_local(np.array([data.size]), mesh, [Shard(0)]).full_tensor()
    padded = np.zeros(int(lengths.max()), np.uint8)
    padded[: data.size] = data
    everything = from_local(padded, mesh, [Shard(0)]).full_tensor().reshape(size, -1)
    return [pickle.loads(row[:length].tobytes()) for row, length in zip(everything, lengths)]


def spmd(
    num_ranks: int,
    *,
    timeout: float = 300.0,
    topology: Optional[str] = None,
    check_calls: bool = True,
) -> Callable:
    """A decorator: calling the function runs it on `num_ranks` ranks and returns
    the list of their results.

    Ranks are threads of this process; under mpirun, this process is one of them
    (`num_ranks` must be their number, 0 always fits), and results are pickled.
    The first exception of a rank ends the others in their present or next
    collective with the same error, and is raised again by the call.

    Args:
        timeout: seconds that a rank waits for others in one collective.
        topology: what plans are priced with; "builtin:threads" or a file.
        check_calls: processes compare what they call before each collective.

    Example::

        @dtensor.spmd(4)
        def main():
            mesh = dtensor.init_device_mesh("cpu", (4,))
            x = dtensor.ones(8, device_mesh=mesh, placements=[dtensor.Shard(0)])
            return x.to_local().sum()

        assert main() == [2, 2, 2, 2]
    """

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def run(*args, **kwargs):
            one = _Run(function, args, kwargs)
            options = _options(timeout, topology, check_calls)
            if under_launcher():
                # The launcher's library wants the thread that started it.
                one.function = lambda *a, **k: _gather_results(function(*a, **k))
                one.call(num_ranks, options)
                return next(iter(one.outcome().values()))
            if threading.current_thread() is not threading.main_thread():
                one.call(num_ranks, options)
            else:
                _call_interruptibly(one, num_ranks, options)
            results = one.outcome()
            return [results[rank] for rank in sorted(results)]

        return run

    return decorate


def _call_interruptibly(run: _Run, num_ranks: int, options: SpmdOptions) -> None:
    """The main thread has to be free for Ctrl-C to arrive."""
    worker = threading.Thread(target=run.call, args=(num_ranks, options), daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.2)
    except BaseException:
        run.interrupt()
        worker.join(5)
        raise


def under_launcher() -> bool:
    """True in a process of an mpirun."""
    return bool(lib.dtensorIsLaunched())


def initialize(
    *, timeout: float = 300.0, topology: Optional[str] = None, check_calls: bool = True
) -> None:
    """Makes this thread a rank: of the launcher's processes, else the only one.
    init_device_mesh does it by itself.

    Raises:
        NotSupportedError: for the processes of torchrun.
        IoError: where the launcher's environment is half set.
    """
    check(lib.dtensorInitialize(ctypes.byref(_options(timeout, topology, check_calls))))
    _watch_for_exceptions()


def finalize() -> None:
    """Leaves what initialize has joined. All ranks call it."""
    check(lib.dtensorFinalize())


def is_initialized() -> bool:
    return bool(lib.dtensorIsInitialized())


def get_rank() -> int:
    """This rank's number. Raises where this thread is no rank."""
    out = int64s([0])
    check(lib.dtensorWorldRank(out))
    return out[0]


def get_world_size() -> int:
    """The number of ranks. Raises where this thread is no rank."""
    out = int64s([0])
    check(lib.dtensorWorldSize(out))
    return out[0]


def barrier() -> None:
    """Waits for all ranks."""
    check(lib.dtensorBarrier())


_watching = False


def _watch_for_exceptions() -> None:
    """An exception that ends a process must end the others, too."""
    global _watching
    if _watching or not under_launcher():
        return
    _watching = True
    previous = sys.excepthook

    def hook(kind, error, traceback):
        previous(kind, error, traceback)
        if is_initialized():
            text = f"rank {get_rank()} failed: {kind.__name__}: {error}"
            if isinstance(error, errors.DTensorError):
                text = str(error)
            code = getattr(error, "code", errors.RankFailedError.code)
            lib.dtensorAbort(code if isinstance(code, int) else 4, text.encode())

    sys.excepthook = hook


