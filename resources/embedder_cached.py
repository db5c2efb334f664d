"""Embedding by way of the cache: what is known is looked up, what is not is computed in batches and kept at once."""

import hashlib
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from faithflow.text.unicode import without_surrogates

if TYPE_CHECKING:
    import numpy as np

    from faithflow.judging.baseline.embedding import EmbeddingCache

_E5 = re.compile(r"(?:^|[/_-])e5[_-](?!mistral)(?!.*instruct)", re.IGNORECASE)


def default_prefixes(model: str) -> tuple[str, str]:
    """What the model wants before a query and before a passage.

    "query: " and "passage: " for the E5 models (Wang et al. 2022, section 4.1), those with instructions apart; else
    nothing.
    """
    return ("query: ", "passage: ") if _E5.search(model) else ("", "")


def embed_cached(
    texts: Sequence[str],
    *,
    prefix: str,
    model: str,
    cache: "EmbeddingCache | None",
    compute: "Callable[[list[str]], np.ndarray[Any, Any]]",
    at_once: int,
    workers: int = 1,
) -> "np.ndarray[Any, Any]":
    """The texts' vectors in order, float32, (len(texts), dimensions); (0, 0) for no texts.

    The cache's key is `model` and the hash of prefix and text; `compute` gets texts without the prefix, at most
    `at_once`, in `workers` threads. Each batch is kept when it is there, so that a run that was stopped goes on.
    Raises ValueError where vectors, kept and fresh, differ in their dimensions, and what `compute` raises.
    """
    import numpy as np

    clean = [without_surrogates(text).replace("\x00", " ") for text in texts]
    keys = [hashlib.sha256(f"{prefix}{text}".encode()).hexdigest() for text in clean]
    wanted = dict(zip(keys, clean, strict=True))
    vectors = cache.get_many(model, list(wanted)) if cache else {}
    missing = [key for key in wanted if key not in vectors]

    def batch(part: list[str]) -> dict[str, bytes]:
        rows = compute([wanted[key] for key in part])
        fresh = {key: row.astype("<f4").tobytes() for key, row in zip(part, rows, strict=True)}
        if cache:
            cache.put_many(model, fresh)
        return fresh

    with ThreadPoolExecutor(workers) as pool:
        starts = range(0, len(missing), at_once)
        batches = [pool.submit(batch, missing[start : start + at_once]) for start in starts]
        try:
            for each in batches:
                vectors |= each.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    sizes = sorted({len(vector) // 4 for vector in vectors.values()})
    if len(sizes) > 1:
        raise ValueError(f"the model {model} gave vectors of {sizes[0]} and of {sizes[-1]} dimensions")
    rows = [np.frombuffer(vectors[key], dtype="<f4") for key in keys]
    return np.stack(rows) if rows else np.empty((0, 0), dtype="<f4")
