"""The rerankers that a study may name."""

import importlib
import threading
from collections.abc import Sequence
from typing import Any

from faithflow.errors import UserError
from faithflow.retrieval.lexical_rerank import LexicalReranker
from faithflow.retrieval.model import Reranker
from resources.sentence_transformers_model import load

SIMLM = "intfloat/simlm-msmarco-reranker"
"""The cross-encoder of Wang et al. 2023, "SimLM: Pre-training with Representation Bottleneck for Dense Passage
Retrieval", trained on MS MARCO."""


class CrossEncoderReranker:
    """A cross-encoder by sentence-transformers (the extra `local`), loaded on first use. Safe for many threads."""

    def __init__(self, model: str = SIMLM) -> None:
        self.name = model
        self._lock = threading.Lock()
        self._engine: Any = None

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The model's logit for each text. Raises UserError where the extra or the model is not there, or where the
        model gives more than one number, or one that is not finite."""
        import numpy as np

        if not texts:
            return []
        with self._lock:
            self._engine = self._engine or load("CrossEncoder", self.name)
            pairs = [(query, text) for text in texts]
            # a sigmoid would make equal what is far out
            identity = importlib.import_module("torch").nn.Identity()
            logits = np.asarray(self._engine.predict(pairs, activation_fn=identity, show_progress_bar=False))
        if logits.shape != (len(texts),) or not np.isfinite(logits).all():
            raise UserError(f"the model {self.name!r} is no reranker: it gives {logits.shape} for {len(texts)} texts")
        return [float(logit) for logit in logits]


def open_reranker(kind: str, *, model: str = SIMLM) -> Reranker | None:
    """The reranker of a kind: `lexical`, `cross_encoder` (with this model), or `none`.

    Raises UserError for any other word.
    """
    if kind == "lexical":
        return LexicalReranker()
    if kind == "cross_encoder":
        return CrossEncoderReranker(model)
    if kind == "none":
        return None
    raise UserError(f"there is no reranker {kind!r}: lexical, cross_encoder or none")
