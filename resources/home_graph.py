"""The knowledge graph of a home: the tables of triples, their verdicts, entities and edges, and the graph store."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from faithflow.graph.edges import graph_edges, graph_nodes, stored_edges
from faithflow.graph.entities import resolve
from faithflow.graph.patterns import PatternExtractor
from faithflow.graph.triple_gold import Fact
from faithflow.graph.triple_judge import TripleJudge
from faithflow.graph.triple_llm import LlmTripleExtractor
from faithflow.identity import digest
from faithflow.llm.asking import Model
from faithflow.study.model import Study
from faithflow.study.systems import TripleModel
from faithflow.tables.registry import table
from resources.home import Home
from resources.pace import Pace
from resources.parquet import Written
from resources.systems import opened_callers, opened_graph
from resources.triple_run import TripleRun, extract_triples, gold_verdicts, judge_triples, triples_of

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Extracted:
    """The table `triples`, and why passages were not read: how many, by reason."""

    written: Written
    failed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BuiltGraph:
    """The graph that is walked now: nodes by kind and edges by relation."""

    store: str
    counts: Mapping[str, int]
    fingerprint: str


def extract(home: Home, study: Study, say: Say) -> Extracted:
    """Write the table `triples`, by patterns or by the study's model; what a model has answered is not asked again."""
    with home.deriving("triples"):
        passages, documents = home.warehouse.read("passages"), home.warehouse.read("documents")
        progress = _Progress("passages", passages.height, say)

        async def by_model(model: Model, most: int) -> TripleRun:
            return await extract_triples(passages, documents, LlmTripleExtractor(model), most, progress.one)

        config = study.triples.model
        if config is None:
            run = asyncio.run(extract_triples(passages, documents, PatternExtractor(), 1, progress.one))
        else:
            run = asyncio.run(_asked(home, study, config, by_model))
        return Extracted(home.warehouse.write("triples", run.triples), run.reasons)


def judge_extracted(home: Home, study: Study, say: Say) -> Written:
    """Write the table `triple_verdicts`: against gold, where there is some, and by the study's judge of triples."""
    with home.deriving("triple_verdicts"):
        documents, triples, gold = (home.warehouse.read(name) for name in ("documents", "triples", "gold_triples"))
        facts = [(document_id, Fact(*words)) for document_id, *words in gold.iter_rows()]
        verdicts = [table("triple_verdicts").empty(), gold_verdicts(documents, triples, facts)]
        config = study.triples.judge
        if config is not None:
            judged = documents.filter(pl.col("duplicate_of").is_null())
            progress = _Progress("documents", judged.height, say)

            async def by_model(model: Model, most: int) -> pl.DataFrame:
                return await judge_triples(judged, triples, TripleJudge(model), most, progress.one)

            verdicts.append(asyncio.run(_asked(home, study, config, by_model)))
        return home.warehouse.write("triple_verdicts", pl.concat(verdicts))


def build_edges(home: Home, study: Study) -> tuple[Written, Written]:
    """Write the tables `entities` and `edges`."""
    with home.deriving("edges"):
        warehouse = home.warehouse
        triples = triples_of(warehouse.read("triples"))
        resolution = resolve(triples, study.triples.keep_apart)
        links = warehouse.read("links").with_columns(
            source_kind=pl.lit("passage"), target_kind=pl.lit("passage"), passage_id=pl.lit(""), fact=pl.lit("")
        )
        edges = graph_edges(triples, resolution, links, warehouse.read("documents"))
        return warehouse.write("entities", resolution.frame), warehouse.write("edges", edges)


def build_graph_store(home: Home, study: Study, say: Say) -> BuiltGraph:
    """Load the graph beside the old one and put it in its place; a graph of the same rows is left as it is.

    Raises StoreError where the store fails: the old graph is still there, and the same command goes on.
    """
    with home.deriving("graph_store"):
        warehouse = home.warehouse
        documents, passages, entities, edges = (
            warehouse.read(name) for name in ("documents", "passages", "entities", "edges")
        )
        nodes = list(graph_nodes(passages, documents, entities))
        stored = list(stored_edges(edges, documents))
        fingerprint = digest([[str(node) for node in nodes], [str(edge) for edge in stored]])
        say(f"loading {len(nodes):,} nodes and {len(stored):,} edges")
        with opened_graph(home, study) as store:
            return BuiltGraph(store.name, store.rebuild(nodes, stored, fingerprint), fingerprint)


async def _asked(home: Home, study: Study, config: TripleModel, work: Callable[[Model, int], Awaitable[T]]) -> T:
    """What comes of work that asks a model, on the home's ledger."""
    async with opened_callers(home, study) as callers:
        way = callers.open(config, config.name, config.model or "")
        model = Model(way.caller, config.provider, way.endpoint, way.model, config.params, config.context_window)
        return await work(model, config.max_concurrency)


class _Progress:
    """Says every few seconds how many are done."""

    def __init__(self, what: str, total: int, say: Say) -> None:
        self._what, self._total, self._say = what, total, say
        self._done = 0
        self._pace = Pace()

    def one(self, _done: object) -> None:
        self._done += 1
        if self._pace.is_due(at_end=self._done == self._total):
            self._say(f"{self._done:,} of {self._total:,} {self._what}")
