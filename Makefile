# All tasks of this project. Each target installs its requirements first.
# Requires Python 3.11 or newer; `make run PYTHON=/path/to/python` selects one.

ifndef PYTHON
PYTHON := $(shell for name in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
endif
BIN := .venv/bin
export PORT ?= 8000
export NAME

.PHONY: help run dev check test coverage lint format types shell bench measure soak picture build install lock clean require-python

help:
	@echo "make run     the site on http://localhost:$(PORT), with a demo competition (PORT=8001 for another port)"
	@echo "make dev     the site with DEBUG, restarted when a source changes"
	@echo "make check   lint, types, imports, dependencies, migrations, and the unit tests"
	@echo "make test    the complete test suite, or NAME=tests/apps/live; 'make lint' and 'make types' are parts of it"
	@echo "make coverage the Python tests with line and branch coverage"
	@echo "make format  format the sources"
	@echo "make shell   a Python shell with the project's models"
	@echo "make bench   benchmarks; 'make soak' runs the long tests"
	@echo "make measure count files from a click to COMMIT and the size of the code; LIST=1 lists the files"
	@echo "make picture take the README's picture of Home, docs/screenshot.png"
	@echo "make build   packages and client only (MANY=1 includes BUS_URL's); 'make lock' updates the locked versions"
	@echo "make clean   remove build results; keeps the database in .data"

require-python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with its venv module was not found. \
	On Debian and Ubuntu: apt install python3 python3-venv" >&2; exit 1; }

build: require-python
	@$(PYTHON) project/launcher/prepare.py $(if $(MANY),many,run)

install: require-python
	@$(PYTHON) project/launcher/prepare.py dev

run: build
	@DEMO=$${DEMO:-1} exec $(BIN)/python -m project.launcher.launch

dev: build
	@DEBUG=1 DEMO=$${DEMO:-1} exec $(BIN)/python -m project.launcher.reload

check: install
	@exec $(BIN)/python -m tests.run types lint imports dependencies migrations units

test: install
	@exec $(BIN)/python -m tests.run

coverage: install
	@exec $(BIN)/python -m pytest -q --numprocesses=auto --dist=worksteal --cov

lint: install
	@exec $(BIN)/python -m tests.run lint imports dependencies migrations

types: install
	@exec $(BIN)/python -m tests.run types

format: install
	@$(BIN)/ruff check --fix-only --quiet . && $(BIN)/ruff format .

shell: build
	@exec $(BIN)/python manage.py shell

bench: install
	@exec $(BIN)/python -m benchmarks

measure: install
	@$(BIN)/python -m benchmarks.measure $(if $(LIST),--list)
	@exec $(BIN)/python -m tests.cost_table

soak: install
	@FRESH=1 MEASURING=1 ALL_TEXTS=1 HERD=1000 CROWD=1000 EXAMPLES=300 MOMENTS=50 STEPS=2000 SEEDS=6 EVENINGS=50 EXCHANGES=40 RATERS=10000 HOSTILE=450 SILENT=200 PUSHES=3000 TABLE_ROWS=10000 EVERY_RULE=1 WIDTHS=360,1280 LISTENERS=200 $(BIN)/python -m pytest -q tests/soak \
		tests/apps/notifications/test_pushes.py tests/project/server/test_full_house.py tests/project/server/test_attacks.py tests/project/server/test_crowd.py \
		tests/project/sockets/test_state_machine.py tests/project/sockets/test_covered_evening.py \
		tests/project/http/test_covered_views.py tests/project/http/test_full_tables.py tests/docs/test_add_an_app.py tests/components/runtime/rendering/test_layout_fuzz.py \
		tests/project/security/test_script_vectors.py tests/apps/ranking/test_large_stages.py \
		tests/apps/ranking/test_whole_competition.py \
		tests/e2e/test_commands.py tests/e2e/test_live_changes.py tests/e2e/test_rehearsal.py
	@MEASURING=1 IMPORTED=10000 TIMES=2000 $(BIN)/python -m pytest -q tests/components/pages/admin/test_participant_import.py \
		tests/components/runtime/rendering/test_layout_leaks.py
	@PATH="$(abspath $(BIN)):$$PATH" SEEDS=20 TREES=2000 npm --prefix components/client test
	@FRESH=1 POOLER=1 EXAMPLES=100 $(BIN)/python -m pytest -q --numprocesses=auto --dist=worksteal tests/apps
	@EXTENSIONS= $(BIN)/python -m pytest -q --numprocesses=auto tests/project/sockets tests/project/server \
		tests/components/parts
	@$(BIN)/python -m benchmarks.measure
	@$(BIN)/python -m tests.faults.run
	@$(BIN)/python -m tests.clocks.run
	@LATENCY=600 $(BIN)/python -m pytest -q --numprocesses=auto tests/e2e

lock: install
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-package http-ece --upgrade pyproject.toml --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-package http-ece --extra many --constraints requirements.txt pyproject.toml \
		--output-file requirements-many.txt
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-package http-ece --upgrade --extra dev --extra many --constraints requirements-many.txt pyproject.toml \
		--output-file requirements-dev.txt
	echo http-ece | $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-deps --upgrade - --output-file requirements-source.txt

picture: install
	@exec $(BIN)/python -m tests.pictures readme

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage* .data/static* \
		.data/test-logs components/client/node_modules components/static/build
