#!/bin/sh
# The fast gates, each able to fail: format, lint, types, layers, then the tests that guard
# style, promises, documentation and the package (those run in `make test` with all the others).
set -eu
cd "$(dirname "$0")/.."
bin=.venv/bin
gate() {
    echo "== $*" >&2
    "$@"
}
gate "$bin/python" -m ruff format --check --quiet
gate "$bin/python" -m ruff check --quiet
gate "$bin/python" -m mypy
gate "$bin/python" -c 'import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(verbose=False))'
if [ "${1:-}" != --without-tests ]; then
    gate "$bin/python" -m pytest --quiet -o pythonpath=. \
        tests/style tests/promises tests/docs tests/package
fi
