# make setup     the environment in .venv, from the lock file
# make run              the study (the bundled sample, offline) from documents to the report
# make test             lint, types and all tests; a service that is absent is skipped with its reason
# make bench            the engine against a scripted endpoint
# make bench-retrieval  indexes, retrievers and walks beside plain ones, at 2,000 and 100,000 passages
# make bench-graph      Ladybug and Neo4j (FAITHFLOW_TEST_NEO4J) beside a dictionary, up to 1,000,000 edges
# make bench-systems    what the pipelines retrieve and cite on MuSiQue, requirements and EU acts (FAITHFLOW_DATA)
# make accuracy         the baselines against human labels
# make lock             the lock file anew, after a change of pyproject.toml
# make wheel            the package in dist/

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := run

BIN := .venv/bin
READY := .venv/ready

.PHONY: setup run test lint bench bench-retrieval bench-graph bench-systems accuracy lock wheel

setup: $(READY)

# the editable install needs no network: all that it builds with is in the lock file
$(READY): requirements.lock pyproject.toml scripts/python.sh
	@if [ ! -x $(BIN)/python ]; then python="$$(PYTHON='$(PYTHON)' scripts/python.sh)"; "$$python" -m venv .venv; fi
	@echo "Installing what requirements.lock names into .venv (some minutes the first time) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: setup
	@$(BIN)/faithflow run || [ $$? = 3 ]  # 3: finished, some claims unscored

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

test: lint
	$(BIN)/pytest -rs

bench: setup
	$(BIN)/python -m benchmarks.engine

bench-retrieval: setup
	$(BIN)/python -m benchmarks.retrieval

bench-graph: setup
	$(BIN)/python -m benchmarks.graph

# e5's vectors are kept from run to run in out/
bench-systems: setup
	@mkdir -p out
	$(BIN)/python -m benchmarks.systems.musique --cache out/vectors.sqlite
	$(BIN)/python -m benchmarks.systems.reqtraq --cache out/vectors.sqlite
	$(BIN)/python -m benchmarks.systems.eurlex --cache out/vectors.sqlite

accuracy: setup
	$(BIN)/python -m benchmarks.baselines.accuracy

lock: setup
	$(BIN)/uv pip compile pyproject.toml --extra postgres --extra neo4j --group dev --universal --generate-hashes \
		--no-emit-index-url --no-header --no-annotate --quiet -o requirements.lock

wheel: setup
	$(BIN)/python -m build --no-isolation --outdir dist .
