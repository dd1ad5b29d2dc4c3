#!/bin/sh
# The benchmarks, each beside the floor that it is measured against, in one run.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m benchmarks.speed "$@"
