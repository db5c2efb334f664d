"""The ways to the models that a study names: one budget a run, one rate limit an account, one client an address."""

import datetime as dt
import os
from collections.abc import Callable
from dataclasses import dataclass, field

from faithflow.errors import UserError
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller, Rate
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.llm.model import Ledger, Provider
from faithflow.study.endpoint import Endpoint
from faithflow.study.model import Study
from faithflow.study.systems import EXTRACTIVE
from resources.openai_endpoint import OPENAI, OpenAIEndpoint

# Where the baselines run: they have no address, and a judge's key must say that it is none of an endpoint's.
IN_PROCESS = "in-process"

Connect = Callable[[Endpoint, str, str], Provider]
"""From an endpoint's configuration, its name in the study and the ledger's URL to the way to its model."""


class Connections:
    """The real ways to the models. What shares an address and a key shares one client and its open connections."""

    def __init__(self) -> None:
        self._endpoints: dict[tuple[str, str | None], OpenAIEndpoint] = {}

    def __call__(self, config: Endpoint, name: str, ledger_url: str) -> Provider:
        """The way to one model. Raises UserError where the variable with its key is not set, or holds no key."""
        if config.provider == "baseline":
            from resources.baselines import open_baseline

            return open_baseline(config.model or name, config.params, ledger_url)
        key = None if config.api_key_env is None else key_from(config.api_key_env, name)
        base_url = config.base_url or OPENAI
        return self._endpoints.setdefault((base_url, key), OpenAIEndpoint(base_url, key))


def key_from(variable: str, name: str) -> str:
    """The key in an environment variable. Raises UserError, naming what needs it, where it is not set or is no key."""
    key = os.environ.get(variable, "").strip()
    says = f"{name!r} takes its key from the environment variable {variable}:"
    if not key:
        raise UserError(f"{says} it is not set")
    if not (key.isascii() and key.isprintable()):
        raise UserError(f"{says} it holds characters that no key has, such as a line end in the middle")
    return key


@dataclass(frozen=True, slots=True)
class Way:
    """An open way to one model, and how the ledger names it."""

    caller: Caller
    endpoint: str
    model: str


@dataclass(slots=True)
class Callers:
    """Opens the ways that one run needs, on a ledger that stays the caller's. It belongs to one event loop."""

    study: Study
    ledger: Ledger
    ledger_url: str
    judging_date: dt.date
    connect: Connect = field(default_factory=Connections)
    spending: Spending = field(init=False)
    _limiters: dict[tuple[str, str | None], AdaptiveLimiter] = field(
        default_factory=dict[tuple[str, str | None], AdaptiveLimiter]
    )
    _open: list[Caller] = field(default_factory=list[Caller])

    def __post_init__(self) -> None:
        self.spending = Spending(self.study.budget.cost, self.study.budget.tokens)

    def open(self, config: Endpoint, name: str, model: str, *, fresh_calls: bool = True) -> Way:
        """The way to the model of this configuration. Raises UserError where its key is not set."""
        provider = self.connect(config, name, self.ledger_url)
        endpoint, model = address_of(config, model)
        # one account, one limit: what shares an endpoint and a key shares its rate limit; a baseline shares nothing
        account = (endpoint if endpoint != IN_PROCESS else name, config.api_key_env)
        caller = Caller(
            name=name,
            provider=provider,
            ledger=self.ledger,
            limiter=self._limiters.setdefault(account, AdaptiveLimiter(_concurrency(config))),
            spending=self.spending,
            rate=rate_of(config),
            timeout_s=config.timeout_s,
            max_attempts=config.max_attempts,
            judging_date=self.judging_date,
            fresh_calls=fresh_calls,
        )
        self._open.append(caller)
        return Way(caller, endpoint, model)

    async def close(self) -> None:
        """End the calls that nobody waits for any more, and let go of the models."""
        for caller in self._open:
            await caller.cancel()
        for caller in self._open:
            await caller.provider.close()


def address_of(config: Endpoint, model: str) -> tuple[str, str]:
    """The endpoint as the ledger names it, and the model's name; a baseline's holds the version of its weights."""
    if config.provider != "baseline":
        return config.base_url or OPENAI, model
    if model == EXTRACTIVE:
        from faithflow.pipelines.extractive.provider import MODEL

        return IN_PROCESS, MODEL
    from faithflow.judging.baseline.provider import model_name

    return IN_PROCESS, model_name(model)


def rate_of(config: Endpoint) -> Rate | None:
    """What a model's tokens cost; None where the study gives no price. A baseline costs nothing."""
    if config.provider == "baseline":
        return Rate(0.0, 0.0)
    return Rate(config.price.input, config.price.output) if config.price else None


def _concurrency(config: Endpoint) -> int:
    # a baseline is bound by the processor: more than two at once only wait for one another
    return min(2, config.max_concurrency) if config.provider == "baseline" else config.max_concurrency
