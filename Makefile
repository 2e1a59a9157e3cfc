# Everything sets itself up in .venv; nothing but Python 3.11 or newer is needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE  # every process would compile every module anew
# So many processes run tests. More of them than processors may be quicker: many tests wait for servers and browsers.
PROCESSES ?= 2
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.PHONY: play test tests attack soak soak-cluster bench bench-web-peers bench-bots lint style types format playthroughs screenshots docs release clean

play: $(VENV)/play.done
	@$(BIN)/perankh serve

# Types are checked while the tests run, which do not keep two processors busy all the time.
test: style
	@bash tests/browser/install.sh
	@bash tests/documents/install.sh
	@began=$$(date +%s); $(MAKE) --no-print-directory --jobs 2 types tests; result=$$?; \
	took=$$(($$(date +%s) - began)); echo "This took $$((took / 60)) minutes and $$((took % 60)) seconds."; exit $$result

# The few tests that fail run once more, alone; see tests/second_look.py.
tests: $(VENV)/dev.done
	$(BIN)/python -m tests.second_look --numprocesses $(PROCESSES) --dist loadgroup --no-loadscope-reorder --durations 12

lint: style types

style: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.done
	$(BIN)/mypy

# Everything that was ever found to harm a table server, random frames, requests and files by the thousand; honest players and a
# visitor's waiting time beside it.
attack: $(VENV)/dev.done
	$(BIN)/python -m tests.attack

# One million random games of each game over all player counts and option sets, and one million positions of each as every
# viewer sees them; the measured figures of Maqha's vessels over 100,000 games; browser matches with every number of players; the
# attack program; then a server killed amid a thousand matches.
soak: $(VENV)/dev.done
	$(BIN)/perankh check all --only invariants,modes,seats,endings --effort 60
	$(BIN)/perankh check examples/connect_four --only invariants,modes,endings --effort 180
	$(BIN)/perankh check all --only redeal --effort 10
	$(BIN)/perankh check all --only texts,scenes
	$(BIN)/perankh check all --only events --effort 60
	$(BIN)/perankh check all --only cuda --effort 2
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(BIN)/perankh check all --only invariants --effort 0.1
	$(BIN)/python -m tests.games.maqha.calibration
	@bash tests/browser/install.sh
	$(BIN)/python -m pytest -m soak --numprocesses 2 --dist loadgroup
	$(BIN)/python -m tests.attack
	$(BIN)/python bench/web_soak.py --clients 50 --matches 1000 --kills 20

# Three servers on one PostgreSQL database behind HAProxy, which are killed, cut off and restarted.
soak-cluster: $(VENV)/dev.done
	$(BIN)/python bench/cluster_soak.py --servers 3 --clients 400 --matches 2000 --kills 60 --write

bench: $(VENV)/bench.done
	$(BIN)/python bench/run.py --write
	$(BIN)/python bench/web_load.py --write

# The web server beside boardgame.io's; needs Node.js.
bench-web-peers: $(VENV)/bench.done
	npm install --no-save --no-audit --no-fund --prefix bench/.boardgame_io boardgame.io@0.50.2 node-persist@3.1.3
	$(BIN)/python bench/peer_load.py --write

## Play the bots against each other and against OpenSpiel's; takes hours on two cores
bench-bots: $(VENV)/bench.done
	$(BIN)/python bench/bots.py --write

# Every game in mid-match and at its end at six sizes, in both languages and both themes: what overlaps, is too small or fails axe is
# named. Pictures for the documents go into docs/screenshots; `--to FOLDER` keeps all of them.
screenshots: $(VENV)/dev.done
	@bash tests/browser/install.sh
	$(BIN)/python -m tests.browser.screenshots

# The documentation site, which the server offers under /docs and a wheel holds.
docs: $(VENV)/dev.done
	$(BIN)/perankh docs

# What is to be done before a release, checked one by one; the packages are built into dist/. See deploy/release.py.
release: docs
	$(BIN)/python deploy/release.py

format: $(VENV)/dev.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# After a wanted change of rules: write the golden playthroughs anew and review the difference.
playthroughs: $(VENV)/dev.done
	$(BIN)/perankh check all --write-playthroughs
	$(BIN)/perankh check examples/connect_four --write-playthroughs
	$(BIN)/python -m tests.envs.test_openspiel

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Per-Ankh needs Python 3.11 or newer: make PYTHON=python3.12 ...'; exit 1; }
	@echo 'Setting up Per-Ankh in $(VENV) ...'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/play.done: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) .
	@touch $@

$(VENV)/dev.done: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) '.[dev]'
	@touch $@ $(VENV)/play.done

$(VENV)/bench.done: pyproject.toml constraints.txt $(VENV)/dev.done | $(BIN)/python
	@$(PIP) '.[bench]'
	@touch $@
