# Every target builds what it needs in .venv; `make demo` and `make test` are the two to know.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py MANIFEST.in $(wildcard kernels/*.pyx kernels/*.pxd)

.PHONY: demo test lint bench fuzz strength mutants reports wheel clean

demo: $(VENV)/.runtime
	$(BIN)/oddsmith demo --output demo.html

test: $(VENV)/.dev
	$(BIN)/python -m pytest tests

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	ln -sfn ../../../solver build/cimport/oddsmith/solver
	ln -sfn ../../../reports build/cimport/oddsmith/reports
	MYPYPATH=build/cimport $(BIN)/mypy -p oddsmith.solver -p oddsmith.kernels -p oddsmith.reports
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m pytest benchmarks --benchmark-only --benchmark-sort=name \
	  --benchmark-columns=median,iqr,rounds --benchmark-disable-gc

# The long comparisons with the plain reference rules: DECISIONS=100000 of each game, SECONDS=600 of questions.
fuzz: $(VENV)/.dev
	$(BIN)/python -m pytest tests -m fuzz -s

# Matches between policies; resumable, results in benchmarks/results/.  MATCH=name for one.
strength: $(VENV)/.dev
	$(BIN)/python -m benchmarks.strength $(MATCH)

# Break each rule in a copy of the project and see that the tests notice.
mutants: $(VENV)/.dev
	$(BIN)/python tests/mutate.py

reports: $(VENV)/.runtime
	mkdir -p build/reports
	for file in examples/reef-*.toml examples/stone-age-*.toml; do \
	  game=$$(sed -n 's/^game = "\(.*\)"/\1/p' $$file); \
	  $(BIN)/oddsmith $$game report $$file -o build/reports/$$(basename $$file .toml).html || exit 1; \
	done

# The sdist, the wheel built from it, and a smoke test of the wheel from another folder.
wheel: $(VENV)/.dev
	rm -rf dist build/smoke
	ODDSMITH_MARCH=x86-64-v2 $(BIN)/python -m build
	$(PYTHON) -m venv build/smoke
	build/smoke/bin/pip install -q dist/*.whl
	cd / && $(CURDIR)/build/smoke/bin/oddsmith demo --output $(CURDIR)/build/smoke/demo.html

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.runtime: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install -q -e .
	$(BIN)/python -m compileall -q kernels reports solver
	touch $@

$(VENV)/.dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install -q -e ".[dev]"
	$(BIN)/python -m compileall -q kernels reports solver
	touch $@ $(VENV)/.runtime

clean:
	rm -rf build dist $(VENV) *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
