"""People's labels on answers: from the shapes in which they come, to one verdict a claim and annotator.

A label sits on a span of the answer (`start`, `end`: characters, end excluded) or on a claim (its id).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.corpus.trace import Label, Trace
from faithflow.identity import Json
from faithflow.judging.verdict import Label as Verdict

DEFAULT_ANNOTATOR = "human"

WORDS: dict[str, Verdict] = {
    **{label.value: label for label in Verdict},
    **dict.fromkeys(
        ("support", "supports", "faithful", "entailment", "entailed", "entails", "yes", "true", "1"), Verdict.SUPPORTED
    ),
    **dict.fromkeys(("conditional",), Verdict.CONDITIONALLY_SUPPORTED),
    **dict.fromkeys(("contradiction", "contradicts", "refuted", "refutes"), Verdict.CONTRADICTED),
    **dict.fromkeys(
        (
            "partially_supported",
            "partially",
            "partial",
            "neutral",
            "not_supported",
            "unsupported",
            "unfaithful",
            "hallucinated",
            "hallucination",
            "no",
            "false",
            "0",
        ),
        Verdict.NOT_IN_EVIDENCE,
    ),
}

# where several labels of one person meet on one claim, the first of these is taken
SEVERITY = (
    Verdict.CONTRADICTED,
    Verdict.NOT_IN_EVIDENCE,
    Verdict.UNJUSTIFIED_ABSTENTION,
    Verdict.CONDITIONALLY_SUPPORTED,
    Verdict.JUSTIFIED_ABSTENTION,
    Verdict.SUPPORTED,
)


class LabelRow(NamedTuple):
    """One person's verdict on one claim: a row of the table `labels`."""

    trace_id: str
    claim_id: str
    annotator: str
    verdict: str


def verdict_of(word: Json) -> Verdict | None:
    """The verdict that a label word stands for, or None. RAGTruth's types ("Evident Conflict", "Subtle Baseless Info")
    are read by their last or middle word; booleans and 1/0 mean supported or not."""
    if isinstance(word, float) and word.is_integer():
        word = int(word)
    if not isinstance(word, str | int):
        return None
    name = "_".join(str(word).casefold().replace("-", " ").replace("_", " ").split())
    if name.endswith("conflict"):
        return Verdict.CONTRADICTED
    if "baseless" in name:
        return Verdict.NOT_IN_EVIDENCE
    return WORDS.get(name)


def read_labels(
    value: Json, answer: str, claim_ids: frozenset[str] | None
) -> tuple[tuple[Label, ...] | None, list[str]]:
    """A trace's labels, and warnings. None where there are none, or where they cannot be used.

    One label of an answer that is not understood, or whose span does not fit the answer, takes the answer's span labels
    with it: with a span lost, "no span touches this claim, so it was found supported" would be false.
    `claim_ids` are the ids of the claims that the user gave, None where faithflow extracts the claims.
    """
    if value is None:
        return None, []
    if not isinstance(value, list):
        return None, ["labels that are no list, not used"]
    labels: list[Label] = []
    warnings: list[str] = []
    for item in value:
        label = _read_label(item, answer, claim_ids)
        if isinstance(label, Label):
            labels.append(label)
        else:
            warnings.append(label)
    if warnings:
        labels = [label for label in labels if label.claim_id is not None]
        if not labels:
            return None, warnings
    return tuple(labels), warnings


def label_rows(trace: Trace, claims: Iterable[Claim]) -> list[LabelRow]:
    """The labels of one trace as verdicts on its judged claims, sorted by claim (in the order given) and annotator.

    A label on a claim id counts as it stands; ids that are not among `claims` give no row. A person who labelled spans
    looked at the whole answer: a claim that shares a non-space character with a span takes the span's verdict (the
    gravest, where there are several), any other statement is supported; an abstention that no span touches has no
    verdict, nor has a claim without a place in the answer. `labels == ()` is one such person, who found nothing.
    """
    if trace.labels is None:
        return []
    rows: list[LabelRow] = []
    people = sorted({label.annotator for label in trace.labels}) or [DEFAULT_ANNOTATOR]
    for claim in claims:
        if not claim.is_judged:
            continue
        for person in people:
            own = [label for label in trace.labels if label.annotator == person]
            verdict = _verdict_on(claim, own, trace.answer)
            if verdict is not None:
                rows.append(LabelRow(trace.id, claim.claim_id, person, verdict.value))
    return rows


def _verdict_on(claim: Claim, labels: Sequence[Label], answer: str) -> Verdict | None:
    direct = [label for label in labels if label.claim_id == claim.claim_id]
    if direct:
        return _gravest(direct)
    spans = [label for label in labels if label.start is not None]
    if (labels and not spans) or claim.char_start is None or claim.char_end is None:
        return None
    touching = [label for label in spans if _shares(answer, claim.char_start, claim.char_end, label)]
    if touching:
        return _gravest(touching)
    return None if claim.kind is ClaimKind.ABSTENTION else Verdict.SUPPORTED


def _shares(answer: str, start: int, end: int, label: Label) -> bool:
    assert label.start is not None
    assert label.end is not None
    return bool(answer[max(start, label.start) : min(end, label.end)].strip())


def _gravest(labels: Sequence[Label]) -> Verdict:
    return min((Verdict(label.verdict) for label in labels), key=SEVERITY.index)


def _read_label(item: Json, answer: str, claim_ids: frozenset[str] | None) -> Label | str:
    """A label, or the warning that says why it is none."""
    if not isinstance(item, dict):
        return "labels that are no objects, not used"
    words = [item[key] for key in ("verdict", "label", "label_type") if item.get(key) is not None]
    verdicts = {verdict_of(word) for word in words}
    verdict = next(iter(verdicts)) if len(verdicts) == 1 else None
    if verdict is None:
        return _unread_words(words)
    annotator = _word(item.get("annotator")) or DEFAULT_ANNOTATOR
    if "start" in item or "end" in item:
        start, end = _offset(item.get("start")), _offset(item.get("end"))
        if start is None or end is None or not start < end <= len(answer):
            return "label spans that do not lie in the answer (start and end count its characters), not used"
        quoted = item.get("text")
        if isinstance(quoted, str) and quoted.split() != answer[start:end].split():
            return "label spans whose text is not what stands there in the answer (are the offsets bytes?), not used"
        return Label(verdict.value, annotator, start=start, end=end)
    claim_id = next((word for key in ("claim_id", "claim", "id") if (word := _word(item.get(key)))), None)
    if claim_id is None:
        return 'labels with neither "start" and "end" nor "claim_id", not used'
    if claim_ids is not None and claim_id not in claim_ids:
        return "labels on claim ids that the trace does not have, not used"
    return Label(verdict.value, annotator, claim_id=claim_id)


def _unread_words(words: Sequence[Json]) -> str:
    if not words:
        return 'labels without "verdict", not used'
    if len(words) > 1:
        return 'labels whose "verdict", "label" and "label_type" differ, not used'
    shown = str(words[0])[:40]
    return f'labels with the verdict "{shown}", which is not known, not used'


def _offset(value: Json) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _word(value: Json) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and value else None
