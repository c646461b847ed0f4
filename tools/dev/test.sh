#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds everything and runs every test: the same
# command here and in CI. Two builds are tested: the whole, and planner and
# runtime alone with the system compiler (DTENSOR_COMPILER=OFF).
#
#   tools/dev/test.sh [--no-install]
set -euo pipefail
cd "$(dirname "$0")/../.."

case "${1:-}" in
  "") tools/dev/install.sh ;;
  --no-install) ;;
  *) echo "usage: tools/dev/test.sh [--no-install]" >&2; exit 2 ;;
esac

cmake --preset runtime-only >/dev/null
cmake --build --preset runtime-only
ctest --preset runtime-only

cmake --preset test >/dev/null
cmake --build --preset test
ctest --preset test
