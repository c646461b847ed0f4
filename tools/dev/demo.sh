#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a clone to sharded programs that run: installs what is missing, builds
# the compiler and the runner, compiles two examples to plans and runs them on 4
# ranks, checked against the same programs on one: a perceptron, and a layer of
# a Llama-style decoder.
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
cmake --build --preset release --target dtensor-compile dtensor-run DTensorCompiler

bin=build/release/bin
for example in mlp decoder-layer; do
  plan=build/release/$example.plan
  echo
  echo "\$ dtensor-compile test/Examples/$example.mlir -o $plan"
  "$bin/dtensor-compile" "test/Examples/$example.mlir" -o "$plan"
  echo "\$ dtensor-run $plan --ranks 4 --random-inputs 1 --check"
  "$bin/dtensor-run" "$plan" --ranks 4 --random-inputs 1 --check
done
