# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor parallelism by the names of parameters: styles, and parallelize_module.

A style says what a layer's parameters do; the compiler works out the rest, so
that styles need no hooks. dialects/DTensor/Rationale.md of the source tree has
the reasons.
"""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Union

from . import errors
from ._module import Module
from .device_mesh import DeviceMesh, resolve_mesh
from .placement_types import Partial, Placement, Placements, Replicate, Shard


def _layout_text(placements: Placements, mesh: DeviceMesh) -> str:
    """A layout of a program's input or result as tools write it. Dimensions count
    from the front: programs are not known here."""
    if isinstance(placements, str):
        return placements
    items = [placements] if isinstance(placements, Placement) else list(placements)
    if items and not isinstance(items[0], tuple):
        if len(items) != mesh.ndim:
            raise errors.InvalidArgumentError(
                f"{len(items)} placements do not fit the mesh {mesh}; give one for each dimension"
            )
        items = list(zip(mesh._axis_names, items))
    entries = []
    for axis, placement in items:
        if isinstance(placement, Shard):
            if placement.dim < 0:
                raise errors.InvalidArgumentError(
                    f"{placement!r}: layouts of inputs and outputs count dimensions from the front"
                )
            entries.append(f"{axis}=shard({placement.dim})")
        elif isinstance(placement, Partial):
            entries.append(f"{axis}=partial({placement.reduce_op})")
        elif not isinstance(placement, Replicate):
            raise errors.InvalidArgumentError(f"{placement!r} is no placement")
    return ", ".join(entries)


class ParallelStyle:
    """Base of the styles."""

    def _apply(self, module: Module, pattern: Optional[str], mesh: DeviceMesh) -> None:
        raise NotImplementedError


class _ParameterStyle(ParallelStyle):
    _style = ""

    def __init__(self, *, use_local_output: bool = False):
        self.use_local_output = use_local_output

    def _apply(self, module: Module, pattern: Optional[str], mesh: DeviceMesh) -> None:
        if mesh.ndim != 1:
            raise errors.InvalidArgumentError(
                f"{type(self).__name__} works along one dimension; give parallelize_module a part "
                f'of the mesh {mesh}, such as mesh["{mesh._axis_names[-1]}"]'
            )
        module._add(
            "styles",
            {"pattern": pattern or "*", "style": self._style, "axis": mesh._axis_names[0]},
        )
        module._use_local_output |= self.use_local_output


class ColwiseParallel(_ParameterStyle):
    """Shards the dimension of a parameter that its matrix products do not contract.

    Args:
        use_local_output: calls return this rank's part instead of a DTensor.
    """

    _style = "colwise"


class RowwiseParallel(_ParameterStyle):
    """Shards the dimension of a parameter that its matrix products contract."""

    _style = "rowwise"


class SequenceParallel(_ParameterStyle):
    """Shards the sequence of what a parameter (of a norm) is applied to."""

    _style = "sequence"


class PrepareModuleInput(ParallelStyle):
    """Lays inputs of the module out.

    Args:
        input_layouts: what callers give; not needed, since inputs come in any
            layout and are redistributed.
        desired_input_layouts: per input its placements on the mesh, or None to
            leave it to the compiler.
    """

    def __init__(
        self,
        *,
        input_layouts: Optional[Sequence[Placements]] = None,
        desired_input_layouts: Optional[Sequence[Placements]] = None,
    ):
        self.layouts = desired_input_layouts if desired_input_layouts is not None else input_layouts

    def _apply(self, module: Module, pattern: Optional[str], mesh: DeviceMesh) -> None:
        _only_whole(self, pattern)
        for index, layout in enumerate(_per_value(self.layouts)):
            if layout is not None:
                module._add("inputs", {"index": index, "layout": _layout_text(layout, mesh)})


class PrepareModuleOutput(ParallelStyle):
    """Lays outputs of the module out.

    Args:
        desired_output_layouts: per output its placements on the mesh.
        use_local_output: calls return this rank's part instead of a DTensor.
    """

    def __init__(
        self,
        *,
        output_layouts: Optional[Sequence[Placements]] = None,
        desired_output_layouts: Optional[Sequence[Placements]] = None,
        use_local_output: bool = False,
    ):
        self.layouts = (
            desired_output_layouts if desired_output_layouts is not None else output_layouts
        )
        self.use_local_output = use_local_output

    def _apply(self, module: Module, pattern: Optional[str], mesh: DeviceMesh) -> None:
        _only_whole(self, pattern)
        for index, layout in enumerate(_per_value(self.layouts)):
            if layout is not None:
                module._add("outputs", {"index": index, "layout": _layout_text(layout, mesh)})
        module._use_local_output |= self.use_local_output


def _only_whole(style: ParallelStyle, pattern: Optional[str]) -> None:
    if pattern not in (None, ""):
        raise errors.NotSupportedError(
            f"{type(style).__name__} is for the inputs and outputs of the whole module; give it "
            f'under the name "" instead of "{pattern}"'
        )


def _per_value(layouts: Any) -> List[Placements]:
    """One entry per input or output: a single layout is the first one's."""
    if layouts is None:
        return []
    if isinstance(layouts, (str, Placement)):
        return [layouts]
    layouts = list(layouts)
    if layouts and isinstance(layouts[0], Placement):
        return [layouts]
    return layouts


ParallelizePlan = Union[
    ParallelStyle, Mapping[str, Union[ParallelStyle, Sequence[ParallelStyle]]]
]


def parallelize_module(
    module: Module,
    device_mesh: Optional[DeviceMesh] = None,
    parallelize_plan: Optional[ParallelizePlan] = None,
) -> Module:
    """Lays a module out by the names of its parameters. All ranks call it. Returns
    the module.

    Args:
        device_mesh: the mesh, or for styles of parameters the part of it with
            one dimension that they work along; the module then lies on the mesh
            that the part is of.
        parallelize_plan: a style for all parameters, or styles by patterns of
            names ("layers.*.attn.{wq,wk,wv}"); "" is the whole module.

    Raises:
        InvalidArgumentError: for a mesh of several dimensions where one is
            needed; unknown names are refused when the module is compiled.
    """
    mesh = resolve_mesh(device_mesh)
    whole = mesh._root
    if module.device_mesh is not None and module.device_mesh != whole:
        raise errors.InvalidArgumentError(
            f"the module lies on the mesh {module.device_mesh}, not {whole}"
        )
    module.device_mesh = whole
    if parallelize_plan is None:
        return module
    if isinstance(parallelize_plan, ParallelStyle):
        parallelize_plan = {"": parallelize_plan}
    for pattern, styles in parallelize_plan.items():
        for style in [styles] if isinstance(styles, ParallelStyle) else styles:
            if not isinstance(style, ParallelStyle):
                raise errors.InvalidArgumentError(f"{style!r} is no style")
            style._apply(module, pattern, mesh if isinstance(style, _ParameterStyle) else whole)
    return module
