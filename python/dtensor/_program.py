# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs as functions on distributed tensors, and plans of single
redistributions."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from ctypes import c_void_p
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import dtypes, errors
from ._arrays import contiguous, lend, to_numpy
from ._compiler import compile_to_plan, mesh_text
from ._native import Collector, Handle, Port, check, int64s, lib, make
from ._tensor import DTensor, distribute_tensor
from .device_mesh import DeviceMesh


class ProgramTensor(NamedTuple):
    """An input or a result of a program."""

    name: str  #: "" where it has none
    dtype: dtypes.AnyDType
    shape: Tuple[int, ...]  #: global
    layout: str  #: "dp=shard(0), tp=partial(sum)"
    requires_grad: bool


class _Loaded(Handle):
    """A program on one rank."""

    _release = staticmethod(lib.dtensorProgramRelease)

    def __init__(self, handle):
        super().__init__(handle)
        self.inputs = self._ports(lib.dtensorProgramInput, lib.dtensorProgramNumInputs)
        self.results = self._ports(lib.dtensorProgramResult, lib.dtensorProgramNumResults)
        self.mesh = DeviceMesh._wrap(make(lib.dtensorProgramMesh, self._handle))

    def _ports(self, read, count) -> List[ProgramTensor]:
        ports = []
        for index in range(count(self._handle)):
            port = Port()
            check(read(self._handle, index, ctypes.byref(port)))
            ports.append(
                ProgramTensor(
                    port.name.decode(),
                    dtypes.of_code(port.type),
                    tuple(port.shape[: port.ndim]),
                    port.layout.decode(),
                    bool(port.requires_grad),
                )
            )
        return ports

    def is_set(self, index: int) -> bool:
        port = Port()
        check(lib.dtensorProgramInput(self._handle, index, ctypes.byref(port)))
        return bool(port.is_set)

    def index(self, name: Union[int, str]) -> int:
        if isinstance(name, int):
            if 0 <= name < len(self.inputs):
                return name
            raise errors.InvalidArgumentError(
                f"there is no input {name}; there are {len(self.inputs)}"
            )
        names = [port.name or str(i) for i, port in enumerate(self.inputs)]
        if name not in names:
            raise errors.InvalidArgumentError(
                f"there is no input '{name}'; there are {', '.join(names) or 'none'}"
            )
        return names.index(name)


class Program:
    """A compiled program: `y = p(x)`. Made by load and compile.

    Inputs are DTensors in any layout, or whole arrays that every rank has; they
    come in the program's order, or by name. Inputs given to set_parameters stay
    on their ranks from call to call. Results are DTensors with memory of their
    own, and may be inputs of later calls.

    A program may be made outside of ranks; each rank loads it by its first use.
    """

    def __init__(self, plan: bytes, name: str, entry: Optional[str]):
        self._plan, self._name, self._entry = plan, name, entry
        self._local = threading.local()

    @property
    def _loaded(self) -> _Loaded:
        loaded = getattr(self._local, "loaded", None)
        # A thread can be a rank of one run after another.
        if loaded is None or not lib.dtensorIsInitialized() or self._is_stale(loaded):
            entry = self._entry.encode() if self._entry else None
            loaded = _Loaded(
                make(
                    lib.dtensorProgramFromBytes,
                    self._plan,
                    len(self._plan),
                    self._name.encode(),
                    entry,
                )
            )
            self._local.loaded = loaded
            self._local.rank = c_void_p(_rank_identity())
        return loaded

    def _is_stale(self, loaded: _Loaded) -> bool:
        return self._local.rank.value != _rank_identity()

    @property
    def plan(self) -> bytes:
        """The bytes of the plan file, for a file that load reads."""
        return self._plan

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the plan file."""
        with open(path, "wb") as file:
            file.write(self._plan)

    @property
    def device_mesh(self) -> DeviceMesh:
        return self._loaded.mesh

    @property
    def inputs(self) -> List[ProgramTensor]:
        return list(self._loaded.inputs)

    @property
    def results(self) -> List[ProgramTensor]:
        return list(self._loaded.results)

    def set_parameters(self, parameters: Mapping[Union[int, str], Any]) -> None:
        """Sets inputs by name (or number) for all later calls. All ranks call it.

        Raises:
            InvalidArgumentError: for names that the program does not have, and
                other shapes or types.
        """
        loaded = self._loaded
        for name, value in parameters.items():
            index = loaded.index(name)
            if isinstance(value, DTensor):
                check(lib.dtensorProgramSet(loaded._handle, index, value._handle))
                continue
            array = _lend_input(value, loaded.inputs[index])
            check(lib.dtensorProgramSetArray(loaded._handle, index, array._handle))

    def __call__(self, *args: Any, **kwargs: Any) -> Union[None, DTensor, Tuple[DTensor, ...]]:
        """Runs the program. All ranks call it.

        Args:
            args: the inputs that are not set and not named, in order.
            kwargs: inputs by name.

        Returns:
            The result; a tuple where there are several, None where there is none.

        Raises:
            InvalidArgumentError: for missing and unknown inputs, other shapes or
                types, and inputs that are set.
        """
        loaded = self._loaded
        count = len(loaded.inputs)
        given = {loaded.index(name): value for name, value in kwargs.items()}
        free = [i for i in range(count) if i not in given and not loaded.is_set(i)]
        if len(args) > len(free):
            raise errors.InvalidArgumentError(
                f"{len(args)} inputs are given beside those by name, the program takes {len(free)}"
            )
        given.update(zip(free, args))
        handles = (c_void_p * max(count, 1))()
        keep = []
        for index, value in given.items():
            port = loaded.inputs[index]
            if not isinstance(value, DTensor):
                value = distribute_tensor(
                    to_numpy(value),
                    loaded.mesh,
                    port.layout,
                    src_data_rank=None,
                    dtype=port.dtype if isinstance(port.dtype, dtypes.DType) else None,
                )
            keep.append(value)
            handles[index] = value._handle
        results = (c_void_p * max(len(loaded.results), 1))()
        check(lib.dtensorProgramCall(loaded._handle, handles, results))
        made = tuple(
            DTensor(c_void_p(results[i]), port.dtype) for i, port in enumerate(loaded.results)
        )
        if not made:
            return None
        return made[0] if len(made) == 1 else made


def _rank_identity() -> int:
    """What tells this thread's rank from others, also of later runs."""
    return lib.dtensorRankIdentity()


