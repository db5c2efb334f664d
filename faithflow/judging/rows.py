"""Verdict rows: what was found on a claim, as a row of the table `verdicts`."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.corpus.trace import Context, Trace
from faithflow.judging.ask import Finding
from faithflow.judging.injection import suspects_injection
from faithflow.judging.prompt import Exhibit
from faithflow.judging.rubric import SIMPLE
from faithflow.judging.verdict import Label, Reason, Status, Verdict

INJECTION_IN_CLAIM = "injection_in_claim"
INJECTION_IN_EVIDENCE = "injection_in_evidence"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who judges, for the how-manieth time, under which date."""

    judge: str
    repeat: int
    judging_date: dt.date


class Rows:
    """Makes the rows of one answer; its evidence is numbered e1, e2, … in the order in which it was given."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._contexts: dict[str, Context] = {f"e{n}": context for n, context in enumerate(trace.evidence, start=1)}
        self._steered = any(suspects_injection(context.text) for context in trace.evidence)

    @property
    def exhibits(self) -> Sequence[Exhibit]:
        """The evidence as a judge is shown it; empty where the answer has none."""
        return [Exhibit(local_id, context.source, context.text) for local_id, context in self._contexts.items()]

    def found(self, seat: Seat, claim: Claim, finding: Finding) -> Verdict:
        """The row of what a judge was asked about."""
        decision = finding.decision
        if decision is None:
            return self._row(seat, claim, Status.UNSCORED, finding.reason, None, finding)
        if decision.label is None:
            abstains = decision.reason is Reason.ABSTENTION
            status = Status.NOT_APPLICABLE if abstains else Status.UNSCORED
            return self._row(seat, claim, status, decision.reason, None, finding)
        return self._row(seat, claim, Status.SCORED, None, decision.label, finding)

    def not_applicable(self, seat: Seat, claim: Claim) -> Verdict:
        """The row of an abstention for a judge that cannot say whether it is justified."""
        return self._row(seat, claim, Status.NOT_APPLICABLE, Reason.ABSTENTION, None, None)

    def without_evidence(self, seat: Seat, claim: Claim) -> Verdict:
        """The row where there is no evidence: nothing can be in it, and to abstain is right. No call is made."""
        label = Label.JUSTIFIED_ABSTENTION if claim.kind is ClaimKind.ABSTENTION else Label.NOT_IN_EVIDENCE
        return self._row(seat, claim, Status.SCORED, Reason.EMPTY_EVIDENCE, label, None)

    def _row(
        self,
        seat: Seat,
        claim: Claim,
        status: Status,
        reason: Reason | None,
        label: Label | None,
        finding: Finding | None,
    ) -> Verdict:
        call = finding.call if finding else None
        decision = finding.decision if finding else None
        named = [self._contexts[local_id] for local_id in decision.evidence] if decision else []
        sources = sorted({context.source for context in named if context.source})
        return Verdict(
            trace_id=self.trace.id,
            claim_id=claim.claim_id,
            claim=claim.text,
            char_start=claim.char_start,
            char_end=claim.char_end,
            kind=claim.kind.value,
            judge=seat.judge,
            served_model=call.served_model if call else None,
            repeat=seat.repeat,
            judging_date=seat.judging_date,
            judged_at=call.sent_at if call else None,
            status=status.value,
            reason=reason.value if reason else None,
            verdict=label.value if label else None,
            score=SIMPLE[label] if label else None,
            confidence=decision.confidence if decision else None,
            attribution="+".join(sources) or None,
            justification=decision.justification if decision else None,
            evidence_ids=tuple(dict.fromkeys(context.id for context in named)),
            call_id=call.call_id if call else None,
            late=call is not None and call.sent_at.date() != seat.judging_date,
            flags=self._flags(claim),
        )

    def _flags(self, claim: Claim) -> tuple[str, ...]:
        flags = [INJECTION_IN_EVIDENCE] if self._steered else []
        return tuple([INJECTION_IN_CLAIM, *flags] if suspects_injection(claim.text) else flags)
