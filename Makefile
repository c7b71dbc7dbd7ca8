# make play  sets everything up and opens the card room
# make test  sets everything up and runs every test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APT := apt-get install -y -qq --no-install-recommends
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm

.PHONY: play test quick thorough slow-page mutants compiled collected examples lowest bench figures strength load crowd cluster coverage lint docs pictures images clean

# keep bytecode files: the tests start a hundred processes, each of which would compile the sources again
unexport PYTHONDONTWRITEBYTECODE

play: $(VENV)/.play
	@$(BIN)/parlour

test:
	@$(MAKE) --no-print-directory -j 4 chromium pango compiled lint collected
	$(BIN)/pytest -n auto --dist worksteal

# all tests except those of the page, long ones and those with a running server: within a minute on two cores
quick: $(VENV)/.test
	$(BIN)/pytest -n auto --dist worksteal -m "not page and not slow" --ignore tests/page --ignore tests/examples \
	  --ignore tests/envs/test_openspiel.py --ignore tests/server/test_fuzz.py -p no:schemathesis

# mutation tests: an hour or more; MUTANTS="server -n 2" runs some of them
mutants: $(VENV)/.test chromium
	@$(BIN)/python -m tests.mutants $(MUTANTS)

# all tests with five times as many random trials; THOROUGH=20 takes a night
THOROUGH ?= 5
thorough: export PARLOUR_THOROUGH := $(THOROUGH)
thorough: test

# the page's tests in a browser with a slowed processor, which shows tests and redraws that depend on its speed
SLOWNESS ?= 6
slow-page: export PARLOUR_SLOW_BROWSER := $(SLOWNESS)
slow-page: $(VENV)/.test chromium
	$(BIN)/pytest -n auto --dist worksteal tests/page

# compile the games before the tests, each game in one process
compiled: $(VENV)/.play
	@$(BIN)/python -m tests.compilation

# let pytest cache its rewritten tests, which each of its processes would otherwise rewrite; the test run reports errors
collected: $(VENV)/.test
	@-nice $(BIN)/pytest --collect-only -qq >/dev/null 2>&1

# tests of all examples, with PyTorch, JAX, Stable-Baselines3, TorchRL and Ray, and of a Ray cluster; installs some gigabytes
examples: $(VENV)/.examples
	$(BIN)/pytest tests/examples tests/envs/test_sb3.py tests/jobs/test_ray_cluster.py

# some tests with the lowest versions that pyproject.toml declares, in an environment of their own
LOWEST := .venv-lowest
LOWEST_TESTS ?= tests/envs tests/test_golden.py tests/engine/test_match.py tests/contests/test_from_python.py \
  tests/studies/test_dataset.py tests/studies/test_tune.py tests/server/test_startup.py tests/server/test_play.py \
  tests/server/test_push_sender.py tests/studies/test_tune_space.py
lowest: | $(VENV)/bin/python
	$(VENV)/bin/python -m venv --clear $(LOWEST)
	$(LOWEST)/bin/pip install --quiet --disable-pip-version-check uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[dev]'
	$(LOWEST)/bin/pytest -n auto --dist loadfile $(LOWEST_TESTS)

# load test: simultaneous tables on this machine; LOAD="--tables 200 --workers 2" changes its options
load: $(VENV)/.play
	@$(BIN)/python -m trials.load $(LOAD)

# effect on others of a crowd from one address; CROWD="--workers 2 --tables 20" changes its options
crowd: $(VENV)/.play
	@$(BIN)/python -m trials.crowd $(CROWD)

# several servers on one PostgreSQL, killed and restarted during play; CLUSTER="--tables 600 --seconds 300" runs longer
cluster: $(VENV)/.test
	@$(BIN)/python -m trials.cluster $(CLUSTER)

bench: $(VENV)/.play
	@$(BIN)/parlour bench

# measure Parlour, OpenSpiel, Pgx, RLCard and PettingZoo; writes docs/performance.md; FIGURES=--go-on after Ctrl-C
figures: $(VENV)/.test compiled
	@$(BIN)/python benchmarks/figures.py $(FIGURES)

