# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules: programs with named parameters, and how they are laid out."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Mapping, Optional

from . import errors
from ._program import Program, compile
from ._tensor import DTensor, distribute_tensor
from .device_mesh import DeviceMesh, resolve_mesh
from .placement_types import Placements


class Module:
    """A program, written once for whole tensors, whose parameters are arguments
    with a `dtensor.name`.

    Args:
        mlir_text: the program. It may declare its mesh (`dtensor.mesh`), whose
            sizes then follow the mesh that the module is put onto, or none.
        params: arrays, or DTensors, by the names of arguments.

    distribute_module and parallelize_module put it onto a mesh; calling it then
    compiles it once and runs it.
    """

    def __init__(self, mlir_text: str, params: Mapping[str, Any]):
        self.text = mlir_text
        self.params: Dict[str, Any] = dict(params)
        self.device_mesh: Optional[DeviceMesh] = None
        self._document: Dict[str, list] = {}
        self._input_fn: Optional[Callable] = None
        self._output_fn: Optional[Callable] = None
        self._use_local_output = False
        self._program: Optional[Program] = None

    def named_parameters(self):
        """(name, parameter) pairs."""
        return self.params.items()

    def __call__(self, *inputs: Any) -> Any:
        """Runs the program on its other inputs, arrays or DTensors. All ranks call
        it. Returns DTensors (arrays where a style says use_local_output)."""
        if self.device_mesh is None:
            raise errors.InvalidArgumentError(
                "the module lies on no mesh yet; call distribute_module or parallelize_module first"
            )
        if self._input_fn is not None:
            changed = self._input_fn(self, inputs, self.device_mesh)
            inputs = changed if isinstance(changed, tuple) else (changed,)
        program = self.program
        outputs = program(*inputs)
        if self._output_fn is not None:
            outputs = self._output_fn(self, outputs, self.device_mesh)
        if self._use_local_output:
            if isinstance(outputs, tuple):
                return tuple(output.to_local() for output in outputs)
            return outputs.to_local() if isinstance(outputs, DTensor) else outputs
        return outputs

    @property
    def program(self) -> Program:
        """The compiled program with its parameters set."""
        if self._program is None:
            self._program = self._compile()
            self._program.set_parameters(self.params)
        return self._program

    def _compile(self) -> Program:
        names, shape = self.device_mesh._axis_names, self.device_mesh.shape
        text, sizes = self.text, dict(zip(names, shape))
        declared = re.search(r"dtensor\.mesh\s+@(\w+)\s*\[([^\]]*)\]", text)
        if declared:
            axes = re.findall(r'"(\w+)"\s*=', declared.group(2))
            if tuple(axes) != names:
                raise errors.InvalidArgumentError(
                    f"the program's mesh has the dimensions {', '.join(axes)}, the mesh that the "
                    f"module is put onto {', '.join(names)}; call them alike"
                )
        else:
            axes = ", ".join(f'"{name}" = {size}' for name, size in sizes.items())
            line = f"dtensor.mesh @mesh [{axes}]\n"
            opened = re.search(r"^\s*module\b[^{\n]*\{[ \t]*\n", text, re.MULTILINE)
            at = opened.end() if opened else 0
            text = text[:at] + line + text[at:]
        return compile(
            text,
            mesh=sizes if declared else None,
            parallelize=self._document or None,
            name="<module>",
        )

    def _add(self, key: str, entry: dict) -> None:
        self._document.setdefault(key, []).append(entry)
        self._program = None


PartitionFn = Callable[[str, Any, DeviceMesh], Placements]


def layout_text(value: DTensor) -> str:
    """A tensor's layout with every axis named, so that nothing is left open."""
    return value.layout_text


def distribute_module(
    module: Module,
    device_mesh: Optional[DeviceMesh] = None,
    partition_fn: Optional[PartitionFn] = None,
    input_fn: Optional[Callable] = None,
    output_fn: Optional[Callable] = None,
) -> Module:
    """Puts a module onto a mesh. All ranks call it. Returns the module.

    Args:
        partition_fn: (name, param, mesh) -> placements; None replicates.
        input_fn: (module, inputs, mesh) -> inputs, before each call.
        output_fn: (module, outputs, mesh) -> outputs, after it.

    Raises:
        InvalidArgumentError: for placements that do not fit a parameter.
    """
    mesh = resolve_mesh(device_mesh)
    for name, value in list(module.params.items()):
        placements = partition_fn(name, value, mesh) if partition_fn is not None else None
        laid = distribute_tensor(value, mesh, placements)
        module.params[name] = laid
        module._add("layouts", {"pattern": name, "layout": layout_text(laid)})
    module.device_mesh = mesh
    module._input_fn, module._output_fn = input_fn, output_fn
    return module
