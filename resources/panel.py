"""A study's judges and claim extractor, opened on a ledger: what both the command line and the assets run."""

import datetime as dt
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from faithflow.claims.extractor import Extractor, LlmExtractor, SentenceExtractor
from faithflow.judging.run import Panelist
from faithflow.llm.asking import Model
from faithflow.llm.budget import Spending
from faithflow.llm.caller import Caller
from faithflow.llm.model import Ledger
from faithflow.study.model import Judge, LlmClaims, Study
from resources.callers import Callers, Connect, Connections, address_of


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
    callers = Callers(study, ledger, ledger_url, judging_date, connect or Connections())
    panel = Panel([], SentenceExtractor(), callers.spending)
    try:
        for judge in judges:
            way = callers.open(judge, judge.name, judge.model_key, fresh_calls=fresh_calls)
            panel.callers.append(way.caller)
            panel.judges.append(
                Panelist(
                    name=judge.name,
                    caller=way.caller,
                    provider=judge.provider,
                    endpoint=way.endpoint,
                    model=way.model,
                    params=judge.params,
                    context_window=judge.context_window,
                    judges_abstentions=judge.provider != "baseline",
                    twin=_twins_before(study, judge),
                )
            )
        if isinstance(study.claims, LlmClaims):
            claims = study.claims
            way = callers.open(claims, claims.name, claims.model or "")
            panel.callers.append(way.caller)
            panel.extractor = LlmExtractor(Model(way.caller, claims.provider, way.endpoint, way.model, claims.params))
        yield panel
    finally:
        await callers.close()


def _twins_before(study: Study, judge: Judge) -> int:
    """How many judges before it in the study, in this run or not, send what it sends."""
    before = study.judges[: [each.name for each in study.judges].index(judge.name)]
    return sum(
        each.provider == judge.provider
        and each.params == judge.params
        and address_of(each, each.model_key) == address_of(judge, judge.model_key)
        for each in before
    )
