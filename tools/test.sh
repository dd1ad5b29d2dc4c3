#!/bin/sh
# Every test, against the installed wheel, with coverage and its floors. The last line counts.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
rm -rf build/coverage
mkdir -p build/coverage
export COVERAGE_FILE="$PWD/build/coverage/data"
# src stays off the path: what is imported is what a user would install.
"$python" -m pytest --quiet -rs -o pythonpath=. --numprocesses "${TEST_PROCESSES:-2}" --dist loadgroup \
    --cov --cov-report= --junitxml build/coverage/junit.xml "$@"
"$python" -m coverage report
"$python" -m coverage json --quiet -o build/coverage/coverage.json
"$python" -m tools.coverage_gate build/coverage/coverage.json
"$python" -m tools.closing_line build/coverage/junit.xml
