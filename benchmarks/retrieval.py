"""What retrieval costs, each figure beside a baseline of the same run: `python -m benchmarks.retrieval`.

Seeded synthetic corpora: passages of 80 words of a Zipf-like vocabulary, vectors of 384 dimensions about 500 centres,
and a graph in which a few entities stand nearly everywhere. The walk is that of the GraphRAG pipeline: eight seeds, two
hops, thirty passages. Neo4j takes part where FAITHFLOW_TEST_NEO4J names a server
(bolt://user:password@host:port). Prints Markdown tables.
"""

import argparse
import datetime as dt
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import polars as pl

from faithflow.corpus.scope import Scope
from faithflow.graph.model import MENTIONS, Edge, GraphStore, Neighbour, Node
from faithflow.graph.walk import walk
from faithflow.retrieval.lexical_rerank import LexicalReranker
from faithflow.retrieval.model import IndexedPassage
from resources.graph_store import open_graph_store
from resources.vector_store import LanceStore

K = 10
SCOPE = Scope(dt.date(2026, 1, 1))
DIMENSIONS = 384


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("--passages", type=int, nargs="+", default=[2_000, 100_000])
    parser.add_argument("--edges", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--queries", type=int, default=40, help="queries a retriever; medians are shown")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.queries} queries each, medians\n")
    with tempfile.TemporaryDirectory() as scratch:
        # what is loaded on first use is no part of the first figure
        LanceStore(Path(scratch) / "first").rebuild(*_corpus(10), "first")
        found = [r for count in given.passages for r in _passages(Path(scratch) / str(count), count, given.queries)]
        _table("Passages", ["passages", "what", "ms", "a second", "baseline", "baseline ms", "times it"], found)
        walked = [r for count in given.edges for r in _graphs(Path(scratch) / f"g{count}", count, given.queries)]
        _table("Graph", ["edges", "store", "load s", "edges/s", "walk ms", "walks/s", "in a dictionary ms"], walked)


# ---- passages


def _passages(folder: Path, count: int, queries: int) -> Iterator[list[str]]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    passages, vectors = _corpus(count)
    rng = np.random.default_rng(2)
    asked = _unit(vectors[rng.integers(0, count, queries)] + 0.05 * rng.standard_normal((queries, DIMENSIONS)))
    words = [" ".join(rng.choice(passages[int(i)].text.split(), 8)) for i in rng.integers(0, count, queries)]
    folder.mkdir()
    store = LanceStore(folder / "index")
    loaded = _seconds(lambda: store.rebuild(passages, vectors, "benchmark"))
    frame = pl.DataFrame({"id": [p.passage_id for p in passages], "text": [p.text for p in passages], "v": vectors})
    written = _seconds(lambda: frame.write_parquet(folder / "rows.parquet"))
    yield _row(count, "index (vectors, BM25, ids)", loaded / count, "the rows as Parquet", written / count)

    def brute(query: np.ndarray) -> set[str]:
        scores = vectors @ query
        return {passages[int(i)].passage_id for i in np.argpartition(-scores, K)[:K]}

    found = [store.dense(query, K, SCOPE) for query in asked]
    missed = sum({hit.passage.passage_id for hit in hits} != brute(q) for hits, q in zip(found, asked, strict=True))
    assert not missed, f"{missed} dense searches differ from brute force"
    dense = _median(lambda query: store.dense(query, K, SCOPE), asked)
    yield _row(count, "dense, exact", dense, "numpy brute force", _median(brute, asked))

    vectorizer = TfidfVectorizer()
    matrix = vectorizer.fit_transform([p.text for p in passages]).T.tocsr()

    def tfidf(query: str) -> Any:
        return np.argpartition(-(vectorizer.transform([query]) @ matrix).toarray()[0], K)[:K]

    sparse = _median(lambda query: store.sparse(query, K, SCOPE), words)
    yield _row(count, "sparse, BM25", sparse, "TF-IDF product (scikit-learn)", _median(tfidf, words))
    reranker = LexicalReranker()
    candidates = [(query, [h.passage.indexed_text for h in hits]) for query, hits in zip(words, found, strict=True)]
    rerank = _median(lambda pair: reranker.scores(*pair), candidates)
    yield _row(count, f"lexical rerank of {K}", rerank, "the dense search before it", dense)
    store.close()


def _corpus(count: int) -> tuple[list[IndexedPassage], np.ndarray]:
    rng = np.random.default_rng(1)
    vocabulary = np.array([f"word{i}" for i in range(30_000)])
    drawn = vocabulary[np.minimum(rng.zipf(1.3, (count, 80)) - 1, len(vocabulary) - 1)]
    passages = [
        IndexedPassage(f"p_{i:07d}", f"d_{i // 10}", f"R-{i // 10}", "", "2026-01-01", "", " ".join(row), "public")
        for i, row in enumerate(drawn)
    ]
    centres = rng.standard_normal((500, DIMENSIONS))
    spread = rng.standard_normal((count, DIMENSIONS)).astype(np.float32)
    return passages, _unit(centres[rng.integers(0, 500, count)] + 0.7 * spread)


