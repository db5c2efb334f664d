"""The pattern extractor against gold triples: `python benchmarks/triples.py` prints Markdown tables.

Text2KGBench (FAITHFLOW_DATA, else `shared/data` beside the repository): three ontologies, each file cut in its middle;
the rules were written on the first halves, the second halves were looked at only as numbers. The bundled sample's own
gold triples, and the speed on one core. `--show N` prints N sentences of the first halves with what was found.
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from faithflow.graph.extraction import Source
from faithflow.graph.patterns import extract
from faithflow.graph.triple_gold import Fact, match_gold
from faithflow.sample.content import sample_content

DATA = Path(os.environ.get("FAITHFLOW_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
ONTOLOGIES = ("1_university", "7_company", "8_politics")


@dataclass(frozen=True, slots=True)
class Item:
    """A text with the triples that people, or a knowledge base, say it holds."""

    text: str
    gold: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """Triples, those of them that match gold, gold triples, those of them that were found."""

    triples: int
    correct: int
    gold: int
    found: int

    def row(self) -> str:
        precision = self.correct / self.triples if self.triples else None
        recall = self.found / self.gold if self.gold else None
        f1 = 2 * precision * recall / (precision + recall) if precision and recall else None
        shown = " | ".join("–" if value is None else f"{value:.3f}" for value in (precision, recall, f1))
        return f"{self.triples} | {self.gold} | {shown}"


def ontology(name: str, data: Path = DATA) -> list[Item]:
    path = data / "triples" / "text2kgbench" / f"ont_{name}_ground_truth.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Item(row["sent"], tuple(dict.fromkeys(Fact(t["sub"], t["rel"], t["obj"]) for t in row["triples"])))
        for row in rows
    ]


def sample() -> list[Item]:
    """The bundled releases that have gold triples: the facts that a reader would note first, not all of them."""
    content = sample_content()
    gold: dict[str, list[Fact]] = {}
    for triple in content.gold_triples:
        gold.setdefault(triple.reference, []).append(Fact(triple.head, triple.relation, triple.tail))
    return [
        Item(document.text, tuple(gold[document.reference]))
        for document in content.documents
        if document.reference in gold
    ]


def triples_of(text: str) -> list[Fact]:
    return [Fact(t.head, t.relation, t.tail) for t in extract(Source("d", "p", 0, text))]


def counts(items: Iterable[Item], *, relations: bool) -> Counts:
    """Counts over the items that have gold: of a sentence without any, nobody said that it holds none."""
    total = [0, 0, 0, 0]
    for item in items:
        if item.gold:
            facts = triples_of(item.text)
            match = match_gold(facts, item.gold, relations=relations)
            part = (len(facts), sum(match.correct), len(item.gold), sum(match.found))
            total = [a + b for a, b in zip(total, part, strict=True)]
    return Counts(*total)


def halves(items: Sequence[Item]) -> dict[str, Sequence[Item]]:
    middle = len(items) // 2
    return {"first": items[:middle], "second": items[middle:]}


def speed(texts: Sequence[str], seconds: float = 3.0) -> float:
    """Texts a second of one core's time; each text is a sentence or two."""
    began, done = time.process_time(), 0
    while time.process_time() - began < seconds:
        for text in texts:
            triples_of(text)
        done += len(texts)
    return done / (time.process_time() - began)


def show(number: int) -> None:
    for name in (*ONTOLOGIES, "sample"):
        for item in (sample() if name == "sample" else halves(ontology(name))["first"])[:number]:
            facts = triples_of(item.text)
            match = match_gold(facts, item.gold)
            print(f"\n{item.text}")
            for fact, is_correct in zip(facts, match.correct, strict=True):
                print(f"  {'+' if is_correct else ' '} {fact.head} | {fact.relation} | {fact.tail}")
            for fact, is_found in zip(item.gold, match.found, strict=True):
                if not is_found:
                    print(f"  - {fact.head} | {fact.relation} | {fact.tail}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, metavar="N")
    arguments = parser.parse_args()
    if arguments.show is not None:
        show(arguments.show)
        return
    print("| set | half | relations compared | triples | gold | precision | recall | F1 |")
    print("|---|---|---|---|---|---|---|---|")
    texts: list[str] = []
    for name in ONTOLOGIES:
        items = ontology(name)
        texts += [item.text for item in items]
        for half, part in halves(items).items():
            for relations in (False, True):
                print(
                    f"| {name} | {half} | {'yes' if relations else 'no'} | {counts(part, relations=relations).row()} |"
                )
    for relations in (False, True):
        print(
            f"| bundled sample | all | {'yes' if relations else 'no'} | {counts(sample(), relations=relations).row()} |"
        )
    print(f"\n{speed(texts):,.0f} texts a second")


if __name__ == "__main__":
    main()
