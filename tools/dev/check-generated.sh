#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fails where the generated header of the plan schema is not what flatc makes
# of the schema.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v flatc >/dev/null; then
  echo "skipped: flatc is not installed"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flatc --cpp --gen-object-api --scoped-enums -o "$out" runtime/schema/Plan.fbs
diff -u runtime/include/dtrt/Plan_generated.h "$out/Plan_generated.h"
