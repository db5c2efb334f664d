"""The two ways to an answer's claims, behind one protocol: its sentences, or a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from faithflow.claims.claim import Claim, ClaimKind, claim_id
from faithflow.claims.extraction import Extraction, claims_of
from faithflow.claims.llm import EXTRACTION_SCHEMA, PROMPT_VERSION, claims_from_reply, extraction_messages
from faithflow.corpus.trace import Trace
from faithflow.identity import Json
from faithflow.llm.caller import EXTRACT, Answered, Caller
from faithflow.llm.json_reader import read_object
from faithflow.llm.model import Call, CallError, Message, Request
from faithflow.text.unicode import without_surrogates

# What a model may write for one claim and its quote.
_TOKENS_PER_CLAIM = 90

# How often a reply that was cut off is asked for again in one run.
_MAX_REASKS = 2


@dataclass(frozen=True, slots=True)
class Extracted:
    """An answer's claims; `failure` is the unscored reason where the extractor brought none."""

    extraction: Extraction
    failure: str | None = None


class Extractor(Protocol):
    async def extract(self, trace: Trace) -> Extracted: ...


class SentenceExtractor:
    """The answer's sentences, or the claims that the user gave."""

    async def extract(self, trace: Trace) -> Extracted:
        return Extracted(claims_of(trace))


@dataclass(frozen=True, slots=True)
class LlmExtractor:
    """Atomic claims by a model, anchored to their quotes. The user's own claims are kept, and no call is made.

    The call's key holds no judging date: claims are frozen inputs, extracted once for all dates.
    """

    caller: Caller
    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]

    async def extract(self, trace: Trace) -> Extracted:
        if trace.claims is not None or not trace.answer.strip():
            return Extracted(claims_of(trace))
        messages = extraction_messages(trace)
        ask, fresh_reasks = 0, 0
        try:
            answered = await self._ask_once(trace, messages, ask)
            while (reply := _reply(answered.call)) is None:
                # what could not be read in an earlier run is asked anew; what was read is never asked again
                if not answered.replayed:
                    if answered.call.finish_reason != "length" or fresh_reasks == _MAX_REASKS:
                        break
                    fresh_reasks += 1
                ask += 1
                answered = await self._ask_once(trace, messages, ask)
        except CallError as error:
            return _unextracted(trace, error.reason)
        if reply is None:
            return _unextracted(trace, "truncated" if answered.call.finish_reason == "length" else "parse")
        items = [cast("dict[str, Any]", item) for item in reply["claims"] if isinstance(item, dict)]
        return Extracted(claims_from_reply(trace.answer, items))

    async def _ask_once(self, trace: Trace, messages: tuple[Message, ...], ask: int) -> Answered:
        """One ask, and one follow-up where its reply is whole and cannot be read."""
        answered = await self._call(trace, messages, ask)
        if _reply(answered.call) is None and answered.call.finish_reason != "length":
            return await self._call(trace, (*messages, *_repair(answered.call.reply or "")), ask)
        return answered

    async def _call(self, trace: Trace, messages: tuple[Message, ...], ask: int) -> Answered:
        request = Request(
            provider=self.provider,
            endpoint=self.endpoint,
            model=self.model,
            params=self.params,
            messages=messages,
            schema=EXTRACTION_SCHEMA,
            prompt_version=PROMPT_VERSION,
            repeat=0,
            judging_date=None,
            ask=ask,
        )
        expected = _TOKENS_PER_CLAIM * (1 + len(trace.answer) // 80)
        return await self.caller.call(request, EXTRACT, trace.id, expected)


def _reply(call: Call) -> dict[str, Any] | None:
    return read_object(call.reply or "", _has_claims)


def _has_claims(value: dict[str, Any]) -> bool:
    return isinstance(value.get("claims"), list)


def _repair(reply: str) -> tuple[Message, Message]:
    wish = 'Your reply could not be read: it holds no JSON object with a list "claims". Reply with that object alone.'
    return Message("assistant", without_surrogates(reply) or "(empty)"), Message("user", wish)


def _unextracted(trace: Trace, reason: str) -> Extracted:
    end = len(trace.answer)
    whole = Claim(claim_id(trace.answer, 0, end, trace.answer), trace.answer, 0, end, ClaimKind.UNEXTRACTED)
    return Extracted(Extraction((whole,), 0.0), reason)
