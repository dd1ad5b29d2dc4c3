#!/bin/sh
# Remake requirements/*.txt: every version pinned with its hashes, and no address of any index,
# so the same lock installs from whatever index the machine's pip is set up with.
set -eu
cd "$(dirname "$0")/.."
compile() { # output, arguments...
    out=requirements/$1
    shift
    uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
        --output-file "$out" "$@" >/dev/null
    if grep -nE '://|^-' "$out"; then
        echo "error: $out names an address or an option; it must hold versions and hashes only" >&2
        exit 1
    fi
}
compile dev.txt pyproject.toml --extra regex --group dev "$@"
# The smaller sets take their versions from the whole one: an environment can grow from one to it.
compile runtime.txt pyproject.toml --constraint requirements/dev.txt
compile build.txt --group build --constraint requirements/dev.txt
