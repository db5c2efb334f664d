"""The study: one YAML file, validated into frozen records. Only `judges` has no default."""

from typing import Literal

from pydantic import Field, model_validator

from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.identity import digest
from faithflow.pipelines.model import PipelineKey
from faithflow.study.corpora import BUNDLED, Corpus
from faithflow.study.endpoint import Endpoint, EnvName, Record, Slug
from faithflow.study.systems import Ask, Chunks, Embedder, Generator, Reranker, Scope, Triples, WebSearch

BASELINES = ("lexical", "semantic")


class Judge(Endpoint):
    """One member of the panel."""

    name: Slug
    rubric: Literal["simple"] = "simple"

    @property
    def model_key(self) -> str:
        """The model's name; a baseline is named by its own."""
        return self.model or self.name

    @model_validator(mode="after")
    def _baseline_exists(self) -> "Judge":
        if self.provider == "baseline" and self.model_key not in BASELINES:
            raise ValueError(f"baseline {self.model_key!r} does not exist; there are {', '.join(BASELINES)}")
        return self


class SentenceClaims(Record):
    """Claims are the answer's sentences."""

    extractor: Literal["sentences"] = "sentences"


class LlmClaims(Endpoint):
    """Claims are extracted by a model, each anchored to its quote."""

    extractor: Literal["llm"]
    name: Slug = "claim-extractor"

    @model_validator(mode="after")
    def _is_a_model(self) -> "LlmClaims":
        if self.provider == "baseline":
            raise ValueError("a baseline cannot extract claims; use extractor: sentences")
        return self


class Budget(Record):
    """What one run may spend: money in the currency of the prices, and tokens. None: no limit."""

    cost: float | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)


class Anchors(Record):
    """The pinned part of a corpus that is judged anew each night: `per_cell` answers of each pipeline and stratum.

    The choice is by content hash under `seed`: it does not move while the answers stay.
    """

    per_cell: int = Field(ge=1)
    seed: int = 0


class Stores(Record):
    """Where ledger and graph lie. Default: SQLite and Ladybug, both in the home.

    `ledger_url_env` names the variable with a database URL; `neo4j_url_env` the one with the address of a Neo4j
    server (bolt://host:7687), `neo4j_user_env` and `neo4j_password_env` those with its credentials.
    """

    ledger_url_env: EnvName | None = None
    neo4j_url_env: EnvName | None = None
    neo4j_user_env: EnvName | None = None
    neo4j_password_env: EnvName | None = None

    @model_validator(mode="after")
    def _neo4j_is_complete(self) -> "Stores":
        if self.neo4j_url_env is None and (self.neo4j_user_env or self.neo4j_password_env):
            raise ValueError("neo4j credentials without neo4j_url_env, the variable with the server's address")
        if (self.neo4j_user_env is None) != (self.neo4j_password_env is None):
            raise ValueError("give both neo4j_user_env and neo4j_password_env, or none of them")
        return self


class Study(Record):
    """A whole study."""

    name: Slug = "study"
    judges: tuple[Judge, ...] = Field(min_length=1)
    corpora: tuple[Corpus, ...] = (Corpus(name="sample", traces=BUNDLED),)
    chunks: Chunks = Chunks()
    triples: Triples = Triples()
    embedders: tuple[Embedder, ...] = ()
    pipelines: tuple[PipelineKey, ...] = ()
    generator: Generator = Generator(provider="baseline")
    ask: Ask | None = None
    answer_repeats: int = Field(default=1, ge=1, le=100)
    reranker: Reranker = Reranker()
    web: WebSearch | None = None
    scope: Scope = Scope()
    claims: SentenceClaims | LlmClaims = Field(default=SentenceClaims(), discriminator="extractor")
    repeats: int = Field(default=1, ge=1, le=100)
    anchors: Anchors | None = None
    budget: Budget = Budget()
    stores: Stores = Stores()

    @model_validator(mode="after")
    def _names_and_budget_hold(self) -> "Study":
        named = {"judges": self.judges, "corpora": self.corpora, "embedders": self.embedders}
        for what, names in {what: [item.name for item in items] for what, items in named.items()}.items():
            repeated = sorted({name for name in names if names.count(name) > 1})
            if repeated:
                raise ValueError(f"{what}: name {repeated[0]!r} is used twice")
        if self.budget.cost is not None:
            paid = [j for j in self.judges if j.provider != "baseline" and j.price is None]
            if paid:
                raise ValueError(f"budget.cost: judge {paid[0].name!r} has no price, so its cost cannot be counted")
            if isinstance(self.claims, LlmClaims) and self.claims.price is None:
                raise ValueError("budget.cost: claims has no price, so its cost cannot be counted")
            triples = self.triples
            models = {"generator": self.generator, "triples.model": triples.model, "triples.judge": triples.judge}
            for key, model in models.items():
                if model is not None and model.provider != "baseline" and model.price is None:
                    raise ValueError(f"budget.cost: {key} has no price, so its cost cannot be counted")
        return self

    @model_validator(mode="after")
    def _systems_are_whole(self) -> "Study":
        if any(embedder.name == TRACES_EMBEDDER for embedder in self.embedders):
            raise ValueError(f"embedders: {TRACES_EMBEDDER!r} is taken by the answers brought along")
        if len(set(self.pipelines)) != len(self.pipelines):
            raise ValueError("pipelines: one is named twice")
        documents = any(corpus.has_documents for corpus in self.corpora)
        if self.pipelines and not self.embedders:
            raise ValueError("pipelines: there is no embedder for them; name one under embedders")
        if self.embedders and not self.pipelines:
            raise ValueError("embedders: there is no pipeline that uses them; name one under pipelines")
        if self.pipelines and not documents:
            raise ValueError("pipelines: there are no documents to answer from; add a corpus with documents")
        if self.web is None and (needing := {"web", "multi_tool"} & set(self.pipelines)):
            raise ValueError(f"pipelines: {sorted(needing)[0]} needs the key web, which says where to search")
        return self

    @property
    def partitions(self) -> tuple[str, ...]:
        """The keys of the embedder partitions: `traces` where answers are brought along, then each embedder."""
        brought = (TRACES_EMBEDDER,) if any(corpus.traces is not None for corpus in self.corpora) else ()
        return (*brought, *(embedder.name for embedder in self.embedders))

    @property
    def fingerprint(self) -> str:
        """The hash of all that the study says; it moves when a judge, a model or a parameter is swapped."""
        return digest(self.model_dump(mode="json"))

    def panel(self, names: tuple[str, ...]) -> tuple[Judge, ...]:
        """The judges of these names, in the study's order; all of them where `names` is empty. KeyError: unknown."""
        known = {judge.name for judge in self.judges}
        for name in names:
            if name not in known:
                raise KeyError(name)
        return tuple(judge for judge in self.judges if not names or judge.name in names)
