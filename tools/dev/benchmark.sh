#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the benchmarks of the test build three times and keeps the medians beside
# their source, one line each, without what names the machine. Figures of two
# machines do not compare: read the ratios within one file.
set -euo pipefail
cd "$(dirname "$0")/../.."

keep() { # NAME FOLDER FLAGS...
  local binary=build/test/bin/$1 kept=test/benchmark/$2/$1.json
  shift 2
  if [ ! -x "$binary" ]; then
    echo "no $binary: install Google Benchmark, then configure and build the preset 'test'" >&2
    exit 2
  fi
  "$binary" --benchmark_format=json --benchmark_repetitions=3 --benchmark_report_aggregates_only=true "$@" |
    /usr/bin/python3 -c '
import json, sys

dropped = ("family_index", "per_family_instance_index", "run_type", "run_name",
           "repetitions", "threads", "aggregate_name", "aggregate_unit",
           "iterations")
lines = []
for run in json.load(sys.stdin)["benchmarks"]:
    if run["aggregate_name"] != "median":
        continue
    kept = {key: value if isinstance(value, str) else float("%.3g" % value)
            for key, value in run.items() if key not in dropped}
    kept["name"] = "/".join(part for part in run["run_name"].split("/")
                            if not part.startswith(("iterations:", "manual_time")))
    lines.append(json.dumps(kept))
print("[\n" + ",\n".join(lines) + "\n]")
' >"$kept"
  echo "wrote $kept"
}

keep PlannerBenchmark planner "$@"
keep PropagationBenchmark propagation "$@"
