"""The baseline `semantic`: how near a claim and its clauses come to the evidence's sentences in an embedding space.

It shares no feature with `lexical`, so that the two can disagree: one sees words, numbers and names and no meaning,
the other meaning and hardly any number or name.
"""

import re
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

_CLAUSE = re.compile(r"[,;:()–—，；：、،؛]+\s*|\s+(?:and|but|which|who|while|because|und|et|y|e|en|och)\s+")
_SHORTEST_CLAUSE = 12
_LONGEST = 1_200
"""Characters of one text that are embedded: the model reads 512 tokens, and a longer piece is cut into several."""
_QUOTE = 160

SEMANTIC_FEATURES = ("nearest", "nearest_2", "clause_worst", "clause_mean", "span_2")
"""The nearest sentence; the nearest mean of two neighbours; the least and the mean of the clauses' nearest sentences;
how much of the claim the two nearest sentences span jointly. None depends on how long the evidence is."""


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
        passages = evidence_sentences([piece.text for piece in evidence])
        sentences = [sentence for passage in passages for sentence in passage]
        texts = [plain_claim(claim.text) for claim in claims]
        rows = semantic_features(self._embedder, texts, passages)
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
        if row is None or not any(char.isalnum() for char in text):
            reason = "The claim or the evidence has no words to compare."
            return Judgement(claim.id, THRESHOLD, (), False, True, reason)
        features, nearest = row
        ids = pieces_with(sentences[nearest], evidence)
        if denies_evidence(text):
            reason = "The claim is about what the evidence does not say, which nearness in meaning cannot show."
            return Judgement(claim.id, THRESHOLD, ids, False, True, reason)
        quote = " ".join(sentences[nearest].split())
        quote = quote if len(quote) <= _QUOTE else quote[:_QUOTE].rsplit(" ", 1)[0] + " …"
        reason = (
            f"The nearest sentence of the evidence has a similarity of {features['nearest']:.2f}, "
            f"the claim's least supported clause {features['clause_worst']:.2f}: {quote}"
        )
        return Judgement(claim.id, self._model.probability(features), ids, False, False, reason)


def evidence_sentences(texts: Sequence[str]) -> list[list[str]]:
    """The sentences of the distinct passages, passages in the order of their text: copies and order leave no trace."""
    found: list[list[str]] = []
    for passage in sorted({text.strip() for text in texts} - {""}):
        sentences = [
            piece
            for span in sentence_spans(passage)
            for piece in _cut(passage[span.start : span.end])
            if any(char.isalnum() for char in piece)
        ]
        if sentences:
            found.append(sentences)
    return found


def _cut(text: str) -> list[str]:
    return [text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST)]


def clauses(text: str) -> list[str]:
    """A claim's clauses, cut at punctuation and the commonest conjunctions; short ones stay with the next."""
    parts: list[str] = []
    held = ""
    for part in _CLAUSE.split(text):
        held = f"{held} {part}".strip()
        if len(held) >= _SHORTEST_CLAUSE:
            parts.append(held)
            held = ""
    if held and parts:
        parts[-1] = f"{parts[-1]} {held}"
    elif held:
        parts.append(held)
    return parts or [text]


def semantic_features(
    embedder: Embedder, claims: Sequence[str], passages: Sequence[Sequence[str]]
) -> list[tuple[dict[str, float], int] | None]:
    """For each claim its features and the number of its nearest sentence; None without evidence.

    Every similarity is a sum over one row in float64, so that a claim's figures do not hang on its neighbours.
    """
    import numpy as np

    sentences = [sentence for passage in passages for sentence in passage]
    if not sentences or not claims:
        return [None] * len(claims)
    matrix = embedder.passages(sentences).astype(np.float64)
    pairs = _neighbours(matrix, [len(passage) for passage in passages])
    first = _distinct(sentences)
    parts = [clauses(text[:_LONGEST]) for text in claims]
    queries = embedder.queries([text[:_LONGEST] for text in claims]).astype(np.float64)
    clause_vectors = embedder.queries([part for some in parts for part in some]).astype(np.float64)
    rows: list[tuple[dict[str, float], int] | None] = []
    at = 0
    for vector, some in zip(queries, parts, strict=True):
        own = clause_vectors[at : at + len(some)]
        at += len(some)
        rows.append(_features(vector, own, matrix, first, pairs))
    return rows


def _features(
    vector: "np.ndarray[Any, Any]",
    parts: "np.ndarray[Any, Any]",
    matrix: "np.ndarray[Any, Any]",
    first: "np.ndarray[Any, Any]",
    pairs: "np.ndarray[Any, Any]",
) -> tuple[dict[str, float], int]:
    import numpy as np

    near = _dots(matrix, vector)
    order = first[np.argsort(-near[first], kind="stable")]
    clause = [float(_dots(matrix, part).max()) for part in parts]
    values = {
        "nearest": float(near[order[0]]),
        "nearest_2": float(_dots(pairs, vector).max()),
        "clause_worst": min(clause),
        "clause_mean": sum(clause) / len(clause),
        "span_2": _in_span(vector, matrix[order[:2]]),
    }
    return {name: round(value, 6) for name, value in values.items()}, int(order[0])


def _dots(rows: "np.ndarray[Any, Any]", vector: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    return (rows * vector).sum(axis=1)


def _neighbours(matrix: "np.ndarray[Any, Any]", lengths: Sequence[int]) -> "np.ndarray[Any, Any]":
    """The unit mean vectors of each two neighbouring sentences of a passage (of its one sentence where it has one)."""
    import numpy as np

    means: list[np.ndarray[Any, Any]] = []
    start = 0
    for length in lengths:
        means += [matrix[i : min(i + 2, start + length)].mean(axis=0) for i in range(start, start + max(length - 1, 1))]
        start += length
    rows = np.stack(means)
    return rows / np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), 1e-12)


def _distinct(sentences: Sequence[str]) -> "np.ndarray[Any, Any]":
    import numpy as np

    seen: dict[str, int] = {}
    for number, sentence in enumerate(sentences):
        seen.setdefault(sentence, number)
    return np.array(sorted(seen.values()))


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
