"""Judging the triples of one document by a model: labels by id, what is missing asked again, and the missed facts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.graph.model import Triple
from faithflow.graph.triple_gold import Fact, same_fact
from faithflow.graph.triple_prompt import (
    PROMPT_VERSION,
    AskedTriple,
    Opinion,
    is_reply,
    judge_messages,
    judge_schema,
    read_missed,
    read_opinions,
)
from faithflow.graph.triple_rows import Row, fact_of, missed_id, missed_unknown_row, scored_row, unscored_row
from faithflow.graph.triple_windows import (
    TOKENS_FOR_MISSED,
    TOKENS_PER_TRIPLE,
    TooLongError,
    batches,
    numbered,
    parts_of,
    room_for_text,
)
from faithflow.judging.verdict import Reason
from faithflow.llm.asking import Asked, Model, Question, ask_once
from faithflow.llm.model import Call

PURPOSE = "triple_judge"
"""What the ledger calls these calls."""

# How often what is missing is asked again in one run, as for claims.
_MAX_REASKS = 2


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A document with its title and text as a judge is shown it."""

    document_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Found:
    """One part of the text, judged: opinions and reasons by local id, the missed facts (None: not known, `reason`
    says why), and the calls that it took."""

    opinions: dict[str, Opinion]
    missing: dict[str, Reason]
    missed: list[Fact] | None
    reason: Reason | None
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class TripleJudge:
    """A model that judges triples. A failing model leaves rows without a label, never a wrong one."""

    model: Model

    @property
    def name(self) -> str:
        return self.model.caller.name

    async def judge(self, document: JudgedDocument, triples: Sequence[Triple]) -> list[Row]:
        """The rows of one document: one a triple, one a missed fact, and one without a triple where it is not known
        what was missed.

        A document that is longer than the judge's window is shown in parts: a triple is correct where a part bears it
        out, and hallucinated only if every part was read and none does. A missed fact that another batch's triple
        holds (`triple_gold`) is none. Latency and tokens are those of all calls of the document, in every row.
        """
        asked = numbered([fact_of(triple) for triple in triples])
        window = self.model.context_window
        try:
            runs = batches(asked, document.title, window)
        except TooLongError:
            reason = Reason.TOO_LONG
            rows = [unscored_row(document.document_id, t.triple_id, fact_of(t), reason, self.name) for t in triples]
            return [*rows, missed_unknown_row(document.document_id, reason, self.name)]
        shown = [
            (run, part) for run in runs for part in parts_of(document.text, room_for_text(document.title, run, window))
        ]
        found = await asyncio.gather(*(self._judge_part(document, part, run) for run, part in shown))
        rows = [
            self._row(document, triple, local.local_id, [part for part in found if _covers(part, local.local_id)])
            for triple, local in zip(triples, asked, strict=True)
        ]
        return _with_usage(
            [*rows, *self._missed_rows(document, asked, found)], [c for part in found for c in part.calls]
        )

    def _row(self, document: JudgedDocument, triple: Triple, local_id: str, parts: Sequence[_Found]) -> Row:
        opinions = [part.opinions[local_id] for part in parts if local_id in part.opinions]
        bearing = next((opinion for opinion in opinions if opinion.label == "correct"), None)
        reasons = [part.missing[local_id] for part in parts if local_id in part.missing]
        if bearing is None and reasons:
            return unscored_row(document.document_id, triple.triple_id, fact_of(triple), reasons[0], self.name)
        opinion = bearing or opinions[0]
        return scored_row(
            document.document_id, triple.triple_id, fact_of(triple), opinion.label, opinion.explanation, self.name
        )

    def _missed_rows(
        self, document: JudgedDocument, asked: Sequence[AskedTriple], found: Sequence[_Found]
    ) -> list[Row]:
        unknown = next((part.reason for part in found if part.missed is None and part.reason is not None), None)
        rows: list[Row] = []
        kept: list[Fact] = []
        for fact in (fact for part in found for fact in part.missed or ()):
            held = any(same_fact(fact, each.fact) for each in asked) or any(same_fact(fact, other) for other in kept)
            # within one ask the judge saw the triples and still says that this one is missing
            if (len(found) > 1 and held) or fact in kept or fact in [each.fact for each in asked]:
                continue
            kept.append(fact)
            identity = missed_id(document.document_id, fact)
            rows.append(scored_row(document.document_id, identity, fact, "missed", "", self.name))
        return rows if unknown is None else [*rows, missed_unknown_row(document.document_id, unknown, self.name)]

    async def _judge_part(self, document: JudgedDocument, text: str, asked: Sequence[AskedTriple]) -> _Found:
        """Ask about one part until every triple has a label or the cap is reached; only what is missing is asked
        again. Replies from the ledger are read again for nothing and do not count towards the cap."""
        opinions: dict[str, Opinion] = {}
        missing: dict[str, Reason] = {}
        missed: list[Fact] | None = None
        calls: list[Call] = []
        pending = list(asked)
        ask, fresh_reasks = 0, 0
        while True:
            reply = await ask_once(self.model, self._question(document, text, pending), ask)
            calls += reply.calls
            missing = dict.fromkeys((each.local_id for each in pending), _reason(reply))
            if reply.found is not None:
                read, missing = read_opinions(reply.found, pending)
                opinions |= read
                # a re-ask shows the pending triples alone: what it misses is no news
                missed = read_missed(reply.found) if missed is None and len(pending) == len(asked) else missed
                pending = [each for each in pending if each.local_id in missing]
            if reply.found is not None and not pending:
                break
            if not reply.replayed:
                if reply.found is None or fresh_reasks == _MAX_REASKS:
                    break
                fresh_reasks += 1
            ask += 1
        return _Found(opinions, missing, missed, None if missed is not None else _reason(reply), tuple(calls))

    def _question(self, document: JudgedDocument, text: str, asked: Sequence[AskedTriple]) -> Question:
        messages = judge_messages(document.title, text, asked)
        return Question(
            messages=messages,
            schema=judge_schema(asked),
            prompt_version=PROMPT_VERSION,
            is_valid=is_reply,
            wish='JSON object with the lists "results" and "missed_triples"',
            shown=(messages[0].content, document.title, text),
            purpose=PURPOSE,
            trace_id=document.document_id,
            expected_tokens=TOKENS_FOR_MISSED // 3 + TOKENS_PER_TRIPLE * len(asked),
        )


def _covers(part: _Found, local_id: str) -> bool:
    return local_id in part.opinions or local_id in part.missing


def _reason(reply: Asked) -> Reason:
    return Reason(reply.reason or Reason.MISSING_VERDICT.value)


def _with_usage(rows: list[Row], calls: Sequence[Call]) -> list[Row]:
    if not calls:
        return rows
    usage: Row = {
        "latency_s": sum(call.latency_s for call in calls),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "completion_tokens": sum(call.completion_tokens for call in calls),
    }
    return [row | usage for row in rows]
