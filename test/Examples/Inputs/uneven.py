# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The results of uneven.mlir have their whole shapes and finite values.
import sys

import numpy as np

for name, shape in (("result0", (7, 3)), ("result1", (7,))):
    value = np.load(f"{sys.argv[1]}/{name}.npy")
    assert value.shape == shape and np.isfinite(value).all() and np.abs(value).max() > 0, name