def _unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


# ---- graph


class DictStore:
    """The baseline: the edges of every node in a dictionary, of which the walk needs no more than these two reads."""

    def __init__(self, nodes: Mapping[str, Node], edges: Sequence[Edge]) -> None:
        self._beside: dict[str, list[Neighbour]] = {}
        for edge in edges:
            for start, end in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
                self._beside.setdefault(start, []).append(Neighbour(start, edge, nodes[end]))

    def neighbours(self, frontier: Sequence[str], _scope: Scope, _relations: object, limit: int = 10_000) -> Any:
        found = [neighbour for node in frontier for neighbour in self._beside.get(node, ())]
        key = lambda n: (n.start, n.edge.relation, n.edge.source_id, n.edge.target_id)  # noqa: E731
        return sorted(found, key=key)[:limit]

    def degrees(self, ids: Sequence[str], _scope: Scope) -> dict[str, int]:
        return {node: len(self._beside.get(node, ())) for node in ids}


def _graphs(folder: Path, count: int, queries: int) -> Iterator[list[str]]:
    nodes, edges = _graph(count)
    known = {node.id: node for node in nodes}
    rng = np.random.default_rng(4)
    passages = [node.id for node in nodes if node.kind == "passage"]
    seeds = [[passages[int(i)] for i in rng.integers(0, len(passages), 8)] for _ in range(queries)]
    baseline: Any = DictStore(known, edges)
    expected = [walk(baseline, each, SCOPE).visits for each in seeds]
    plain = _median(lambda each: walk(baseline, each, SCOPE), seeds)
    folder.mkdir()
    for name, opened in _stores(folder):
        with opened() as store:
            loaded = _seconds(lambda: store.rebuild(nodes, edges, f"benchmark {count}"))
            found = [walk(store, each, SCOPE).visits for each in seeds]
            differ = sum(a != b for a, b in zip(found, expected, strict=True))
            assert not differ, f"{differ} walks on {name} differ from those on the dictionary"
            taken = _median(lambda each: walk(store, each, SCOPE), seeds)
        ratio = f"{1000 * plain:.2f} ({taken / plain:.0f} times)"
        figures = [f"{loaded:.1f}", f"{len(edges) / loaded:,.0f}", f"{1000 * taken:.1f}", f"{1 / taken:,.1f}", ratio]
        yield [f"{len(edges):,}", name, *figures]


def _stores(folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    server = os.environ.get("FAITHFLOW_TEST_NEO4J")
    yield "ladybug", lambda: _closing(open_graph_store(folder / "graph.ladybug"))
    if server:
        parts = urlsplit(server)
        url = f"{parts.scheme}://{parts.hostname}:{parts.port}"
        yield "neo4j", lambda: _closing(open_graph_store(url, parts.username, parts.password, graph="benchmark"))


@contextmanager
def _closing(store: GraphStore) -> Iterator[GraphStore]:
    try:
        yield store
    finally:
        store.close()


def _graph(count: int) -> tuple[list[Node], list[Edge]]:
    """A fifth of the edges are links between passages, the others mentions; five edges a node on average."""
    rng = np.random.default_rng(3)
    half = max(10, count // 10)
    nodes = [Node(f"p_{i:07d}", "passage", f"R-{i}", access="public") for i in range(half)]
    nodes += [Node(f"e_{i:07d}", "entity", f"Entity {i}") for i in range(half)]
    links = rng.integers(0, half, (count // 5, 2)).tolist()
    pairs = [(f"p_{a:07d}", "traces_to", f"p_{b:07d}", "") for a, b in links if a != b]
    named = np.minimum(rng.zipf(1.2, count) - 1, half - 1)
    wide = rng.integers(0, half, count)
    chosen = np.where(rng.random(count) < 0.2, named, wide)
    sources = rng.integers(0, half, count)
    pairs += [(f"p_{a:07d}", MENTIONS, f"e_{b:07d}", f"p_{a:07d}") for a, b in zip(sources, chosen, strict=True)]
    distinct = list(dict.fromkeys(pairs))[:count]
    return nodes, [Edge(a, relation, b, "public", passage_id=p) for a, relation, b, p in distinct]


# ---- what both share


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _median(work: Callable[[Any], object], asked: Sequence[Any]) -> float:
    work(asked[0])
    return statistics.median(_seconds(partial(work, each)) for each in asked)


def _row(count: int, what: str, seconds: float, baseline: str, other: float) -> list[str]:
    figures = [f"{1000 * seconds:.3g}", f"{1 / seconds:,.1f}", baseline, f"{1000 * other:.3g}"]
    return [f"{count:,}", what, *figures, f"{seconds / other:.1f}"]


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"## {title}\n")
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")
    print(flush=True)


if __name__ == "__main__":
    main()
