#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fails where a file includes what its layer may not know (docs/Architecture.md
# has the table), and where a file breaks a rule of the tree: no SPDX line, over
# 800 lines, a main over 80.
set -euo pipefail
cd "$(dirname "$0")/../.."

failed=0
files() { git ls-files --cached --others --exclude-standard "$@" | grep -v '_generated\.h$'; }

# forbid "LAYER" "PATTERN OF INCLUDES" PATHS...
forbid() {
  local layer=$1 pattern=$2 hits
  shift 2
  hits=$(files "$@" | xargs -r grep -nE "^#include [<\"]($pattern)" || true)
  if [ -n "$hits" ]; then
    echo "$layer must not include ($pattern):"
    echo "$hits"
    failed=1
  fi
}

forbid "the planner" 'mlir/|llvm/|lld/|dtrt/|dtensor/(Dialect|Interfaces|Transforms|Conversion|Import|Interpreter|Pipelines|Target)/' \
  'include/dtensor/Planner/*' 'lib/Planner/*'
forbid "the runtime" 'mlir/|llvm/|lld/|dtensor/(Dialect|Interfaces|Transforms|Conversion|Import|Interpreter|Pipelines|Target)/' \
  'runtime/*' 'tools/dtensor-run/*' 'tools/dtensor-plan/*' 'tools/dtensor-verify/*' 'test/unit/Runtime/*' 'test/unit/Planner/*'
forbid "a dialect" 'mlir/(Pass|Transforms)/[^I]|mlir/IR/PatternMatch|dtrt/|dtensor/(Interfaces|Transforms|Conversion|Import|Interpreter|Pipelines|Target)/' \
  'include/dtensor/Dialect/*' 'lib/Dialect/*'
forbid "the interfaces" 'mlir/Pass/|dtrt/|dtensor/(Transforms|Conversion|Import|Pipelines|Target)/' \
  'include/dtensor/Interfaces/*' 'lib/Interfaces/*'
forbid "a transform" 'dtrt/|dtensor/(Conversion|Import|Pipelines|Target)/' \
  'include/dtensor/Transforms/*' 'lib/Transforms/*'
forbid "a conversion" 'dtrt/|dtensor/(Transforms|Import|Pipelines|Target)/' \
  'include/dtensor/Conversion/*' 'lib/Conversion/*'
forbid "the interpreter" 'dtensor/(Transforms|Conversion|Pipelines|Target)/|mlir/(Pass|Transforms|Target)/|dtrt/(Communicator|Executor|Gemm|RunDriver|ThreadRanks)' \
  'include/dtensor/Interpreter/*' 'lib/Interpreter/*'
forbid "an import" 'dtrt/|dtensor/(Interfaces|Transforms|Conversion|Pipelines|Target)/' \
  'include/dtensor/Import/*' 'lib/Import/*'
forbid "a target" 'dtensor/(Transforms|Conversion|Import|Interpreter|Pipelines)/|dtrt/(Communicator|Executor|RunDriver|ThreadRanks)' \
  'include/dtensor/Target/*' 'lib/Target/*'
forbid "a tool" 'dtensor/(Transforms|Conversion|Import)/' 'tools/*'

while read -r file; do
  head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' ||
    { echo "$file: no SPDX line"; failed=1; }
  lines=$(wc -l <"$file")
  [ "$lines" -le 800 ] || { echo "$file: $lines lines; split it by topic before 800"; failed=1; }
done < <(files '*.cpp' '*.h' '*.td' '*.sh' '*.cmake' '*CMakeLists.txt')

while read -r file; do
  lines=$(wc -l <"$file")
  [ "$lines" -le 80 ] || { echo "$file: a main of $lines lines; move logic to a library"; failed=1; }
done < <(files 'tools/*.cpp' | xargs grep -lE '^int main\(')

[ "$failed" -eq 0 ] && echo "layering and tree rules hold"
exit "$failed"
