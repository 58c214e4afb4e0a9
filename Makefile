# One command per purpose; each makes what it needs in .venv by itself.
#
#   make demo     a tour on generated data; needs only the run-time dependencies
#   make test     all tests; PostgreSQL 18, the oracle, comes as a wheel and is started by the tests
#   make check    lint, types, style and import order
#   make quick    in a minute: lint, style and the fast tests
#   make one T=   one test by a part of its name: make one T=overflow_add
#   make bench    side by side with other engines: make bench ARGS="clickbench --rows 1000000"
#   make corpus-report            the query corpus against PostgreSQL: equal, different, error
#   make sqllogic FILES=          sqllogictest files in all configurations
#   make campaign-NAME            a long run: fuzz (N=queries SEED=number), corpus, crash, parts, disabled, all

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
WORKERS ?= 2
ARGS ?= ladder

RUNTIME := $(VENV)/.installed-runtime
DEV := $(VENV)/.installed-dev
BENCH := $(VENV)/.installed-bench

.PHONY: demo test check quick one bench corpus-report sqllogic clean help
help:
	@sed -n '2,13s/^# \{0,1\}//p' Makefile

demo: $(RUNTIME)
	$(BIN)/caldera demo $(DEMO_ARGS)

test: $(DEV)
	$(PYTEST) -n $(WORKERS) --dist loadgroup -q

check: $(DEV)
	$(BIN)/ruff check src tests
	$(BIN)/mypy
	$(PYTEST) -q tests/test_tidy.py tests/test_imports.py

quick: $(DEV)
	$(BIN)/ruff check -q src tests
	$(PYTEST) -n $(WORKERS) --dist loadgroup -q --quick

one: $(DEV)
	$(PYTEST) -x -vv -k "$(T)"

bench: $(BENCH)
	$(BIN)/caldera bench $(ARGS)

corpus-report: $(DEV)
	$(BIN)/python -m tests.report $(REPORT_ARGS)

sqllogic: $(DEV)
	$(BIN)/python -m tests.sqllogic $(or $(FILES),$(wildcard tests/sqllogic/files/*.test)) $(SQLLOGIC_ARGS)

campaign-all: $(DEV)
	$(PYTEST) -q --campaign -m campaign

campaign-fuzz: $(DEV)
	N=$(or $(N),2000) $(PYTEST) -q -s --campaign -m campaign tests/test_fuzz.py $(if $(SEED),--seed=$(SEED))

campaign-%: $(DEV)
	$(PYTEST) -q --campaign -m campaign -k "$*"

# ---- the environment: one virtual environment, one stamp for each set of dependencies -----------------------------------
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Caldera needs Python 3.11 or newer; call: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { $(PYTHON) -m venv --without-pip --clear $(VENV) && \
		$(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }

$(RUNTIME): pyproject.toml | $(BIN)/python
	@echo "Installing Caldera and what it needs into $(VENV); this takes a minute."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	@echo "Installing the tools for tests into $(VENV), PostgreSQL 18 among them; this takes a minute or two."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(RUNTIME) $@

$(BENCH): pyproject.toml | $(BIN)/python
	@echo "Installing the engines to compare with into $(VENV); this takes a minute or two."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $(RUNTIME) $@

clean:
	rm -rf $(VENV) .ci/venv build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache src/*.egg-info
