"""The records and protocols of retrieval. Stores, models and the web live in `resources`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from faithflow.corpus.scope import FIRST_DAY, LAST_DAY, Scope
from faithflow.identity import content_id

if TYPE_CHECKING:
    import numpy as np

Source = Literal["embedding", "graph", "web"]
"""The tool that brought a piece of evidence."""


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage as the indexes hold it, with what a generator is shown of its document."""

    passage_id: str
    document_id: str
    reference: str
    title: str
    date: str
    source_url: str
    text: str
    access: str
    valid_from: int = FIRST_DAY
    valid_to: int = LAST_DAY

    @property
    def indexed_text(self) -> str:
        """What embedders and BM25 see: the document's title, then the passage."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a retriever found; a higher score is better, and scores of two retrievers do not compare."""

    passage: IndexedPassage
    score: float


class Embedder(Protocol):
    """Texts to unit vectors. The same text has the same bits in every run and batch."""

    name: str
    """The embedder's name in the study: the partition key."""

    @property
    def version(self) -> str:
        """All that decides the vectors (model, its version, prefixes; for a fitted one the hash of what it was fitted
        on): a swap moves it."""
        ...

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """float32, (len(texts), dimensions), rows of length 1 (or 0 for a text with nothing to embed)."""
        ...

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]": ...


class VectorStore(Protocol):
    """One embedder's passages: dense search by cosine, sparse by BM25, both within a scope. Methods block; safe for
    many threads. Equal scores are ordered by passage_id."""

    def rebuild(self, passages: Iterable[IndexedPassage], vectors: "np.ndarray[Any, Any]", fingerprint: str) -> int:
        """Replace the whole index; the number of passages. A crash midway leaves the old one."""
        ...

    def fingerprint(self) -> str | None: ...

    def dense(self, vector: "np.ndarray[Any, Any]", k: int, scope: Scope) -> list[Hit]: ...

    def sparse(self, query: str, k: int, scope: Scope) -> list[Hit]: ...

    def passages(self, passage_ids: Sequence[str], scope: Scope) -> Mapping[str, IndexedPassage]:
        """The passages of these ids that the scope allows."""
        ...

    def count(self) -> int: ...

    def close(self) -> None: ...


class Reranker(Protocol):
    """Scores how well texts match a query; the caller orders by score, ties by the order before."""

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class WebResult:
    """One entry of a search engine's answer."""

    url: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class WebPage:
    """The main text of a page; `url` is the one after redirects, `date` is ISO or ""."""

    url: str
    title: str
    text: str
    date: str = ""

    def passage(self, text: str, position: int) -> IndexedPassage:
        """A piece of the page as evidence: its id is a hash of address and text."""
        document_id = content_id("d", [self.url, self.title, self.date, self.text])
        passage_id = content_id("p", [document_id, position, text])
        return IndexedPassage(passage_id, document_id, self.url, self.title, self.date, self.url, text, "public")


class WebError(Exception):
    """A search or a page that could not be had; the message says why."""


class Web(Protocol):
    """A search engine and a way to its pages. Raises WebError."""

    name: str

    async def search(self, query: str, k: int) -> list[WebResult]: ...

    async def fetch(self, url: str) -> WebPage: ...

    async def close(self) -> None: ...
