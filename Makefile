# Everything that one does with this project. Each target sets up what it needs first.
# Python 3.11 or newer is all it takes: `make run PYTHON=/path/to/python` names another one.

PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	"$$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
BIN := .venv/bin
export PORT ?= 8000

.PHONY: help run dev check test coverage lint format types shell bench measure soak build install lock clean require-python

help:
	@echo "make run     the site on http://localhost:$(PORT), with a demo competition (PORT=8001 for another port)"
	@echo "make dev     the same with DEBUG, restarting when a source changes"
	@echo "make check   in three minutes: lint, types, imports, dependencies, migrations, and tests without a browser"
	@echo "make test    everything that must hold; 'make check', 'make lint' and 'make types' are parts of it"
	@echo "make coverage the Python tests once more, with the lines and branches that they reach"
	@echo "make format  put the sources into shape"
	@echo "make shell   Python with the project's models at hand"
	@echo "make bench   measure; 'make soak' proves for long what 'make test' proves"
	@echo "make measure how far it is from a click to COMMIT, and how large the parts are; LIST=1 names the files"
	@echo "make build   packages and client only (MANY=1 with those for BUS_URL); 'make lock' renews the locked versions"
	@echo "make clean   remove what was built; the database in .data stays"

require-python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with its venv module is needed, and was not found. \
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
	@exec $(BIN)/python -m benchmarks.measure $(if $(LIST),--list)

soak: install
	@MEASURING=1 ALL_TEXTS=1 HERD=1000 EXAMPLES=300 MOMENTS=50 STEPS=2000 SEEDS=6 $(BIN)/python -m pytest -q tests/soak \
		tests/project/process/test_push.py tests/project/server/test_full_house.py \
		tests/project/sockets/test_state_machine.py tests/components/rendering/test_layout_fuzz.py \
		tests/project/security/test_script_vectors.py \
		tests/e2e/test_commands.py tests/e2e/test_live_changes.py
	@TREES=20000 HYDRATED=500 $(BIN)/python -m pytest -q tests/components/rendering/trees tests/e2e/test_generated_trees.py
	@POOLER=1 $(BIN)/python -m pytest -q --numprocesses=auto --dist=worksteal tests/apps
	@LATENCY=600 $(BIN)/python -m pytest -q --numprocesses=auto tests/e2e

lock: install
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --upgrade pyproject.toml --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --extra many --constraints requirements.txt pyproject.toml \
		--output-file requirements-many.txt
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --upgrade --extra dev --extra many --constraints requirements-many.txt pyproject.toml \
		--output-file requirements-dev.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage* .data/static* \
		.data/test-logs components/client/node_modules components/static/build
