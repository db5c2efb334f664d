"""What a run would ask: the same code as the run, over an endpoint that counts and a ledger that keeps nothing."""

import json
from collections.abc import Awaitable
from dataclasses import dataclass

from faithflow.claims.extraction import claims_of
from faithflow.claims.extractor import Extracted, Extractor
from faithflow.corpus.trace import Trace
from faithflow.judging.windows import TOKENS_PER_VERDICT
from faithflow.llm.caller import Rate
from faithflow.llm.model import Call, CallError, Ledger, Provider, Reply, Request
from faithflow.llm.tokens import estimate_prompt, estimate_tokens
from faithflow.study.endpoint import Endpoint
from resources.callers import rate_of


@dataclass(slots=True)
class Estimate:
    """What one judge (or the extractor) would be asked: upper estimates of tokens, in the study's prices the cost."""

    rate: Rate | None
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def cost(self) -> float | None:
        return self.rate.cost(self.prompt_tokens, self.completion_tokens) if self.rate else None

    def as_json(self) -> dict[str, float | None]:
        counts = {"calls": self.calls, "prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens}
        return {**counts, "cost": self.cost}


class CountingProvider:
    """Answers nothing and counts what it is asked; the same request twice is one call, as it is in a run."""

    def __init__(self, config: Endpoint) -> None:
        self.estimate = Estimate(rate_of(config))
        self._in_process = config.provider == "baseline"
        self._counted: set[str] = set()

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        key = request.key()
        if key not in self._counted:
            self._counted.add(key)
            self._count(request)
        raise CallError("budget", "a dry run calls nobody")

    async def close(self) -> None:
        return

    def _count(self, request: Request) -> None:
        self.estimate.calls += 1
        if not self._in_process:
            self.estimate.prompt_tokens += estimate_prompt(request.messages)
            self.estimate.completion_tokens += _reply_tokens(request)


class UntouchedLedger:
    """What the ledger holds is found, and nothing is added to it. None stands for a ledger that does not exist yet."""

    def __init__(self, ledger: Ledger | None) -> None:
        self._ledger = ledger

    async def answered(self, key: str) -> Call | None:
        return await self._ledger.answered(key) if self._ledger else None

    async def last_failure(self, key: str) -> Call | None:
        return await self._ledger.last_failure(key) if self._ledger else None

    async def keep(self, call: Call) -> Awaitable[None]:
        return self.record(call)

    async def record(self, call: Call) -> None:
        return

    async def close(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class CountedExtractor:
    """Claims that the ledger holds, else the answer's sentences in their place, so that judging can be counted."""

    extractor: Extractor

    async def extract(self, trace: Trace) -> Extracted:
        extracted = await self.extractor.extract(trace)
        return extracted if extracted.failure is None else Extracted(claims_of(trace))


class Counters:
    """One counting provider a name, in the place of the ways to the models."""

    def __init__(self) -> None:
        self.by_name: dict[str, CountingProvider] = {}

    def connect(self, config: Endpoint, name: str, ledger_url: str) -> Provider:
        self.by_name[name] = CountingProvider(config)
        return self.by_name[name]


def _reply_tokens(request: Request) -> int:
    """About what a reply takes: a verdict a claim, or twice the answer whose claims are extracted."""
    limit = request.params.get("max_tokens", request.params.get("max_completion_tokens"))
    asked = json.loads(request.messages[-1].content.splitlines()[-1])
    count = TOKENS_PER_VERDICT * len(asked["claims"]) if "claims" in asked else 2 * estimate_tokens(asked["answer"])
    return min(count, limit) if isinstance(limit, int) else count
