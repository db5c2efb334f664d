"""Small real tools for pipelines: stores, an embedder and a reranker in memory, and a web of some pages."""

import json
import math
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faithflow.corpus.scope import Scope
from faithflow.graph.model import Edge, Fact, Neighbour, Node
from faithflow.llm.model import Reply, Request
from faithflow.retrieval.model import Hit, IndexedPassage, WebError, WebPage, WebResult
from faithflow.text.tokens import tokenize

_DIMENSIONS = 256


def words(text: str) -> list[str]:
    """The content words of an English text, as stems."""
    return [token.key for token in tokenize(text, "en") if not token.function]


class WordEmbedder:
    """A bag of words, each hashed to a place of the vector."""

    name = "words"
    version = "words-1"

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        vectors = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text):
                vectors[row, zlib.crc32(word.encode()) % _DIMENSIONS] += 1.0
            norm = float(np.linalg.norm(vectors[row]))
            vectors[row] /= norm or 1.0
        return vectors

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        return self.passages(texts)


class MemoryVectors:
    """A `VectorStore` in memory: cosine by brute force, BM25 (k1 1.2, b 0.75) by counting."""

    def __init__(self) -> None:
        self._passages: list[IndexedPassage] = []
        self._vectors: np.ndarray[Any, Any] = np.zeros((0, _DIMENSIONS), dtype=np.float32)
        self._fingerprint: str | None = None
        self.threads: set[str] = set()

    def rebuild(self, passages: Iterable[IndexedPassage], vectors: "np.ndarray[Any, Any]", fingerprint: str) -> int:
        self._passages, self._vectors, self._fingerprint = list(passages), vectors, fingerprint
        return len(self._passages)

    def fingerprint(self) -> str | None:
        return self._fingerprint

    def dense(self, vector: "np.ndarray[Any, Any]", k: int, scope: Scope) -> list[Hit]:
        self.threads.add(threading.current_thread().name)
        scores = self._vectors @ vector
        return _best([Hit(p, float(s)) for p, s in zip(self._passages, scores, strict=True) if _allows(scope, p)], k)

    def sparse(self, query: str, k: int, scope: Scope) -> list[Hit]:
        texts = [words(p.indexed_text) for p in self._passages]
        mean = sum(map(len, texts)) / max(1, len(texts))
        hits: list[Hit] = []
        for passage, text in zip(self._passages, texts, strict=True):
            score = 0.0
            for word in set(words(query)):
                n, tf = sum(word in each for each in texts), text.count(word)
                rarity = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
                score += rarity * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(text) / mean))
            if score and _allows(scope, passage):
                hits.append(Hit(passage, score))
        return _best(hits, k)

    def passages(self, passage_ids: Sequence[str], scope: Scope) -> Mapping[str, IndexedPassage]:
        wanted = set(passage_ids)
        return {p.passage_id: p for p in self._passages if p.passage_id in wanted and _allows(scope, p)}

    def count(self) -> int:
        return len(self._passages)

    def close(self) -> None:
        self._passages = []


def _best(hits: Sequence[Hit], k: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.passage_id))[:k]


def _allows(scope: Scope, passage: IndexedPassage) -> bool:
    return scope.allows(passage.access, passage.valid_from, passage.valid_to)


class MemoryGraph:
    """A `GraphStore` in memory."""

    name = "memory"

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._edges: list[Edge] = []
        self._fingerprint: str | None = None

    def rebuild(self, nodes: Iterable[Node], edges: Iterable[Edge], fingerprint: str) -> Mapping[str, int]:
        self._nodes, self._edges, self._fingerprint = {node.id: node for node in nodes}, list(edges), fingerprint
        return self.counts()

    def fingerprint(self) -> str | None:
        return self._fingerprint

    def neighbours(
        self, frontier: Sequence[str], scope: Scope, relations: Sequence[str] | None = None, limit: int = 10_000
    ) -> list[Neighbour]:
        starts, found = set(frontier), list[Neighbour]()
        for edge in self._within(scope):
            if relations is not None and edge.relation not in relations:
                continue
            for start, end in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
                node = self._nodes[end]
                is_open = node.kind == "entity" or scope.allows(node.access, node.valid_from, node.valid_to)
                if start in starts and is_open:
                    found.append(Neighbour(start, edge, node))
        key = lambda n: (n.start, n.edge.relation, n.edge.source_id, n.edge.target_id)  # noqa: E731
        return sorted(found, key=key)[:limit]

    def facts(self, terms: Sequence[str], scope: Scope, limit: int = 1_000) -> list[Fact]:
        found: list[Fact] = []
        for edge in self._within(scope):
            source, target = self._nodes[edge.source_id], self._nodes[edge.target_id]
            texts = [source.name.lower(), target.name.lower(), edge.relation.lower()]
            matched = tuple(term for term in terms if any(term in text for text in texts))
            if matched and source.kind == target.kind == "entity":
                found.append(Fact(edge, source.name, target.name, matched))
        return sorted(found, key=lambda f: (-len(f.matched), f.source, f.edge.relation, f.target))[:limit]

    def degrees(self, ids: Sequence[str], scope: Scope) -> Mapping[str, int]:
        ends = [end for edge in self._within(scope) for end in (edge.source_id, edge.target_id)]
        return {each: ends.count(each) for each in ids}

    def counts(self) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for name in [node.kind for node in self._nodes.values()] + [edge.relation for edge in self._edges]:
            counts[name] = counts.get(name, 0) + 1
        return counts

    def close(self) -> None:
        self._nodes, self._edges = {}, []

    def _within(self, scope: Scope) -> list[Edge]:
        return [edge for edge in self._edges if scope.allows(edge.access, edge.valid_from, edge.valid_to)]


@dataclass
class MemoryWeb:
    """Some pages, found by the words that they share with a query. A page without a text cannot be had."""

    pages: Sequence[WebPage]
    name: str = "memory"
    is_down: bool = False
    queries: list[str] = field(default_factory=list[str])

    async def search(self, query: str, k: int) -> list[WebResult]:
        self.queries.append(query)
        if self.is_down:
            raise WebError("the search engine answered 503")
        asked = set(words(query))
        ranked = sorted(self.pages, key=lambda p: (-len(asked & set(words(f"{p.title} {p.text}"))), p.url))
        return [WebResult(page.url, page.title, page.text[:80]) for page in ranked[:k]]

    async def fetch(self, url: str) -> WebPage:
        page = next(page for page in self.pages if page.url == url)
        if not page.text:
            raise WebError(f"{url} answered 404")
        return page

    async def close(self) -> None:
        return


class OverlapReranker:
    """Scores by the share of the query's words that a text holds."""

    name = "overlap"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        asked = set(words(query))
        return [len(asked & set(words(text))) / max(1, len(asked)) for text in texts]


@dataclass
class ScriptedModel:
    """A `Provider` whose replies a function makes of the request's JSON object; what it was asked is kept."""

    reply: Callable[[Mapping[str, Any]], str | Reply]
    requests: list[Request] = field(default_factory=list[Request])

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        self.requests.append(request)
        given = self.reply(material_of(request))
        return given if isinstance(given, Reply) else Reply(given, "stop", "scripted", 10, 5)

    async def close(self) -> None:
        return

    @property
    def tasks(self) -> list[str]:
        return [material_of(request)["task"] for request in self.requests]


def material_of(request: Request) -> dict[str, Any]:
    """The JSON object in the last line of a request."""
    return json.loads(request.messages[-1].content.rsplit("\n", 1)[-1])
