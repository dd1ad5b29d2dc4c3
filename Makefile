# Everything starts here, on a machine with only Python >= 3.11, make and git:
#   make demo    the main job on a real project's documents
#   make test    the gates and every test          make check   the fast gates alone
#   make bench   the benchmarks                    make docs    the documentation site
#   make pages   rewrite the generated pages       make lock    remake the locked dependencies
# Each target makes or updates .venv by itself. Another interpreter: make PYTHON=python3.12 test
.PHONY: help demo test check bench docs pages format lock clean environment
.DEFAULT_GOAL := help
export PYTHON
unexport PYTHONPATH PYTHONHOME

RUN := .venv/bin/python -m

help:
	@sed -n '2,/^[^#]/s/^# \{0,1\}//p' Makefile

demo:
	@sh tools/environment.sh runtime
	@$(RUN) demo.run

environment:
	@sh tools/environment.sh dev

check: environment
	@sh tools/check.sh

test: environment
	@sh tools/check.sh --without-tests
	@sh tools/test.sh

bench: environment
	@sh tools/bench.sh

docs: environment
	@$(RUN) tools.pages --check
	@NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --strict --site-dir build/site
	@echo "documentation: build/site/index.html"

pages: environment
	@$(RUN) tools.pages

format: environment
	@$(RUN) ruff format
	@$(RUN) ruff check --fix

lock: environment
	@PATH="$$PWD/.venv/bin:$$PATH" sh tools/lock.sh --upgrade

clean:
	rm -rf .venv build dist site .coverage .coverage.* htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