# strength of the bots: levels, policies, rivals, learners; writes docs/strength.md, and continues where it stopped;
# STRENGTH="--minutes 30 --games 40 --only exploit" measures less
strength: $(VENV)/.play
	@$(BIN)/python benchmarks/strength.py $(STRENGTH)

# coverage of a study's intervals; writes the table of docs/measures.md; COVERAGE="--studies 1000" narrows the figures
coverage: $(VENV)/.play
	@$(BIN)/python -m parlour.studies.coverage --page docs/measures.md $(COVERAGE) \
	  three-tricks:stall_turns=60:stall_turns=8 castle-walls:turn_limit=200:turn_limit=40 \
	  trime-kicker:judge=behind:judge=leader trick-walls:kill_balance=true:kill_balance=false \
	  tricky-tribes:teams=none:teams=pairs

lint: $(VENV)/.test node_modules/.installed
	$(BIN)/ruff format --check src tests examples benchmarks trials
	$(BIN)/ruff check src tests examples benchmarks trials
	nice $(BIN)/mypy
	$(NPM) run --silent lint

# generated files: typed_state.py of each game, docs/rules/, docs/contract.md, docs/tensors.md, the index of
# docs/decisions/, the tables of docs/measures.md and docs/protocol.md, the page's types of messages and its close codes,
# and the sample games of the landing
docs: $(VENV)/.play
	$(BIN)/python -m parlour.authors.typed_states
	$(BIN)/python -m parlour.authors.rules_pages docs/rules
	$(BIN)/python -m parlour.authors.contract_page docs/contract.md
	$(BIN)/python -m parlour.authors.tensor_page docs/tensors.md
	$(BIN)/python -m parlour.authors.decisions_index docs/decisions
	$(BIN)/python -m parlour.studies.measures_page docs/measures.md
	$(BIN)/python -m parlour.server.http.protocol_tables docs/protocol.md
	$(BIN)/python -m parlour.server.http.protocol_types src/parlour/server/page/js/protocol.d.ts
	$(BIN)/python -m parlour.server.http.showcase

# take the page's pictures again into tests/page/pictures; check the differences before you commit them
pictures: $(VENV)/.test chromium
	PARLOUR_TAKE_PICTURES=1 $(BIN)/pytest tests/page/test_pictures.py

# take the icons and the pictures of links again, from the landing of a room that runs: ROOM=http://127.0.0.1:8080
ROOM ?= http://127.0.0.1:8080
images: $(VENV)/.test chromium
	$(BIN)/python -m tests.page.images $(ROOM)

clean:
	rm -rf $(VENV) $(LOWEST) node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Parlour needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq python3-venv; \
	  else echo "Python's venv module is missing; install it with: sudo apt install python3-venv"; exit 1; fi; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --editable '.[server]'
	@touch $@

# do not reinstall installed packages: other processes may be using them
$(VENV)/.test: $(VENV)/.play
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile 'parlour[dev]'
	@touch $@

$(VENV)/.examples: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile 'parlour[train,rllib,ray,sb3,spiel-learners,torchrl]' jax
	@touch $@

# prettier, eslint and TypeScript; Node and npm are in the virtual environment
node_modules/.installed: package-lock.json | $(VENV)/.test
	@$(NPM) ci --silent --ignore-scripts --no-audit --no-fund || { \
	  echo "The tools for the page's scripts need an npm registry; this one failed: $$($(NPM) config get registry)"; exit 1; }
	@touch $@

.PHONY: chromium
# headless Chromium where Debian has it, which makes a test a third shorter. After the venv: both may need apt
chromium: | $(VENV)/bin/python
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
	    { $(APT) chromium-headless-shell fonts-dejavu-core fonts-liberation || $(APT) chromium; }; \
	  else echo "The tests of the page need Chromium; install it with: sudo apt install chromium-headless-shell"; exit 1; fi; }

.PHONY: pango
# the library with which WeasyPrint sets text. After Chromium: both may need apt
pango: | chromium
	@ldconfig -p | grep -q libpangoft2-1.0 || { \
	  if [ "$$(id -u)" = 0 ]; then $(APT) libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0; \
	  else echo "The tests of PDF files need Pango; install it with: sudo apt install libpangoft2-1.0-0"; exit 1; fi; }
