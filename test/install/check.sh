#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs a build, builds the consumer project against the installation, and
# runs what comes of it.
#
#   check.sh BUILD_DIR C_COMPILER CXX_COMPILER
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/installed" >"$work/install.log"
cmake -S "$here" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/installed" \
  -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" -DCMAKE_BUILD_TYPE=Release \
  -DEXAMPLES="$here/../../examples" >"$work/configure.log" || {
  cat "$work/configure.log"
  exit 1
}
cmake --build "$work/consumer" >"$work/build.log" || {
  cat "$work/build.log"
  exit 1
}
for program in array-api array-api-c compile-and-run; do
  [ -x "$work/consumer/$program" ] || continue
  echo "$program:"
  "$work/consumer/$program"
done
"$work/installed/bin/dtensor-plan" --mesh x=2 --shape 8 --from "x=shard(0)" --to "" >/dev/null
