#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs the package from the checkout, with the libraries of a build, and
# uses what was installed.
#
#   check_install.sh LIBRARY_DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

if ! /usr/bin/python3 -m pip --version >/dev/null 2>&1; then
  echo "skipped: /usr/bin/python3 has no pip (python3-pip)"
  exit 0
fi
target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT
DTENSOR_LIBRARY_DIR=$1 /usr/bin/python3 -m pip install --quiet --no-index --no-deps \
  --disable-pip-version-check --no-cache-dir --root-user-action=ignore --target "$target" "$root"
cd "$target"
unset DTENSOR_LIBRARY
PYTHONPATH=$target /usr/bin/python3 - <<'PYTHON'
import dtensor
assert "/_lib/" in dtensor._native.library_path()

@dtensor.spmd(2)
def main():
    mesh = dtensor.init_device_mesh("cpu", (2,))
    return dtensor.ones(3, device_mesh=mesh, placements=[dtensor.Shard(0)]).to_local().sum()

assert main() == [2, 1]
print("the installed package works")
PYTHON
