"""Sentences, kinds of claims and speed on real answers: `python benchmarks/claims.py` prints Markdown tables.

`python benchmarks/claims.py --show abstention` prints the claims of one kind instead, to be read. Reads factcheck_gpt,
lfqa_verification, ragtruth_qa and eurlex_rag from FAITHFLOW_DATA, else from `shared/data` beside the repository.
"""

import argparse
import gzip
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from faithflow.claims.claim import Claim, ClaimKind
from faithflow.claims.extraction import claims_of
from faithflow.corpus.trace import Trace
from faithflow.text.sentences import sentence_spans

DATA = Path(os.environ.get("FAITHFLOW_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
EURLEX_RUNS = ("structural_article__dense__n27", "structural_article__hybrid__n27", "recursive_1000__dense__n70")

Gold = list[tuple[str, set[tuple[int, int]]]]


def rows(path: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def claims(answer: str) -> tuple[Claim, ...]:
    return claims_of(Trace("t", "", answer, ())).claims


def placed(text: str, sentences: Iterable[str]) -> set[tuple[int, int]] | None:
    """The positions of sentences in a text, one behind the other; None where one was edited and is not found."""
    position = 0
    found: set[tuple[int, int]] = set()
    for sentence in sentences:
        start = text.find(sentence.strip(), position)
        if start < 0:
            return None
        position = start + len(sentence.strip())
        found.add((start, position))
    return found


def factcheck_sentences() -> Gold:
    """The answers all of whose sentences, as people split them, stand in the answer."""
    gold: Gold = []
    for row in rows("factcheck_gpt/factcheck-GPT-benchmark.jsonl.gz"):
        spans = placed(row["response"], [sentence["text"] for sentence in row["sentences"].values()])
        if spans is not None:
            gold.append((row["response"], spans))
    return gold


def lfqa_sentences() -> Gold:
    """The answers put together again from their annotated sentences, with one blank between two."""
    answers: defaultdict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for row in rows("lfqa_verification/sentence_annotations.jsonl.gz"):
        answers[row["system"], row["question_id"]].append((row["sent_idx"], row["sentence"].strip()))
    gold: Gold = []
    for numbered in answers.values():
        sentences = [sentence for _, sentence in sorted(numbered)]
        text = " ".join(sentences)
        gold.append((text, placed(text, sentences) or set()))
    return gold


def sentence_table() -> None:
    print("| set | answers | sentences | precision | recall | F1 |\n|---|---|---|---|---|---|")
    for name, gold in (("factcheck_gpt", factcheck_sentences()), ("lfqa_verification", lfqa_sentences())):
        hits = made = wanted = 0
        for text, spans in gold:
            own = {(span.start, span.end) for span in sentence_spans(text)}
            hits, made, wanted = hits + len(own & spans), made + len(own), wanted + len(spans)
        precision, recall = hits / made, hits / wanted
        f1 = 2 * precision * recall / (precision + recall)
        print(f"| {name} | {len(gold)} | {wanted} | {precision:.3f} | {recall:.3f} | {f1:.3f} |")


def checkworthiness_table() -> None:
    table: Counter[tuple[str, str]] = Counter()
    for row in rows("factcheck_gpt/subtask1_sentence_checkworthiness.jsonl.gz"):
        kinds = {claim.kind for claim in claims(row["sentence"])}
        table[row["checkworthy"], ClaimKind.STATEMENT if ClaimKind.STATEMENT in kinds else min(kinds)] += 1
    print("| people say | statement | abstention | not_checkworthy |\n|---|---|---|---|")
    for label in ("yes", "opinion", "other", "not_a_claim"):
        cells = [table[label, kind] for kind in (ClaimKind.STATEMENT, ClaimKind.ABSTENTION, ClaimKind.NOT_CHECKWORTHY)]
        print(f"| {label} | {' | '.join(map(str, cells))} |")


def answer_sets() -> dict[str, list[str]]:
    ragtruth = [row["response"] for row in rows("ragtruth_qa/responses.jsonl.gz")]
    eurlex: list[str] = []
    for run in EURLEX_RUNS:
        with gzip.open(DATA / f"eurlex_rag/{run}.json.gz", "rt", encoding="utf-8") as file:
            eurlex += [sample["response"] for sample in json.load(file)["samples"]]
    return {"ragtruth_qa": ragtruth, "eurlex_rag": eurlex}


def kinds_table() -> None:
    kinds = (ClaimKind.STATEMENT, ClaimKind.ABSTENTION, ClaimKind.NOT_CHECKWORTHY, ClaimKind.HEADING)
    print(f"| set | answers | {' | '.join(kinds)} | least covered share | answers a CPU-second |")
    print("|---|---|---|---|---|---|---|---|")
    for name, answers in answer_sets().items():
        begin = time.process_time()
        extractions = [claims_of(Trace("t", "", answer, ())) for answer in answers]
        seconds = time.process_time() - begin
        counts = Counter(claim.kind for extraction in extractions for claim in extraction.claims)
        least = min(extraction.covered_share for extraction in extractions)
        cells = " | ".join(str(counts[kind]) for kind in kinds)
        print(f"| {name} | {len(answers)} | {cells} | {least:.3f} | {len(answers) / seconds:.0f} |")


def speed_line() -> None:
    passages = "\n".join(row["passages"] for row in rows("ragtruth_qa/responses.jsonl.gz"))
    begin = time.process_time()
    sentence_spans(passages)
    speed = len(passages) / 1e6 / (time.process_time() - begin)
    print(f"Sentences of {len(passages) / 1e6:.2f} MB of passages: {speed:.1f} MB a CPU-second.")


def show(kind: str) -> None:
    for name, answers in answer_sets().items():
        for number, answer in enumerate(answers):
            for claim in claims(answer):
                if claim.kind == kind:
                    print(f"{name} {number}: {claim.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", metavar="KIND", choices=[*ClaimKind], help="print the claims of this kind")
    chosen = parser.parse_args().show
    if chosen is not None:
        show(chosen)
        return
    for table in (sentence_table, checkworthiness_table, kinds_table, speed_line):
        table()
        print()


if __name__ == "__main__":
    main()
