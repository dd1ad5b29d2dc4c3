#!/bin/sh
# The benchmarks, each beside the floor that it is measured against, in one run.
set -eu
cd "$(dirname "$0")/.."
[ -f benchmarks/run.py ] || {
    echo "error: benchmarks/run.py is missing" >&2
    exit 1
}
.venv/bin/python benchmarks/run.py "$@"
