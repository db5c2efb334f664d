"""A study's judges and claim extractor, opened on a ledger: what both the command line and the assets run."""

import datetime as dt
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from faithflow.claims.extractor import Extractor, LlmExtractor, SentenceExtractor
from faithflow.errors import UserError
from faithflow.judging.run import Panelist
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller, Rate
from faithflow.llm.limiter import AdaptiveLimiter
from faithflow.llm.model import Ledger, Provider
from faithflow.study.model import Endpoint, Judge, LlmClaims, Study
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
        key = None
        if config.api_key_env is not None:
            key = os.environ.get(config.api_key_env, "").strip()
            variable = f"{name!r} takes its key from the environment variable {config.api_key_env}:"
            if not key:
                raise UserError(f"{variable} it is not set")
            if not (key.isascii() and key.isprintable()):
                raise UserError(f"{variable} it holds characters that no key has, such as a line end in the middle")
        base_url = config.base_url or OPENAI
        return self._endpoints.setdefault((base_url, key), OpenAIEndpoint(base_url, key))


@dataclass(slots=True)
class Panel:
    """The open judges, their extractor and what they spend. It belongs to one event loop."""

    judges: list[Panelist]
    extractor: Extractor
    spending: Spending
    callers: list[Caller] = field(default_factory=list[Caller])


@asynccontextmanager
async def open_panel(
    study: Study,
    judges: Sequence[Judge],
    ledger: Ledger,
    ledger_url: str,
    judging_date: dt.date,
    *,
    fresh_calls: bool,
    connect: Connect | None = None,
) -> AsyncGenerator[Panel]:
    """Open what a run needs and close it afterwards; the ledger stays open, it is the caller's.

    `connect` makes the way to each model: `Connections` by default; a dry run brings its own. Raises UserError where
    the environment variable with a key is not set.
    """
    connect = connect or Connections()
    spending = Spending(study.budget.cost, study.budget.tokens)
    panel = Panel([], SentenceExtractor(), spending)
    limiters: dict[tuple[str, str | None], AdaptiveLimiter] = {}
    try:
        for judge in judges:
            provider = connect(judge, judge.name, ledger_url)
            endpoint, model = _address(judge, judge.model_key)
            caller = _caller(judge, judge.name, provider, endpoint, ledger, limiters, spending, judging_date)
            caller.fresh_calls = fresh_calls
            panel.callers.append(caller)
            panel.judges.append(
                Panelist(
                    name=judge.name,
                    caller=caller,
                    provider=judge.provider,
                    endpoint=endpoint,
                    model=model,
                    params=judge.params,
                    context_window=judge.context_window,
                    judges_abstentions=judge.provider != "baseline",
                    twin=_twins_before(study, judge),
                )
            )
        if isinstance(study.claims, LlmClaims):
            claims = study.claims
            provider = connect(claims, claims.name, ledger_url)
            endpoint, model = _address(claims, claims.model or "")
            caller = _caller(claims, claims.name, provider, endpoint, ledger, limiters, spending, judging_date)
            panel.callers.append(caller)
            panel.extractor = LlmExtractor(caller, claims.provider, endpoint, model, claims.params)
        yield panel
    finally:
        for caller in panel.callers:
            await caller.cancel()
        for caller in panel.callers:
            await caller.provider.close()


def _caller(
    config: Endpoint,
    name: str,
    provider: Provider,
    endpoint: str,
    ledger: Ledger,
    limiters: dict[tuple[str, str | None], AdaptiveLimiter],
    spending: Spending,
    judging_date: dt.date,
) -> Caller:
    # One account, one limit: judges that share an endpoint and a key share its rate limit. A baseline shares nothing.
    account = (endpoint if endpoint != IN_PROCESS else name, config.api_key_env)
    limiter = limiters.setdefault(account, AdaptiveLimiter(_concurrency(config)))
    return Caller(
        name=name,
        provider=provider,
        ledger=ledger,
        limiter=limiter,
        spending=spending,
        rate=rate_of(config),
        timeout_s=config.timeout_s,
        max_attempts=config.max_attempts,
        judging_date=judging_date,
    )


def _concurrency(config: Endpoint) -> int:
    # a baseline is bound by the processor: more than two at once only wait for one another
    return min(2, config.max_concurrency) if config.provider == "baseline" else config.max_concurrency


def rate_of(config: Endpoint) -> Rate | None:
    """What a model's tokens cost; None where the study gives no price. A baseline costs nothing."""
    if config.provider == "baseline":
        return Rate(0.0, 0.0)
    return Rate(config.price.input, config.price.output) if config.price else None


def _twins_before(study: Study, judge: Judge) -> int:
    """How many judges before it in the study, in this run or not, send what it sends."""
    before = study.judges[: [each.name for each in study.judges].index(judge.name)]
    return sum(
        each.provider == judge.provider
        and each.params == judge.params
        and _address(each, each.model_key) == _address(judge, judge.model_key)
        for each in before
    )


def _address(config: Endpoint, model: str) -> tuple[str, str]:
    """The endpoint as the ledger names it, and the model's name; a baseline's holds the version of its weights."""
    if config.provider == "baseline":
        from faithflow.judging.baseline.provider import model_name

        return IN_PROCESS, model_name(model)
    return config.base_url or OPENAI, model
