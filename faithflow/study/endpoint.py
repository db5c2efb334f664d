"""Models behind endpoints, as a study names them."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]

EnvName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


def plain_url(url: str) -> str:
    """The URL without a closing slash. Raises ValueError where it is none, or holds what may be a secret."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an http or https URL, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query:
        raise ValueError("must hold no user, password or query; give the key by api_key_env")
    return url.rstrip("/")


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
    api_key_env: EnvName | None = None
    params: dict[str, JsonValue] = {}
    max_concurrency: int = Field(default=16, ge=1, le=1024)
    price: Price | None = None
    timeout_s: float = Field(default=120.0, gt=0)
    max_attempts: int = Field(default=5, ge=1, le=100)
    context_window: int | None = Field(default=None, ge=256)

    @field_validator("base_url")
    @classmethod
    def _no_secret_in_url(cls, url: str | None) -> str | None:
        return None if url is None else plain_url(url)

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
