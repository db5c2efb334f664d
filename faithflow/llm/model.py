"""The records and protocols of a model call. Transports and the ledger's store live in `resources`."""

import datetime as dt
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Protocol

from faithflow.identity import Json, digest


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One model call, with all that decides its answer and nothing else.

    `params` are the parameters really sent. `repeat` numbers the repeated judgements of one study; `ask` numbers the
    times that the same words are asked within one repeat (a re-ask at unchanged parameters is a new sample).
    `judging_date` is None for calls that are no judgement and are made once for good (claims are frozen inputs).
    `twin` numbers the judges of one study that send the very same: each is a sample of its own, so that what they
    agree on is never one answer read twice.
    """

    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]
    messages: tuple[Message, ...]
    schema: Mapping[str, Json] | None
    prompt_version: str
    repeat: int
    judging_date: dt.date | None
    ask: int = 0
    twin: int = 0

    def key(self) -> str:
        """The ledger key: 64 hex digits."""
        return digest(
            {
                "provider": self.provider,
                "endpoint": self.endpoint,
                "model": self.model,
                "params": self.params,
                "messages": [[message.role, message.content] for message in self.messages],
                "schema": self.schema,
                "prompt_version": self.prompt_version,
                "repeat": self.repeat,
                "ask": self.ask,
                "twin": self.twin,
                "judging_date": self.judging_date.isoformat() if self.judging_date else None,
            }
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What an endpoint answered. `estimated` says that it gave no usage and the tokens were counted here."""

    text: str
    finish_reason: str | None
    served_model: str | None
    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt of one call, as the ledger keeps it: answered (`reason` None), or failed with a reason.

    `call_id` is unique to the attempt; `key` is shared by the attempts of one request. `sent_at` is UTC.
    `cost` is in the currency of the study's prices, None where no price is known.
    """

    call_id: str
    key: str
    purpose: str
    judge: str
    trace_id: str
    provider: str
    endpoint: str
    model: str
    served_model: str | None
    params: str
    prompt_version: str
    repeat: int
    ask: int
    judging_date: dt.date
    sent_at: dt.datetime
    latency_s: float
    status: str
    reason: str | None
    detail: str | None
    reply: str | None
    finish_reason: str | None
    prompt_tokens: int
    completion_tokens: int
    estimated: bool
    cost: float | None


class Provider(Protocol):
    """A way to a model. One a judge, reused for all its calls, safe for concurrent use."""

    async def complete(self, request: Request, timeout_s: float) -> Reply:
        """Answer one request, or raise CallError. Never retries: that is the caller's business."""
        ...

    async def close(self) -> None: ...


class Ledger(Protocol):
    """The insert-only store of call attempts."""

    async def answered(self, key: str) -> Call | None:
        """The first answered attempt under a key, if there is one."""
        ...

    async def last_failure(self, key: str) -> Call | None:
        """The newest failed attempt under a key, if there is one."""
        ...

    async def keep(self, call: Call) -> Awaitable[None]:
        """Store an attempt; it outlives this process when this returns, and the machine once the result is awaited."""
        ...

    async def record(self, call: Call) -> None:
        """Store an attempt; returns once it is durable."""
        ...

    async def close(self) -> None: ...


class CallError(Exception):
    """A call that brought no reply: `reason` is one of the unscored reasons, `retry_after` the endpoint's wish (s).

    `status` is the HTTP status, -1 where the endpoint could not be reached, 0 where neither says anything.
    """

    def __init__(
        self, reason: str, detail: str, *, retryable: bool = False, retry_after: float | None = None, status: int = 0
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.retryable = retryable
        self.retry_after = retry_after
        self.status = status
