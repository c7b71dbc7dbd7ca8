# make play  sets everything up and opens the card room
# make test  sets everything up and runs every test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APT := apt-get install -y -qq --no-install-recommends

.PHONY: play test quick thorough mutants compiled collected examples bench figures load crowd cluster coverage lint docs pictures clean

# the tests start a hundred processes, each of which would translate the sources anew
unexport PYTHONDONTWRITEBYTECODE

play: $(VENV)/.play
	@$(BIN)/parlour

test:
	@$(MAKE) --no-print-directory -j 4 chromium node compiled lint collected
	$(BIN)/pytest -n auto --dist worksteal

# everything but the browser, the long runs and what needs a running server: within a minute on two cores
quick: $(VENV)/.test
	$(BIN)/pytest -n auto --dist worksteal -m "not page and not slow" --ignore tests/page --ignore tests/examples \
	  --ignore tests/envs/test_openspiel.py --ignore tests/server/test_fuzz.py -p no:schemathesis

# which small wrong changes to the code the tests notice: an hour or more; MUTANTS="server -n 2" asks some of them
mutants: $(VENV)/.test chromium
	@$(BIN)/python -m tests.mutants $(MUTANTS)

# the same with five times as much tried at random; THOROUGH=20 takes a night
THOROUGH ?= 5
thorough: export PARLOUR_THOROUGH := $(THOROUGH)
thorough: test

# what the tests run, compiled before they begin: each game by one process
compiled: $(VENV)/.play
	@$(BIN)/python -m tests.compiling

# the tests as pytest rewrites them, which each of its processes would do by itself; what is wrong the tests' run tells
collected: $(VENV)/.test
	@-nice $(BIN)/pytest --collect-only -qq >/dev/null 2>&1

# the examples, those too that need PyTorch and Ray, and work on a Ray cluster: some gigabytes, which this installs
examples: $(VENV)/.examples
	$(BIN)/pytest tests/examples tests/jobs/test_ray_cluster.py

# how many tables this machine holds; LOAD="--tables 200 --workers 2" measures something else
load: $(VENV)/.play
	@$(BIN)/python -m trials.load $(LOAD)

# what others notice of a crowd from one address; CROWD="--workers 2 --tables 20" measures something else
crowd: $(VENV)/.play
	@$(BIN)/python -m trials.crowd $(CROWD)

# several servers on one PostgreSQL, killed and restarted while people play; CLUSTER="--tables 600 --seconds 300" tries more
cluster: $(VENV)/.test
	@$(BIN)/python -m trials.cluster $(CLUSTER)

bench: $(VENV)/.play
	@$(BIN)/parlour bench

# Parlour beside OpenSpiel, Pgx, RLCard and PettingZoo's classics; writes docs/performance.md; FIGURES=--go-on after Ctrl-C
figures: $(VENV)/.test compiled
	@$(BIN)/python benchmarks/figures.py $(FIGURES)

# how often the intervals of a study hold the truth; writes the table of docs/metrics.md. COVERAGE="--studies 1000" counts more
coverage: $(VENV)/.play
	@$(BIN)/python -m parlour.studies.coverage --page docs/metrics.md $(COVERAGE) \
	  three-tricks:stall_turns=60:stall_turns=8 castle-walls:turn_limit=200:turn_limit=40 \
	  trime-kicker:judge=behind:judge=leader trick-walls:kill_balance=true:kill_balance=false \
	  tricky-tribes:teams=none:teams=pairs

lint: $(VENV)/.test
	$(BIN)/ruff format --check src tests examples benchmarks trials
	$(BIN)/ruff check src tests examples benchmarks trials
	nice $(BIN)/mypy

# generated documents: docs/rules/, docs/contract.md, the index of docs/decisions/, the tables of docs/protocol.md, and
# the sample games of the landing
docs: $(VENV)/.play
	$(BIN)/python -m parlour.authors.rules_pages docs/rules
	$(BIN)/python -m parlour.authors.contract_page docs/contract.md
	$(BIN)/python -m parlour.authors.decisions_index docs/decisions
	$(BIN)/python -m parlour.server.http.protocol_tables docs/protocol.md
	$(BIN)/python -m parlour.server.http.showcase

# how the page looks, taken anew into tests/page/pictures; look at what has changed before you keep it
pictures: $(VENV)/.test chromium
	PARLOUR_TAKE_PICTURES=1 $(BIN)/pytest tests/page/test_pictures.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Parlour needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq python3-venv; \
	  else echo "Python's venv module is missing; install it with: sudo apt install python3-venv"; exit 1; fi; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --editable .
	@touch $@

# what is installed is not installed again: others use it meanwhile
$(VENV)/.test: $(VENV)/.play
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile 'parlour[dev]'
	@touch $@

$(VENV)/.examples: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile 'parlour[train,rllib,ray]'
	@touch $@

.PHONY: chromium
# Chromium without its windows where Debian has it: a test takes a third less with it. After Python's venv, which apt
# may have to install, too
chromium: | $(VENV)/bin/python
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
	    { $(APT) chromium-headless-shell fonts-dejavu-core fonts-liberation || $(APT) chromium; }; \
	  else echo "The tests of the page need Chromium; install it with: sudo apt install chromium-headless-shell"; exit 1; fi; }

.PHONY: node
# Node runs the tests of the page's modules. After Chromium: two installations by apt at once would wait for each other
node: | chromium
	@command -v node >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(APT) nodejs; \
	  else echo "The tests of the page's modules need Node; install it with: sudo apt install nodejs"; exit 1; fi; }