def _lend_input(value: Any, port: ProgramTensor):
    array = to_numpy(value)
    if dtypes.storage_of(dtypes.canonical(array.dtype)) != dtypes.storage_of(port.dtype):
        raise errors.InvalidArgumentError(
            f"input '{port.name}' has elements of {port.dtype}, not {array.dtype}"
        )
    return lend(contiguous(array), port.dtype, False)


def load(path: Union[str, os.PathLike], entry: Optional[str] = None) -> Program:
    """The program of a plan file (of dtensor-compile, or Program.save). A plan is
    machine code: load only what you would run.

    Args:
        entry: `main` unless given, else the only program.

    Raises:
        IoError: where the file cannot be read; what is wrong with its contents
            is raised by the first use.
    """
    try:
        with open(path, "rb") as file:
            return Program(file.read(), os.fspath(path), entry)
    except OSError as error:
        raise errors.IoError(f"{os.fspath(path)}: {error.strerror}") from None


def compile(
    program: Union[str, bytes],
    *,
    entry: Optional[str] = None,
    mesh: Union[None, str, Mapping[str, int]] = None,
    parallelize: Optional[Mapping[str, Any]] = None,
    topology: Optional[str] = None,
    implicit: str = "allow",
    max_recv_bytes: Optional[int] = None,
    reference: bool = False,
    name: str = "<program>",
) -> Program:
    """Compiles MLIR text or bytecode (with dtensor annotations, or StableHLO with
    Shardy) by the compiler library, which needs LLVM.

    Args:
        entry: the function; `main`, else the only public one.
        mesh: other sizes of the program's mesh, {"dp": 4} or "dp=4,tp=2".
        parallelize: what lies how, by names of parameters; the contents of the
            file that dtensor-compile --parallelize takes.
        implicit: "allow", "warn" or "forbid" redistributions nobody wrote.
        max_recv_bytes: refuse programs in which a rank receives more.
        reference: keep the unsharded program in the plan, for --check.
        name: what diagnostics call the program.

    Raises:
        InvalidArgumentError: with the diagnostics, with line and column.
        IoError: where the compiler library is missing.
    """
    plan = compile_to_plan(
        program,
        name,
        entry=entry,
        topology=topology,
        implicit=implicit,
        parallelize=parallelize,
        mesh=mesh,
        max_recv_bytes=max_recv_bytes,
        reference=reference,
    )
    return Program(plan, name, entry)


def plan(
    mesh: Union[str, Mapping[str, int], DeviceMesh],
    shape: Sequence[int],
    from_layout: str,
    to_layout: str,
    *,
    dtype: Any = "float32",
    topology: Optional[str] = None,
    objective: str = "time",
    memory_limit: Optional[int] = None,
) -> dict:
    """What a redistribution would do and cost, without running it; needs no ranks.

    Args:
        mesh: "x=2,y=4", {"x": 2, "y": 4}, or a DeviceMesh.
        from_layout, to_layout: "x=shard(0), y=partial(sum)", or "S(0), R".
        objective: "time" or "bytes".
        memory_limit: bytes per rank that no step may exceed.

    Returns:
        What `dtensor-plan --json` prints: "steps" (op, axes, layout,
        recv_bytes_max, peak_bytes, time_us), "recv_bytes_max",
        "lower_bound_bytes_max", "time_us" (microseconds), "peak_bytes", ...

    Raises:
        InvalidArgumentError: for layouts that do not fit, and limits that no
            plan keeps; the text names the smallest that one does.
    """
    if isinstance(mesh, DeviceMesh):
        mesh = dict(zip(mesh._axis_names, mesh.shape))
    collector = Collector()
    check(
        lib.dtensorPlan(
            mesh_text(mesh).encode(),
            int64s([int(extent) for extent in shape]),
            len(shape),
            dtypes.code_of(dtypes.canonical(dtype)),
            from_layout.encode(),
            to_layout.encode(),
            topology.encode() if topology else None,
            objective.encode(),
            -1 if memory_limit is None else memory_limit,
            collector.sink,
            None,
        )
    )
    return json.loads(collector.data)
