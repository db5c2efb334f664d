"""The study: one YAML file, validated into frozen records. Only `judges` has no default."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

from faithflow.identity import digest

Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]

BASELINES = ("lexical", "semantic")


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Price(Record):
    """What a million tokens cost, in one currency for the whole study."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Endpoint(Record):
    """A model behind an endpoint, and how hard it may be called.

    `timeout_s` is the deadline of one attempt; `max_attempts` bounds the attempts of one call;
    `context_window` (tokens) makes long evidence go in windows; without it evidence is sent whole.
    """

    provider: Literal["openai", "vllm", "baseline"]
    model: str | None = None
    base_url: str | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    params: dict[str, JsonValue] = {}
    max_concurrency: int = Field(default=16, ge=1, le=1024)
    price: Price | None = None
    timeout_s: float = Field(default=120.0, gt=0)
    max_attempts: int = Field(default=5, ge=1, le=100)
    context_window: int | None = Field(default=None, ge=256)

    @field_validator("base_url")
    @classmethod
    def _no_secret_in_url(cls, url: str | None) -> str | None:
        if url is None:
            return None
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an http or https URL, such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password or parts.query:
            raise ValueError("must hold no user, password or query; give the key by api_key_env")
        return url.rstrip("/")

    @field_validator("params")
    @classmethod
    def _params_leave_the_protocol_alone(cls, params: dict[str, JsonValue]) -> dict[str, JsonValue]:
        for name in ("messages", "model", "response_format", "stream", "n"):
            if name in params:
                raise ValueError(f"{name!r} is set by faithflow; remove it")
        return params

    @model_validator(mode="after")
    def _endpoint_is_complete(self) -> "Endpoint":
        if self.provider == "baseline":
            for name in ("base_url", "api_key_env", "context_window", "price"):
                if getattr(self, name) is not None:
                    raise ValueError(f"a baseline runs in this process and takes no {name}")
        else:
            if not self.model:
                raise ValueError("names no model")
            if self.provider == "vllm" and not self.base_url:
                raise ValueError("provider vllm needs base_url, the address of the running server")
        return self


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


class Corpus(Record):
    """A traces file to judge: a path (relative to the study file), or `bundled` for the sample."""

    name: Slug
    traces: str


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
    """Where the ledger lies: `ledger_url_env` names the variable with a database URL. Default: SQLite in the home."""

    ledger_url_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None


class Study(Record):
    """A whole study."""

    name: Slug = "study"
    judges: tuple[Judge, ...] = Field(min_length=1)
    corpora: tuple[Corpus, ...] = (Corpus(name="sample", traces="bundled"),)
    claims: SentenceClaims | LlmClaims = Field(default=SentenceClaims(), discriminator="extractor")
    repeats: int = Field(default=1, ge=1, le=100)
    anchors: Anchors | None = None
    budget: Budget = Budget()
    stores: Stores = Stores()

    @model_validator(mode="after")
    def _names_and_budget_hold(self) -> "Study":
        for what, names in (("judges", [j.name for j in self.judges]), ("corpora", [c.name for c in self.corpora])):
            repeated = sorted({name for name in names if names.count(name) > 1})
            if repeated:
                raise ValueError(f"{what}: name {repeated[0]!r} is used twice")
        if self.budget.cost is not None:
            paid = [j for j in self.judges if j.provider != "baseline" and j.price is None]
            if paid:
                raise ValueError(f"budget.cost: judge {paid[0].name!r} has no price, so its cost cannot be counted")
            if isinstance(self.claims, LlmClaims) and self.claims.price is None:
                raise ValueError("budget.cost: claims has no price, so its cost cannot be counted")
        return self

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
