"""Latent semantic analysis: an offline embedder that is fitted on the passages themselves."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faithflow.errors import StoreError, UserError
from faithflow.identity import digest
from faithflow.retrieval.lexical_terms import content_terms
from resources.files import locked, replacing

if TYPE_CHECKING:
    import numpy as np

DIMENSIONS = 384
_MOST_TERMS = 50_000
_VERSION = "1"


@dataclass(frozen=True, slots=True)
class _Model:
    """`components` is (terms, dimensions): the right singular vectors."""

    fitted_on: str
    vectorizer: Any
    components: "np.ndarray[Any, Any]"


class Lsa:
    """TF-IDF (1 + log tf, smoothed idf) and its truncated singular value decomposition (Deerwester et al. 1990), by
    scikit-learn: words that occur in the same passages come to lie close together.

    `fit` keeps the model in a file, so that queries are embedded without the passages. Deterministic: a fixed seed,
    one thread, signs by scikit-learn's rule. A text has the same vector in every batch. Safe for many threads.
    """

    def __init__(self, path: Path, name: str = "lsa", dimensions: int = DIMENSIONS) -> None:
        self.name = name
        self._path = path
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._model: _Model | None = None

    @property
    def version(self) -> str:
        """The kind of model, its dimensions, and the hash of what it was fitted on."""
        return f"lsa-{_VERSION}-{self._dimensions}-{self._fitted().fitted_on[:20]}"

    def fit(self, texts: Sequence[str]) -> None:
        """Fit the model to the passages' texts and keep it; nothing is done where it was fitted on the same ones."""
        fitted_on = digest([_VERSION, self._dimensions, sorted(texts)])
        with locked(self._path):
            if self._path.exists() and self._load().fitted_on == fitted_on:
                return
            terms, idf, components = _fit(sorted(texts), self._dimensions)
            with replacing(self._path) as temporary:
                _save(temporary, fitted_on, terms, idf, components)
        with self._lock:
            self._model = None

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """float32 (len(texts), dimensions), rows of length 1, or 0 for a text without a word of the model.

        The dimensions are fewer than asked for where the passages have fewer words. Raises UserError where the model
        is not fitted, StoreError where its file is broken.
        """
        import numpy as np

        model = self._fitted()
        if not texts or not len(model.components):
            return np.zeros((len(texts), model.components.shape[1]), dtype="<f4")
        rows = np.asarray(model.vectorizer.transform(texts) @ model.components)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).astype("<f4")

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """As `passages`: the model knows no difference."""
        return self.passages(texts)

    def _fitted(self) -> _Model:
        with self._lock:
            if self._model is None:
                if not self._path.exists():
                    raise UserError(f"{self._path}: the embedder {self.name!r} is not fitted; materialize `embeddings`")
                self._model = self._load()
            return self._model

    def _load(self) -> _Model:
        import numpy as np

        try:
            with np.load(self._path, allow_pickle=False) as kept:
                about = json.loads(bytes(kept["about"]))
                vectorizer = _vectorizer(vocabulary=about["terms"])
                if about["terms"]:
                    vectorizer.idf_ = kept["idf"]
                return _Model(about["fitted_on"], vectorizer, kept["components"])
        # a damaged archive raises errors of four kinds
        except Exception as error:
            raise StoreError(
                f"{self._path}: cannot be read ({error}); delete it and materialize `embeddings`"
            ) from error


def _vectorizer(**more: Any) -> Any:
    from sklearn.feature_extraction import text

    # its stubs know no function as an analyzer
    vectorizer: Any = text.TfidfVectorizer
    return vectorizer(analyzer=content_terms, sublinear_tf=True, **more)


def _fit(texts: Sequence[str], dimensions: int) -> "tuple[list[str], np.ndarray[Any, Any], np.ndarray[Any, Any]]":
    """The terms, their idf, and the (terms, dimensions) right singular vectors."""
    import numpy as np
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    if not any(content_terms(text) for text in texts):
        return [], np.empty(0), np.empty((0, 1), np.float32)
    vectorizer = _vectorizer(max_features=_MOST_TERMS)
    matrix = vectorizer.fit_transform(texts)
    # sums of more threads differ in their last bits from machine to machine
    with threadpool_limits(1):
        _, _, components = randomized_svd(matrix, min(dimensions, *matrix.shape), random_state=0)
    return list(vectorizer.get_feature_names_out()), vectorizer.idf_, np.ascontiguousarray(components.T, np.float32)


def _save(
    path: Path, fitted_on: str, terms: Sequence[str], idf: "np.ndarray[Any, Any]", components: "np.ndarray[Any, Any]"
) -> None:
    import numpy as np

    about = json.dumps({"fitted_on": fitted_on, "terms": list(terms)}).encode()
    with path.open("wb") as stream:
        np.savez(stream, about=np.frombuffer(about, np.uint8), idf=idf, components=components)
