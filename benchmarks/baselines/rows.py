"""From labelled rows to features, and from a model to the judgements that a run would give."""

import hashlib
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines.data import Row
from faithflow.judging.baseline.coverage import match
from faithflow.judging.baseline.embedding import Embedder
from faithflow.judging.baseline.evidence import index_evidence
from faithflow.judging.baseline.features import lexical_features
from faithflow.judging.baseline.lexical import question_keys
from faithflow.judging.baseline.plain import plain_claim
from faithflow.judging.baseline.scorer import Judgement, Piece, Scorer
from faithflow.judging.baseline.semantic import SEMANTIC_FEATURES, evidence_sentences, semantic_features
from faithflow.text.tokens import tokenize

# Rows a data set on which `semantic` is trained and measured: whole clusters in the order of hashes. Embedding all
# sets would take an hour; whole Wikipedia pages (wice) are left to their chunks.
SEMANTIC_ROWS = {
    "ragtruth": 300, "lfqa": 300, "wice": 0, "wice_chunks": 90, "qags_cnndm": 100, "qags_xsum": 60, "factcheck": 250,
    "kqa": 200,
}  # fmt: skip


class FileCache:
    """Embeddings as one file a vector in a folder outside the repository."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir()) / "faithflow-benchmarks" / "embeddings"

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there."""
        found: dict[str, bytes] = {}
        for key in hashes:
            path = self._folder / model / key[:2] / key
            if path.exists():
                found[key] = path.read_bytes()
        return found

    def put_many(self, model: str, vectors: dict[str, bytes]) -> None:
        """Write vectors, each whole or not at all."""
        for key, vector in vectors.items():
            path = self._folder / model / key[:2] / key
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_bytes(vector)
            part.replace(path)


def by_evidence(rows: Sequence[Row]) -> Iterable[list[int]]:
    """Row numbers in groups that share question and evidence."""
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number, row in enumerate(rows):
        groups.setdefault((row.question, row.passages), []).append(number)
    return groups.values()


def sampled(rows: Sequence[Row], limit: int) -> list[Row]:
    """Whole clusters, in the order of their hashes, until `limit` rows are reached."""
    clusters: dict[str, list[Row]] = {}
    for row in rows:
        clusters.setdefault(row.cluster, []).append(row)
    taken: list[Row] = []
    for cluster in sorted(clusters, key=lambda name: hashlib.sha256(f"s{name}".encode()).hexdigest()):
        if len(taken) >= limit:
            break
        taken += clusters[cluster]
    return taken


def lexical_matrix(rows: Sequence[Row]) -> tuple[list[str], NDArray[np.float64], list[int]]:
    """Feature names, a row of features for each usable row, and the numbers of those rows.

    A row whose claim holds no content term is left out, as the judge leaves it unscored.
    """
    found: dict[int, dict[str, float]] = {}
    for group in by_evidence(rows):
        index = index_evidence(rows[group[0]].passages)
        asked = question_keys(rows[group[0]].question, index)
        for number in group:
            terms = match(tokenize(plain_claim(rows[number].claim), index.language), index)
            if terms.terms:
                found[number] = lexical_features(terms, index, asked)
    numbers = sorted(found)
    names = list(found[numbers[0]])
    return names, np.array([[found[i][name] for name in names] for i in numbers]), numbers


def semantic_matrix(rows: Sequence[Row], embedder: Embedder) -> tuple[list[str], NDArray[np.float64], list[int]]:
    """As `lexical_matrix`, for the features of `semantic`."""
    found: dict[int, dict[str, float]] = {}
    for group in by_evidence(rows):
        claims = [plain_claim(rows[number].claim) for number in group]
        sentences = evidence_sentences(rows[group[0]].passages)
        for number, row in zip(group, semantic_features(embedder, claims, sentences), strict=True):
            if row is not None:
                found[number] = row[0]
    numbers = sorted(found)
    return list(SEMANTIC_FEATURES), np.array([[found[i][n] for n in SEMANTIC_FEATURES] for i in numbers]), numbers


def judged(scorer: Scorer, rows: Sequence[Row]) -> list[Judgement]:
    """What the scorer says of each row, asked as a run asks: all claims of one evidence together."""
    found: dict[int, Judgement] = {}
    for group in by_evidence(rows):
        evidence = [Piece(f"e{i}", text) for i, text in enumerate(rows[group[0]].passages, 1)]
        claims = [Piece(str(number), rows[number].claim) for number in group]
        found.update(zip(group, scorer.score(rows[group[0]].question, evidence, claims), strict=True))
    return [found[number] for number in range(len(rows))]
