# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler library (libDTensorCompiler.so), loaded when it is first asked for:
nothing else of this package needs LLVM."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
import threading
from ctypes import c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p
from typing import Any, Mapping, Optional, Union

from . import errors
from ._native import SINK, Collector, library_path


class _Options(ctypes.Structure):
    _fields_ = [
        ("entry", c_char_p),
        ("topology", c_char_p),
        ("implicit", c_char_p),
        ("parallelize", c_char_p),
        ("mesh", c_char_p),
        ("max_recv_bytes", c_int64),
        ("reference", c_int32),
    ]


_lock = threading.Lock()  # ranks of one process compile a program once
_library = None
_compiled = {}


def _load() -> ctypes.CDLL:
    global _library
    if _library is not None:
        return _library
    path = os.environ.get("DTENSOR_COMPILER_LIBRARY") or os.path.join(
        os.path.dirname(library_path()), "libDTensorCompiler.so"
    )
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise errors.IoError(
            f"the compiler library cannot be loaded: {error}; build it (it needs LLVM), and set "
            "DTENSOR_COMPILER_LIBRARY to its path, or load a plan that was compiled elsewhere"
        ) from None
    library.dtensorCompile.argtypes = [
        c_char_p,
        c_size_t,
        c_char_p,
        ctypes.POINTER(_Options),
        SINK,
        SINK,
        c_void_p,
    ]
    library.dtensorCompile.restype = c_int
    _library = library
    return library


def mesh_text(mesh: Union[None, str, Mapping[str, int]]) -> Optional[str]:
    """A mesh as tools write it."""
    if mesh is None or isinstance(mesh, str):
        return mesh
    return ",".join(f"{name}={size}" for name, size in mesh.items())


def compile_to_plan(
    program: Union[str, bytes],
    name: str,
    *,
    entry: Optional[str],
    topology: Optional[str],
    implicit: str,
    parallelize: Optional[Mapping[str, Any]],
    mesh: Union[None, str, Mapping[str, int]],
    max_recv_bytes: Optional[int],
    reference: bool,
) -> bytes:
    """The bytes of a plan file. Equal calls are compiled once in a process."""
    text = program.encode() if isinstance(program, str) else bytes(program)
    document = json.dumps(parallelize, sort_keys=True) if parallelize else None
    key = (text, name, entry, topology, implicit, document, mesh_text(mesh), max_recv_bytes, reference)
    with _lock:
        if key not in _compiled:
            _compiled[key] = _compile(*key)
        return _compiled[key]


def _compile(text, name, entry, topology, implicit, document, mesh, max_recv_bytes, reference):
    def encode(value):
        return value.encode() if value is not None else None

    library = _load()
    with tempfile.TemporaryDirectory() as folder:
        path = None
        if document is not None:
            path = os.path.join(folder, "parallelize.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(document)
        options = _Options(
            encode(entry),
            encode(topology),
            encode(implicit),
            encode(path),
            encode(mesh),
            -1 if max_recv_bytes is None else max_recv_bytes,
            int(reference),
        )
        plan, diagnostics = Collector(), Collector()
        refused = library.dtensorCompile(
            text, len(text), name.encode(), ctypes.byref(options), plan.sink, diagnostics.sink, None
        )
    if refused:
        message = diagnostics.data.decode("utf-8", "replace").strip().replace(folder + "/", "")
        raise errors.InvalidArgumentError(message or f"{name}: the compiler refused the program")
    return plan.data
