"""The rows of `triple_verdicts`, whoever judges: a model or gold."""

from collections.abc import Sequence
from typing import Any

from faithflow.graph.model import Triple
from faithflow.graph.triple_gold import GOLD, Fact, match_gold
from faithflow.identity import content_id
from faithflow.judging.verdict import Reason, Status

Row = dict[str, Any]

_RULE = "Both ends agree with those of a gold triple; relations are not compared."
_NO_RULE = "No gold triple of the document has these two ends."


def fact_of(triple: Triple) -> Fact:
    return Fact(triple.head, triple.relation, triple.tail)


def missed_id(document_id: str, fact: Fact) -> str:
    """The id of a fact that was not taken out: a hash of the document and the fact's words."""
    return content_id("m", [document_id, fact.head, fact.relation, fact.tail])


def scored_row(document_id: str, triple_id: str, fact: Fact, label: str, explanation: str, judge: str) -> Row:
    return _row(document_id, triple_id, fact, judge, label=label, explanation=explanation, status=Status.SCORED.value)


def unscored_row(document_id: str, triple_id: str, fact: Fact, reason: Reason, judge: str) -> Row:
    return _row(document_id, triple_id, fact, judge, status=Status.UNSCORED.value, reason=reason.value)


def missed_unknown_row(document_id: str, reason: Reason, judge: str) -> Row:
    """The row of a document of which nobody knows what was missed: its head, relation and tail are empty."""
    fact = Fact("", "", "")
    return unscored_row(document_id, missed_id(document_id, fact), fact, reason, judge)


def gold_rows(document_id: str, triples: Sequence[Triple], gold: Sequence[Fact]) -> list[Row]:
    """The rows of the judge `gold` on one document that has gold triples: a triple that matches one is correct, one
    that matches none hallucinated (gold that is not complete makes precision a lower bound), a gold triple that
    nothing matches missed."""
    facts = list(dict.fromkeys(gold))
    matched = match_gold([fact_of(triple) for triple in triples], facts)
    rows = [
        scored_row(
            document_id,
            triple.triple_id,
            fact_of(triple),
            "correct" if is_correct else "hallucinated",
            _RULE if is_correct else _NO_RULE,
            GOLD,
        )
        for triple, is_correct in zip(triples, matched.correct, strict=True)
    ]
    rows += [
        scored_row(document_id, missed_id(document_id, fact), fact, "missed", "No triple has these two ends.", GOLD)
        for fact, is_found in zip(facts, matched.found, strict=True)
        if not is_found
    ]
    return rows


def _row(document_id: str, triple_id: str, fact: Fact, judge: str, **more: str) -> Row:
    blank: Row = {
        "document_id": document_id,
        "triple_id": triple_id,
        "head": fact.head,
        "relation": fact.relation,
        "tail": fact.tail,
        "label": None,
        "explanation": "",
        "judge": judge,
        "status": "",
        "reason": None,
        "latency_s": None,
        "prompt_tokens": None,
        "completion_tokens": None,
    }
    return blank | more
