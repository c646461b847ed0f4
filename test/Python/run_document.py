# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the ```python blocks of a document one after another in one namespace:
run_document.py DOCUMENT"""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
assert blocks, f"{sys.argv[1]} has no python blocks"
namespace = {}
for block in blocks:
    exec(compile(block, sys.argv[1], "exec"), namespace)
print(f"{len(blocks)} blocks run")
