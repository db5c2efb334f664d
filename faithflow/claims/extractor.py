"""The two ways to an answer's claims, behind one protocol: its sentences, or a model."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

from faithflow.claims.claim import Claim, ClaimKind, claim_id
from faithflow.claims.extraction import Extraction, claims_of
from faithflow.claims.llm import EXTRACTION_SCHEMA, PROMPT_VERSION, claims_from_reply, extraction_messages
from faithflow.corpus.trace import Trace
from faithflow.llm.asking import Model, Question, ask_until_read
from faithflow.llm.caller import EXTRACT

# What a model may write for one claim and its quote.
_TOKENS_PER_CLAIM = 90


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

    model: Model

    async def extract(self, trace: Trace) -> Extracted:
        if trace.claims is not None or not trace.answer.strip():
            return Extracted(claims_of(trace))
        question = Question(
            messages=extraction_messages(trace),
            schema=EXTRACTION_SCHEMA,
            prompt_version=PROMPT_VERSION,
            is_valid=_has_claims,
            wish='JSON object with a list "claims"',
            shown=(),
            purpose=EXTRACT,
            trace_id=trace.id,
            expected_tokens=_TOKENS_PER_CLAIM * (1 + len(trace.answer) // 80),
        )
        asked = await ask_until_read(self.model, question)
        if asked.found is None:
            known = asked.failed or asked.reason == "truncated"
            return _unextracted(trace, asked.reason if known and asked.reason else "parse")
        items = [cast("dict[str, Any]", item) for item in asked.found["claims"] if isinstance(item, dict)]
        return Extracted(claims_from_reply(trace.answer, items))


def _has_claims(value: dict[str, Any]) -> bool:
    return isinstance(value.get("claims"), list)


def _unextracted(trace: Trace, reason: str) -> Extracted:
    end = len(trace.answer)
    whole = Claim(claim_id(trace.answer, 0, end, trace.answer), trace.answer, 0, end, ClaimKind.UNEXTRACTED)
    return Extracted(Extraction((whole,), 0.0), reason)
