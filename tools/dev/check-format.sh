#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fails on C++ files that clang-format would change, and names them.
# With --fix formats them instead.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v clang-format-22 >/dev/null; then
  echo "skipped: clang-format-22 is not installed"
  exit 0
fi
mode=(--dry-run -Werror)
[ "${1:-}" = "--fix" ] && mode=(-i)
# Generated files are kept as their generator writes them.
git ls-files --cached --others --exclude-standard '*.cpp' '*.h' |
  grep -v '_generated\.h$' | xargs clang-format-22 "${mode[@]}"
