# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mesh, under its other name."""

from ..device_mesh import DeviceMesh, init_device_mesh

__all__ = ["DeviceMesh", "init_device_mesh"]
