"""The baseline `semantic`: how near a claim comes to the evidence's sentences in an embedding space.

It shares no feature with `lexical`, so that the two can disagree: one sees words, numbers and names and no meaning,
the other meaning and hardly any number or name.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from faithflow.judging.baseline.embedding import Embedder
from faithflow.judging.baseline.lexical import pieces_with
from faithflow.judging.baseline.model import THRESHOLD, Model, load_model
from faithflow.judging.baseline.plain import denies_evidence, plain_claim
from faithflow.judging.baseline.scorer import Judgement, Piece
from faithflow.text.sentences import sentence_spans

if TYPE_CHECKING:
    import numpy as np

_LONGEST = 1_200
"""Characters of one text that are embedded: the model reads 512 tokens, and a longer piece is cut into several."""
_QUOTE = 160

SEMANTIC_FEATURES = ("nearest", "span_2")
"""The similarity of the nearest sentence; the length of the claim's projection on the two nearest ones, which is what
they bear out jointly. Neither depends on how long the evidence is."""


class SemanticScorer:
    """Scores by similarity alone. Claims are embedded as queries, sentences of the evidence as passages."""

    def __init__(self, embedder: Embedder, model: Model | None = None) -> None:
        self._embedder = embedder
        self._model = model or load_model("semantic")

    @property
    def model(self) -> Model:
        return self._model

    def score(self, question: str, evidence: Sequence[Piece], claims: Sequence[Piece]) -> list[Judgement]:
        """See `Scorer.score`. The question is not used."""
        sentences = evidence_sentences([piece.text for piece in evidence])
        texts = [plain_claim(claim.text) for claim in claims]
        rows = semantic_features(self._embedder, texts, sentences)
        return [
            self._judgement(claim, text, row, sentences, evidence)
            for claim, text, row in zip(claims, texts, rows, strict=True)
        ]

    def _judgement(
        self,
        claim: Piece,
        text: str,
        row: tuple[dict[str, float], int] | None,
        sentences: Sequence[str],
        evidence: Sequence[Piece],
    ) -> Judgement:
        if row is None or not _has_words(text):
            reason = "The claim or the evidence has no words to compare."
            return Judgement(claim.id, THRESHOLD, (), False, True, reason)
        features, nearest = row
        ids = pieces_with(sentences[nearest], evidence)
        if denies_evidence(text):
            reason = "The claim is about what the evidence does not say, which nearness in meaning cannot show."
            return Judgement(claim.id, THRESHOLD, ids, False, True, reason)
        quote = " ".join(sentences[nearest].split())
        quote = quote if len(quote) <= _QUOTE else quote[:_QUOTE].rsplit(" ", 1)[0] + " …"
        reason = f"The nearest sentence of the evidence has a similarity of {features['nearest']:.2f}: {quote}"
        return Judgement(claim.id, self._model.probability(features), ids, False, False, reason)


def evidence_sentences(texts: Sequence[str]) -> list[str]:
    """The distinct sentences of the evidence, passages in the order of their text: copies and order leave no trace."""
    found: dict[str, None] = {}
    for passage in sorted({text.strip() for text in texts}):
        for span in sentence_spans(passage):
            found |= dict.fromkeys(piece for piece in _cut(passage[span.start : span.end]) if _has_words(piece))
    return list(found)


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _cut(text: str) -> list[str]:
    return [text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST)]


def semantic_features(
    embedder: Embedder, claims: Sequence[str], sentences: Sequence[str]
) -> list[tuple[dict[str, float], int] | None]:
    """For each claim its features and the number of its nearest sentence; None without evidence.

    Every similarity is a sum over one row in float64, so that a claim's figures do not hang on its neighbours.
    """
    import numpy as np

    if not sentences or not claims:
        return [None] * len(claims)
    matrix = embedder.passages(sentences).astype(np.float64)
    queries = embedder.queries([text[:_LONGEST] for text in claims]).astype(np.float64)
    rows: list[tuple[dict[str, float], int] | None] = []
    for vector in queries:
        near = (matrix * vector).sum(axis=1)
        order = np.argsort(-near, kind="stable")
        values = {"nearest": float(near[order[0]]), "span_2": _in_span(vector, matrix[order[:2]])}
        rows.append(({name: round(value, 6) for name, value in values.items()}, int(order[0])))
    return rows


def _in_span(vector: "np.ndarray[Any, Any]", rows: "np.ndarray[Any, Any]") -> float:
    """The length of a unit vector's projection on the span of some rows: what they bear out jointly (Gram-Schmidt)."""
    import numpy as np

    total, basis = 0.0, list["np.ndarray[Any, Any]"]()
    for row in rows:
        rest = row.copy()
        for axis in basis:
            rest -= axis * (rest * axis).sum()
        length = np.sqrt((rest * rest).sum())
        if length > 1e-9:
            axis = rest / length
            basis.append(axis)
            total += float((vector * axis).sum()) ** 2
    return float(np.sqrt(total))
