# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counters and drawings, under their other name."""

from ...debug import CommDebugMode, visualize_sharding

__all__ = ["CommDebugMode", "visualize_sharding"]
