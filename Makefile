# `make play` and `make test` do all the set-up on a machine that has Python 3.11+, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
LOWEST_TOOLS := pytest pytest-timeout hypothesis httpx sgfmill python-shogi pexpect scipy
LOWEST_TESTS := tests/unit/cli tests/unit/dataset tests/unit/records tests/unit/report tests/contracts/test_protocols.py \
	$(addprefix tests/unit/games/test_,openspiel.py variant.py) \
	$(addprefix tests/unit/web/test_,games_api.py games_store.py info.py predict_api.py review_api.py server.py)
READY_WEB := web/node_modules/.ready

.PHONY: help play test test-slow fuzz check web web-check release lowest bench system-deps clean
help:
	@echo "make play         set up, then the page in the browser"
	@echo "make test         set up, then the tests"
	@echo "make check        formatting, types, import layers"
	@echo "make web          build the page from web/ into the package"
	@echo "make web-check    the page's types, and that the page in the package is what web/ builds"
	@echo "make fuzz         ten minutes of fuzzing the readers of records"
	@echo "make release      wheel and sdist in dist/, tried in a clean environment"
	@echo "make lowest       tests with the lowest versions that pyproject.toml allows"
	@echo "make bench        every speed claim, as ratios"
	@echo "make system-deps  engines and browser, from Debian's packages (needs root)"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"Python 3.11 or newer is needed, {sys.executable} is {v.major}.{v.minor}: try make PYTHON=python3.12 …")'
	@echo "setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(READY): $(VENV)/bin/python pyproject.toml constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@echo "compiling what is compiled once (a minute or two) …"
	@$(BIN)/hitonami doctor --warm-up
	@touch $@

$(READY_DEV): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev,train,cluster]"
	@# Of miniosl the tests need the compiled module alone; a library that the rest of it needs has no wheel.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps --only-binary miniosl miniosl \
		|| echo "miniosl has no wheel for this Python: its library is not compared with"
	@touch $@

play: $(READY)
	@$(BIN)/hitonami serve || [ $$? -eq 130 ]  # Ctrl-C is how it ends

test: $(READY_DEV)
	@$(BIN)/python -m pytest -q -n auto --dist worksteal

test-slow: $(READY_DEV)
	@$(BIN)/python -m pytest -q -m slow --timeout 7200

# Inputs that reach new places are kept between runs; what breaks a reader is written to crash-… in this folder.
fuzz: $(READY_DEV)
	@$(BIN)/python tests/fuzz/fuzz_records.py .fuzz -max_total_time=$(or $(SECONDS_OF_FUZZING),600) -timeout=60 -max_len=4000

check: $(READY_DEV)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --config pyproject.toml > out-imports.txt || (cat out-imports.txt; rm -f out-imports.txt; exit 1)
	@rm -f out-imports.txt

# Users need no node: what the front end builds is in the package, and web-check proves that nothing else is.
$(READY_WEB): web/package.json web/package-lock.json | $(VENV)/bin/python
	@cd web && ./with_node.sh npm ci --no-audit --no-fund --fetch-retries 5
	@touch $@

web: $(READY_WEB)
	@cd web && ./with_node.sh npm run --silent build

web-check: $(READY_WEB)
	@rm -rf build/page
	@cd web && ./with_node.sh npm run --silent build -- --outDir ../build/page --logLevel warn
	@diff -rq build/page src/hitonami/web/static \
		|| (echo "the page in the package is not what web/ builds: make web, and commit src/hitonami/web/static"; exit 1)
	@rm -rf build/page

release: $(VENV)/bin/python
	@$(BIN)/python .ci/release.py

# The lower bounds are true: uv takes the lowest of each, and the tests that need nothing of the system run with them.
lowest:
	@rm -rf build/lowest
	@$(PYTHON) -m venv build/lowest
	@build/lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	@build/lowest/bin/uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct -e ".[fit,openspiel,variants]"
	@build/lowest/bin/uv pip install --quiet --python build/lowest/bin/python $(LOWEST_TOOLS)
	@build/lowest/bin/python -m pytest -q -o filterwarnings= $(LOWEST_TESTS)

bench: $(READY_DEV)
	@$(BIN)/python benchmarks/run.py

system-deps:
	apt-get update -q
	apt-get install -y -q --no-install-recommends stockfish gnugo gpsshogi fairy-stockfish grhino chromium chromium-driver postgresql

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
