"""From a judge's reply to decisions by claim id. What the reply does not say of a claim is never filled in."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from faithflow.claims.claim import ClaimKind
from faithflow.judging.prompt import AskedClaim
from faithflow.judging.verdict import ABSTENTION_LABELS, STATEMENT_LABELS, Label, Reason
from faithflow.llm.json_reader import has_object, read_items, read_object
from faithflow.llm.refusal import is_refusal
from faithflow.text.unicode import without_surrogates

# A judge may say that it cannot decide; that is an unscored row, not a verdict.
_UNSURE = "unsure"

_LABELS = {label.value: label for label in Label}

# What joins the words of a label: "Not in evidence", "not-in-evidence".
_JOINTS = re.compile(r"[\s_\-\u2010-\u2015]+")


@dataclass(frozen=True, slots=True)
class Decision:
    """What one reply says of one claim: a label, or the reason why it is none that counts (unsure, abstention)."""

    label: Label | None
    reason: Reason | None = None
    evidence: tuple[str, ...] = ()
    justification: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply, read: decisions by local claim id, why each other claim has none, and what is wrong with the whole."""

    decisions: Mapping[str, Decision]
    missing: Mapping[str, Reason]
    problem: Reason | None = None


def read_reply(
    text: str,
    finish_reason: str | None,
    claims: Sequence[AskedClaim],
    exhibits: frozenset[str],
    shown: Sequence[str] = (),
) -> Reading:
    """Read a reply to an ask about `claims`; evidence ids outside `exhibits` are dropped.

    Ids that were not asked about are ignored; a claim with two entries has none, whatever they say. What a judge only
    copied from the texts that it was `shown` (the example of a reply, an object in a passage) is not its verdict. A
    reply without any readable entry is a problem as a whole: parse, schema, refusal, or truncated.
    """
    asked = {claim.local_id for claim in claims}
    # a closing remark of the same shape, with an empty list or on other claims, does not undo the reply before it
    reply = read_object(text, lambda value: any(_id_of(item) in asked for item in _entries(value)), shown)
    reply = reply or read_object(text, _has_verdicts, shown)
    if reply is not None:
        items = _entries(reply)
    else:
        items = read_items(text, _is_entry, shown)
        if not items:
            problem = _problem(text, finish_reason)
            return Reading({}, {claim.local_id: problem for claim in claims}, problem)
    by_id: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        by_id.setdefault(_id_of(item), []).append(item)
    decisions: dict[str, Decision] = {}
    missing: dict[str, Reason] = {}
    for claim in claims:
        own = by_id.get(claim.local_id)
        if own is None:
            missing[claim.local_id] = Reason.MISSING_VERDICT
        elif len(own) > 1:
            missing[claim.local_id] = Reason.DUPLICATE_VERDICT
        else:
            decision = _decision(own[0], claim.kind, exhibits)
            if isinstance(decision, Reason):
                missing[claim.local_id] = decision
            else:
                decisions[claim.local_id] = decision
    return Reading(decisions, missing)


def _has_verdicts(value: dict[str, Any]) -> bool:
    return isinstance(value.get("verdicts"), list)


def _entries(value: dict[str, Any]) -> list[dict[str, Any]]:
    if not _has_verdicts(value):
        return []
    return [cast("dict[str, Any]", item) for item in value["verdicts"] if isinstance(item, dict)]


def _id_of(item: dict[str, Any]) -> str:
    """The id that an entry names, as text alone: a number is no id, and is never taken for a position."""
    given = item.get("id")
    return _plain(given) if isinstance(given, str) else ""


def _is_entry(value: dict[str, Any]) -> bool:
    return isinstance(value.get("id"), str) and isinstance(value.get("verdict"), str)


def _problem(text: str, finish_reason: str | None) -> Reason:
    if finish_reason == "length":
        return Reason.TRUNCATED
    if is_refusal(text):
        return Reason.REFUSAL
    return Reason.SCHEMA if has_object(text) else Reason.PARSE


def _decision(item: dict[str, Any], kind: ClaimKind, exhibits: frozenset[str]) -> Decision | Reason:
    word = item.get("verdict")
    if word is None:
        return Reason.MISSING_VERDICT
    name = _JOINTS.sub("_", _plain(word)) if isinstance(word, str) else ""
    evidence = _evidence(item.get("evidence"), exhibits)
    justification = item.get("justification")
    said = without_surrogates(justification) if isinstance(justification, str) and justification.strip() else None
    confidence = _probability(item.get("confidence"))
    if name == _UNSURE:
        return Decision(None, Reason.UNSURE, evidence, said, confidence)
    label = _LABELS.get(name)
    if label is None:
        return Reason.UNKNOWN_LABEL
    if kind is ClaimKind.ABSTENTION and label not in ABSTENTION_LABELS:
        # a judge that weighs an abstention like a statement cannot say whether it is justified
        return Decision(None, Reason.ABSTENTION, evidence, said, confidence)
    if kind is not ClaimKind.ABSTENTION and label not in STATEMENT_LABELS:
        return Reason.UNKNOWN_LABEL
    return Decision(label, None, evidence, said, confidence)


def _plain(word: str) -> str:
    """A word without what only looks different: letter case, width, and characters that do not show."""
    if word.isascii() and word.isprintable():
        return word.strip().casefold()
    kept = (
        c for c in unicodedata.normalize("NFKC", word) if c.isspace() or unicodedata.category(c) not in ("Cf", "Cc")
    )
    return "".join(kept).strip().casefold()


def _evidence(given: object, exhibits: frozenset[str]) -> tuple[str, ...]:
    if not isinstance(given, list):
        return ()
    named = [_plain(item) for item in cast("list[object]", given) if isinstance(item, str)]
    return tuple(dict.fromkeys(name for name in named if name in exhibits))


def _probability(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return float(given) if 0.0 <= given <= 1.0 else None
