#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a clone to a sharded program that runs: installs what is missing, builds
# the compiler and the runner, compiles the example to a plan and runs it on 4
# ranks, checked against the same program on one.
#
#   tools/dev/demo.sh [--no-install]
set -euo pipefail
cd "$(dirname "$0")/../.."

case "${1:-}" in
  "") tools/dev/install.sh ;;
  --no-install) ;;
  *) echo "usage: tools/dev/demo.sh [--no-install]" >&2; exit 2 ;;
esac

cmake --preset release -DDTENSOR_TESTS=OFF >/dev/null
cmake --build --preset release --target dtensor-compile dtensor-run

bin=build/release/bin
plan=build/release/mlp.plan
set -x
"$bin/dtensor-compile" test/Examples/mlp.mlir -o "$plan"
"$bin/dtensor-run" "$plan" --ranks 4 --random-inputs 1 --check
