"""Asking one judge about the claims of one answer: ask, repair, re-ask what is missing, and join the windows."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithflow.errors import LateRunError
from faithflow.identity import Json
from faithflow.judging.prompt import (
    PROMPT_VERSION,
    AskedClaim,
    Exhibit,
    messages_for,
    repair_messages,
    reply_schema,
)
from faithflow.judging.reply import Decision, Reading, read_reply
from faithflow.judging.verdict import Label, Reason
from faithflow.judging.windows import TOKENS_PER_VERDICT, TooLongError, Window, plan_windows
from faithflow.llm.caller import Answered, Caller
from faithflow.llm.model import Call, CallError, Message, Request

# How often what is missing is asked again in one run.
MAX_REASKS = 2

_PROBLEMS = {
    Reason.PARSE: "it holds no JSON object",
    Reason.SCHEMA: 'its JSON object has no list "verdicts"',
    Reason.TRUNCATED: "it was cut off before the first verdict",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a judge found on one claim: its decision, or why there is none; and the call that says so."""

    decision: Decision | None
    reason: Reason | None
    call: Call | None


@dataclass(frozen=True, slots=True)
class Asker:
    """One judge in one repeat: everything that its asks about any answer share."""

    caller: Caller
    provider: str
    endpoint: str
    model: str
    params: Mapping[str, Json]
    context_window: int | None
    repeat: int
    twin: int

    async def ask(
        self, trace_id: str, question: str, evidence: Sequence[Exhibit], claims: Sequence[AskedClaim]
    ) -> dict[str, Finding]:
        """A finding for each claim id, over all windows of the evidence. Never raises for a failing judge."""
        reply_tokens = self.params.get("max_tokens", self.params.get("max_completion_tokens"))
        limit = reply_tokens if isinstance(reply_tokens, int) else None
        try:
            windows = plan_windows(question, evidence, claims, self.context_window, limit)
        except TooLongError:
            return {claim.local_id: Finding(None, Reason.TOO_LONG, None) for claim in claims}
        found = await asyncio.gather(*(self._ask_window(trace_id, question, window) for window in windows))
        by_claim = {c.local_id: [part[c.local_id] for part in found if c.local_id in part] for c in claims}
        joined = {claim_id: _join(findings) for claim_id, findings in by_claim.items()}
        if len(windows) == 1:
            return joined
        return joined | await self._ask_jointly(trace_id, question, windows, claims, by_claim, joined)

    async def _ask_jointly(
        self,
        trace_id: str,
        question: str,
        windows: Sequence[Window],
        claims: Sequence[AskedClaim],
        by_claim: Mapping[str, Sequence[Finding]],
        joined: Mapping[str, Finding],
    ) -> dict[str, Finding]:
        """Ask once more, over what the windows cited, the claims that no single window supports.

        Support may need two passages that lay in different windows; each window names what bears on a part.
        """
        results: dict[str, Finding] = {}
        for claim in claims:
            finding = joined[claim.local_id]
            if finding.decision is None or finding.decision.label not in (
                Label.NOT_IN_EVIDENCE,
                Label.CONDITIONALLY_SUPPORTED,
            ):
                continue
            citing = [set(f.decision.evidence) for f in by_claim[claim.local_id] if f.decision and f.decision.evidence]
            cited = set[str]().union(*citing)
            if len(citing) < 2 or len(cited) < 2:
                continue
            exhibits = [e for window in windows for e in window.evidence if e.local_id in cited]
            try:
                plan = plan_windows(question, list(dict.fromkeys(exhibits)), [claim], self.context_window)
            except TooLongError:
                continue
            if len(plan) == 1:
                results |= await self._ask_window(trace_id, question, plan[0])
        return {claim_id: finding for claim_id, finding in results.items() if finding.decision is not None}

    async def _ask_window(self, trace_id: str, question: str, window: Window) -> dict[str, Finding]:
        """Ask about one window until each claim has a decision or the cap is reached.

        Replies from the ledger are read again for nothing and do not count towards the cap: a rerun takes up where
        the last one stopped, and asks only about what is still missing.
        """
        found: dict[str, Finding] = {}
        unread: dict[str, Finding] = {}
        pending = list(window.claims)
        ask, fresh_reasks = 0, 0
        while True:
            try:
                answered, reading = await self._ask_once(trace_id, question, window, pending, ask)
            except CallError as error:
                return found | {c.local_id: Finding(None, Reason(error.reason), None) for c in pending}
            except LateRunError:
                # a past date that was judged and left these claims without a verdict: so it stays
                if not unread:
                    raise
                return found | {c.local_id: unread[c.local_id] for c in pending}
            for claim_id, decision in reading.decisions.items():
                found[claim_id] = Finding(decision, decision.reason, answered.call)
            unread = {claim_id: Finding(None, reason, answered.call) for claim_id, reason in reading.missing.items()}
            pending = [claim for claim in pending if claim.local_id in unread]
            if not pending:
                return found
            if not answered.replayed:
                if reading.problem is not None or fresh_reasks == MAX_REASKS:
                    return found | unread
                fresh_reasks += 1
            ask += 1

    async def _ask_once(
        self, trace_id: str, question: str, window: Window, pending: Sequence[AskedClaim], ask: int
    ) -> tuple[Answered, Reading]:
        """One ask, and one follow-up if its reply cannot be read; the problem stands if that is no better."""
        exhibits = frozenset(exhibit.local_id for exhibit in window.evidence)
        messages = messages_for(question, window.evidence, pending)
        shown = [messages[0].content, question, *(e.text for e in window.evidence), *(c.text for c in pending)]
        answered = await self._call(trace_id, messages, window, pending, ask)
        reply = answered.call.reply or ""
        reading = read_reply(reply, answered.call.finish_reason, pending, exhibits, shown)
        problem = _PROBLEMS.get(reading.problem) if reading.problem else None
        if problem is None:
            return answered, reading
        follow_up = repair_messages(messages, reply, problem, pending)
        try:
            repaired = await self._call(trace_id, follow_up, window, pending, ask)
        except LateRunError:
            return answered, reading
        reply = repaired.call.reply or ""
        return repaired, read_reply(reply, repaired.call.finish_reason, pending, exhibits, shown)

    async def _call(
        self,
        trace_id: str,
        messages: tuple[Message, ...],
        window: Window,
        pending: Sequence[AskedClaim],
        ask: int,
    ) -> Answered:
        request = Request(
            provider=self.provider,
            endpoint=self.endpoint,
            model=self.model,
            params=self.params,
            messages=messages,
            schema=reply_schema(pending, window.evidence),
            prompt_version=PROMPT_VERSION,
            repeat=self.repeat,
            judging_date=self.caller.judging_date,
            ask=ask,
            twin=self.twin,
        )
        return await self.caller.call(request, "judge", trace_id, TOKENS_PER_VERDICT * len(pending))


def _join(findings: Sequence[Finding]) -> Finding:
    """One finding out of several windows: support anywhere counts; anything else only if every window was read."""
    for strong in (Label.SUPPORTED, Label.UNJUSTIFIED_ABSTENTION):
        for finding in findings:
            if finding.decision and finding.decision.label is strong:
                return finding
    for finding in findings:
        if finding.decision is None or finding.decision.label is None:
            return finding
    for weak in (Label.CONTRADICTED, Label.CONDITIONALLY_SUPPORTED):
        for finding in findings:
            if finding.decision and finding.decision.label is weak:
                return finding
    return findings[0]
