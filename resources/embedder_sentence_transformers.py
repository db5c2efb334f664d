"""Any sentence-transformers model, on this machine: the extra `local`."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from faithflow.identity import canonical_json
from resources.embedder_cached import default_prefixes, embed_cached
from resources.sentence_transformers_model import load

if TYPE_CHECKING:
    import numpy as np

    from faithflow.judging.baseline.embedding import EmbeddingCache

_AT_ONCE = 256


class SentenceTransformersEmbedder:
    """An `Embedder` by sentence-transformers, loaded on first use; `model` is a name on the Hugging Face hub, or a
    folder. Vectors are kept in the cache, so that a text has the same bits ever after.

    Prefixes are those of `default_prefixes`. Where they are empty, the prompts that the model brings for queries and
    documents are used.
    """

    def __init__(self, name: str, model: str, cache: "EmbeddingCache") -> None:
        self.name = name
        self._model = model
        self._cache = cache
        self._query_prefix, self._passage_prefix = default_prefixes(model)
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def version(self) -> str:
        """Model and prefixes, as JSON."""
        return canonical_json(["sentence-transformers", self._model, self._query_prefix, self._passage_prefix])

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """Unit vectors, (len(texts), dimensions). Raises UserError where the extra or the model is not there."""
        return self._embed(texts, "passage", self._passage_prefix)

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """As `passages`, for texts that ask."""
        return self._embed(texts, "query", self._query_prefix)

    def _embed(self, texts: Sequence[str], kind: str, prefix: str) -> "np.ndarray[Any, Any]":
        def compute(part: list[str]) -> "np.ndarray[Any, Any]":
            with self._lock:
                self._engine = self._engine or load("SentenceTransformer", self._model)
                # `encode` with an empty prompt would leave the model's own out
                encode = self._engine.encode_query if kind == "query" else self._engine.encode_document
                more = {"prompt": prefix} if prefix else {}
                return encode(part, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False, **more)

        return embed_cached(
            texts,
            prefix=f"{kind}/{prefix}",
            model=canonical_json(["sentence-transformers", self._model]),
            cache=self._cache,
            compute=compute,
            at_once=_AT_ONCE,
        )
