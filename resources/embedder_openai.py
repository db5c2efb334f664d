"""Embeddings from OpenAI, or from any endpoint that speaks its protocol (vLLM and others)."""

import random
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from faithflow.errors import StoreError, UserError
from faithflow.identity import canonical_json
from faithflow.text.unicode import is_blank
from resources.embedder_cached import default_prefixes, embed_cached
from resources.retry_after import retry_after

if TYPE_CHECKING:
    import numpy as np
    from openai import APIStatusError, OpenAI

    from faithflow.judging.baseline.embedding import EmbeddingCache

# OpenAI takes 300,000 tokens a request and 8,192 a text: so many of the longest fit.
_AT_ONCE = 32
_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_BACKOFF_S = 0.5
_MAX_BACKOFF_S = 30.0
# An endpoint that asks to wait for longer than this is left for the next run, which takes up where this one stopped.
_LONGEST_WAIT_S = 300.0
# A text of which only the number of dimensions is wanted.
_PROBE = "dimensions"


class EmbeddingError(StoreError):
    """An endpoint gave no usable vectors: those that it gave are kept, the same command goes on once it does."""


class OpenAIEmbedder:
    """An `Embedder` over HTTP. Vectors are kept by endpoint, model, dimensions and text: none is paid for twice, and
    a text has the same bits ever after. A blank text is not sent; its vector is 0.

    `dimensions` is sent where it is given (the text-embedding-3 models shorten their vectors) and the vectors are held
    to it. Prefixes are those of `default_prefixes`.
    """

    def __init__(
        self,
        name: str,
        model: str,
        cache: "EmbeddingCache",
        *,
        base_url: str,
        api_key: str | None = None,
        dimensions: int | None = None,
        max_concurrency: int = 8,
        timeout_s: float = 60.0,
        max_attempts: int = 6,
    ) -> None:
        self.name = name
        self._model = model
        self._cache = cache
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._dimensions = dimensions
        self._query_prefix, self._passage_prefix = default_prefixes(model)
        self._max_concurrency = max_concurrency
        self._timeout_s = timeout_s
        self._max_attempts = max_attempts
        self._client: OpenAI | None = None

    @property
    def version(self) -> str:
        """Endpoint, model, dimensions and prefixes, as JSON."""
        return canonical_json(
            ["openai", self._base_url, self._model, self._dimensions, self._query_prefix, self._passage_prefix]
        )

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """Unit vectors, (len(texts), dimensions).

        Raises UserError where the endpoint refuses the key, the model or a text, EmbeddingError where it gives no
        usable reply in several attempts.
        """
        return self._embed(texts, self._passage_prefix)

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """As `passages`, for texts that ask."""
        return self._embed(texts, self._query_prefix)

    def close(self) -> None:
        """Close the connections; they open again if the embedder is used again."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _embed(self, texts: Sequence[str], prefix: str) -> "np.ndarray[Any, Any]":
        import numpy as np

        spoken = [place for place, text in enumerate(texts) if not is_blank(text)]
        rows = self._cached([texts[place] for place in spoken], prefix)
        if len(spoken) == len(texts):
            return rows
        width = rows.shape[1] or self._cached([_PROBE], prefix).shape[1]
        full = np.zeros((len(texts), width), dtype="<f4")
        full[spoken] = rows.reshape(len(spoken), width)
        return full

    def _cached(self, texts: Sequence[str], prefix: str) -> "np.ndarray[Any, Any]":
        self._connect()
        try:
            return embed_cached(
                texts,
                prefix=prefix,
                model=canonical_json(["openai", self._base_url, self._model, self._dimensions]),
                cache=self._cache,
                compute=lambda part: self._compute([prefix + text for text in part]),
                at_once=_AT_ONCE,
                workers=self._max_concurrency,
            )
        except ValueError as error:
            raise EmbeddingError(f"{self._where}: {error}") from error

    @property
    def _where(self) -> str:
        return f"embedder {self.name!r} ({self._base_url}, model {self._model!r})"

    def _connect(self) -> "OpenAI":
        if self._client is None:
            from openai import OpenAI

            # A server of one's own needs no key, and the SDK insists on one.
            self._client = OpenAI(api_key=self._api_key or "none", base_url=self._base_url, max_retries=0)
        return self._client

    def _compute(self, texts: list[str]) -> "np.ndarray[Any, Any]":
        from openai import APIConnectionError, APIError, APIStatusError

        body: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._dimensions is not None:
            body["dimensions"] = self._dimensions
        said = ""
        for attempt in range(self._max_attempts):
            wait: float | None = None
            try:
                raw = self._connect().post(
                    "/embeddings", cast_to=object, body=body, options={"timeout": self._timeout_s}
                )
                return _vectors(raw, len(texts), self._dimensions)
            except APIConnectionError as error:
                said = f"cannot be reached: {error.__cause__ or error}"
            except APIStatusError as error:
                said = f"HTTP {error.status_code}: {_message(error)}"
                wait = retry_after(error.response.headers)
                exhausted = error.status_code == 429 and "insufficient_quota" in str(error.body)
                if error.status_code not in _RETRYABLE or exhausted:
                    raise UserError(self._safe(f"{self._where}: {said}")) from error
                if wait is not None and wait > _LONGEST_WAIT_S:
                    raise EmbeddingError(self._safe(f"{self._where} asks to wait for {wait:g} s: {said}")) from error
            except (APIError, ValueError, OverflowError, RecursionError) as error:
                said = f"no usable reply: {error}"
            if attempt + 1 < self._max_attempts:
                backoff = min(_MAX_BACKOFF_S, _BACKOFF_S * 2**attempt) * random.uniform(0.5, 1.0)
                time.sleep(max(backoff, wait or 0.0))
        raise EmbeddingError(self._safe(f"{self._where}, after {self._max_attempts} attempts: {said}"))

    def _safe(self, text: str) -> str:
        return text.replace(self._api_key, "[key]") if self._api_key else text


def _message(error: "APIStatusError") -> str:
    body = cast("object", error.body)
    message = cast("Mapping[str, Any]", body).get("message") if isinstance(body, Mapping) else None
    return str(message or error.message)[:500]


def _vectors(raw: object, count: int, dimensions: int | None) -> "np.ndarray[Any, Any]":
    """A reply's vectors in the order of their `index`, of length 1. Raises ValueError where they are not all there, or
    are no such vectors."""
    import numpy as np

    data = cast("Mapping[str, Any]", raw).get("data") if isinstance(raw, Mapping) else None
    if not isinstance(data, list):
        raise ValueError("it holds no list of embeddings")
    entries = [cast("Mapping[str, Any]", each) for each in cast("list[object]", data) if isinstance(each, Mapping)]
    by_index = {each.get("index"): each.get("embedding") for each in entries}
    if len(entries) != count or by_index.keys() != set(range(count)):
        raise ValueError(f"{len(entries)} embeddings, with the indexes {sorted(map(str, by_index))[:8]}, for {count}")
    rows = [by_index[place] for place in range(count)]
    if not all(isinstance(row, list) and row and _are_numbers(cast("list[object]", row)) for row in rows):
        raise ValueError("an embedding is no list of numbers")
    sizes = {len(row) for row in cast("list[list[float]]", rows)}
    if len(sizes) > 1 or (dimensions is not None and sizes != {dimensions}):
        raise ValueError(f"embeddings of {sorted(sizes)} dimensions, not of {dimensions or 'one size'}")
    matrix = np.asarray(rows, dtype=np.float64)
    with np.errstate(over="ignore"):  # what overflows is refused below
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ValueError("an embedding is not finite, or has no length")
    return matrix / lengths


def _are_numbers(row: list[object]) -> bool:
    return all(type(each) in (float, int) for each in row)
