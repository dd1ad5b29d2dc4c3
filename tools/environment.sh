#!/bin/sh
# Make .venv from nothing but a system Python >= 3.11, or bring it up to date; quick when it is.
#   sh tools/environment.sh runtime   holdfact as a user gets it: its wheel and what it needs
#   sh tools/environment.sh dev       the same, and the tools of tests, gates and documentation
# A stamp in .venv holds the checksum of what each step was made from.
set -eu
cd "$(dirname "$0")/.."
level=${1:?runtime or dev}
venv=.venv
# What the caller's environment would put in place of what is installed here.
unset PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX || true

say() { echo "holdfact: $*" >&2; }

suits() { # is it a Python that can make the environment?
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

complete() { # can it make environments (Debian splits that off) and unpack archives?
    "$1" -c 'import ensurepip, lzma, ssl, venv' >/dev/null 2>&1
}

find_python() {
    incomplete=
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        [ -n "$candidate" ] && suits "$candidate" || continue
        if complete "$candidate"; then
            echo "$candidate"
            return
        fi
        incomplete=$candidate
    done
    if [ -n "$incomplete" ]; then
        say "$incomplete lacks ensurepip, venv, lzma or ssl: install its venv package" \
            "(Debian and Ubuntu: python3-venv), or name another Python: make PYTHON=/path/to/python3"
    else
        say "no Python >= 3.11 found: install one, or name it: make PYTHON=/path/to/python3"
    fi
    exit 1
}

sum_of() { # one checksum over the content and the names of the files named on stdin
    LC_ALL=C sort | while IFS= read -r file; do
        echo "$file"
        cat "$file"
    done | cksum
}

is_current() { [ -f "$venv/stamp-$1" ] && [ "$(cat "$venv/stamp-$1")" = "$2" ]; }

pip() { "$venv/bin/python" -m pip -qq --disable-pip-version-check "$@"; }

make_venv() {
    if "$venv/bin/python" -c 'import pip' >/dev/null 2>&1 && is_current place "$(pwd)"; then
        return
    fi
    python=$(find_python)
    say "making $venv with $("$python" --version)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    pwd >"$venv/stamp-place" # scripts hold absolute paths: a moved folder needs a new one
}

install_locked() { # name of the step, lock files...
    step=$1
    shift
    wanted=$(printf '%s\n' "$@" | sum_of)
    is_current "$step" "$wanted" && return
    say "installing the locked dependencies ($step)"
    for lock in "$@"; do set -- "$@" --requirement "$lock"; shift; done
    pip install --require-hashes --only-binary=:all: "$@"
    echo "$wanted" >"$venv/stamp-$step"
}

install_holdfact() { # the wheel, as a user gets it: never the source folder itself
    wanted=$({ find src -type f ! -name '*.pyc' && echo pyproject.toml; } | sum_of)
    is_current holdfact "$wanted" && return
    say "building and installing holdfact"
    rm -rf build/wheel
    log=$("$venv/bin/python" -m hatchling build -t wheel -d build/wheel 2>&1) || {
        echo "$log" >&2
        exit 1
    }
    pip install --no-deps --no-index --force-reinstall build/wheel/holdfact-*.whl
    echo "$wanted" >"$venv/stamp-holdfact"
}

make_venv
case $level in
runtime) install_locked runtime requirements/runtime.txt requirements/build.txt ;;
dev) install_locked dev requirements/dev.txt ;;
*)
    say "unknown level: $level"
    exit 2
    ;;
esac
install_holdfact
