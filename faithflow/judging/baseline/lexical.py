"""The baseline `lexical`: how much of a claim stands in the evidence word by word, and how close together."""

from collections.abc import Sequence

from faithflow.judging.baseline.conflict import Conflict, ConflictKind, find_conflict
from faithflow.judging.baseline.coverage import Match, joint_cover, match, windows
from faithflow.judging.baseline.evidence import EvidenceIndex, index_evidence
from faithflow.judging.baseline.features import lexical_features
from faithflow.judging.baseline.model import THRESHOLD, Model, load_model
from faithflow.judging.baseline.plain import denies_evidence, plain_claim
from faithflow.judging.baseline.scorer import Judgement, Piece
from faithflow.text.tokens import tokenize

_NAMED_WORDS = 5
_SHORTEST_QUOTE = 60


class LexicalScorer:
    """Scores by lexical features alone; nothing is kept between calls."""

    def __init__(self, model: Model | None = None) -> None:
        self._model = model or load_model("lexical")

    @property
    def model(self) -> Model:
        return self._model

    def score(self, question: str, evidence: Sequence[Piece], claims: Sequence[Piece]) -> list[Judgement]:
        """See `Scorer.score`."""
        index = index_evidence([piece.text for piece in evidence])
        asked = question_keys(question, index)
        return [self._judge(claim, evidence, index, asked) for claim in claims]

    def _judge(self, claim: Piece, evidence: Sequence[Piece], index: EvidenceIndex, asked: frozenset[str]) -> Judgement:
        text = plain_claim(claim.text)
        found = match(tokenize(text, index.language), index)
        if not found.terms:
            reason = "The claim has no word, number or name to look for in the evidence."
            return Judgement(claim.id, THRESHOLD, (), False, True, reason)
        if denies_evidence(text):
            reason = "The claim is about what the evidence does not say, which shared words cannot show."
            return Judgement(claim.id, THRESHOLD, (), False, True, reason)
        probability = self._model.probability(lexical_features(found, index, asked))
        conflict = find_conflict(found, index)
        if conflict:
            probability = min(probability, self._model.conflict_cap)
            ids = pieces_with(index.sentences[conflict.sentence].text, evidence)
            return Judgement(claim.id, probability, ids, True, False, _conflict_reason(conflict, index))
        return Judgement(
            claim.id, probability, _resting_on(found, index, evidence), False, False, _coverage_reason(found, index)
        )


def question_keys(question: str, index: EvidenceIndex) -> frozenset[str]:
    """The content keys of a question, in the language of the evidence."""
    return frozenset(token.key for token in tokenize(question, index.language) if not token.function)


def pieces_with(sentence: str, evidence: Sequence[Piece]) -> tuple[str, ...]:
    """The ids of the pieces that hold a sentence of the index, in the order given."""
    return tuple(piece.id for piece in evidence if sentence in piece.text)


def _resting_on(found: Match, index: EvidenceIndex, evidence: Sequence[Piece]) -> tuple[str, ...]:
    chosen = joint_cover(windows(found, index, 1), found.weights, 2)
    ids = {key for window in chosen for key in pieces_with(index.sentences[window.first].text, evidence)}
    return tuple(piece.id for piece in evidence if piece.id in ids)


def _quoted(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:_NAMED_WORDS])
    return f"{shown} and {len(words) - _NAMED_WORDS} more" if len(words) > _NAMED_WORDS else shown


def _coverage_reason(found: Match, index: EvidenceIndex) -> str:
    n = len(found.terms)
    missing = [term.surface for i, term in enumerate(found.terms) if not found.found >> i & 1]
    if not found.found:
        return f"None of the claim's words stands in the evidence: {_quoted(missing)}."
    best = joint_cover(windows(found, index, 1), found.weights, 1)
    together = best[0].mask.bit_count() if best else 0
    lead = f"{n - len(missing)} of the claim's {n} terms stand in the evidence, {together} of them in one sentence"
    return f"{lead}; missing: {_quoted(missing)}." if missing else f"{lead}; none is missing."


def _conflict_reason(conflict: Conflict, index: EvidenceIndex) -> str:
    what = {
        ConflictKind.NUMBER: "number",
        ConflictKind.DATE: "date",
        ConflictKind.NEGATION: "negation",
        ConflictKind.OPPOSITE: "word of opposite meaning",
    }[conflict.kind]
    sentence = " ".join(index.sentences[conflict.sentence].text.split())
    quote = (
        sentence if len(sentence) <= 3 * _SHORTEST_QUOTE else sentence[: 3 * _SHORTEST_QUOTE].rsplit(" ", 1)[0] + " …"
    )
    return f"The claim says “{conflict.claimed}”, the evidence “{conflict.stated}” (another {what}): {quote}"
