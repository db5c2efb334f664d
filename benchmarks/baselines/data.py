"""The labelled data sets as one kind of row: a claim, its evidence, and whether people found it supported."""

import csv
import gzip
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faithflow.claims.claim import ClaimKind
from faithflow.claims.extraction import claims_of
from faithflow.corpus.trace import Context, Trace

_PASSAGE = re.compile(r"(?:^|\n\n)passage \d+:", re.IGNORECASE)
_LFQA_DOCS = {"gpt3_whudoc": "human"}


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled claim. `cluster` is what rows share that are not independent (source, question, article);
    `family` the data sets that share texts: a model is measured on a family only if it saw none of it."""

    dataset: str
    family: str
    cluster: str
    question: str
    passages: tuple[str, ...]
    claim: str
    supported: bool
    detail: str

    @property
    def half(self) -> str:
        """The recorded split: "dev" was looked at while features were chosen, "test" was not."""
        return "dev" if hashlib.sha256(f"{self.family}/{self.cluster}".encode()).digest()[0] % 2 == 0 else "test"


def data_root() -> Path:
    """The folder of the data sets: FAITHFLOW_DATA, else `shared/data` beside the repository."""
    named = os.environ.get("FAITHFLOW_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "data"


def _lines(name: str) -> Iterator[Any]:
    with gzip.open(data_root() / name, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def ragtruth() -> list[Row]:
    """The statements of answers as a run extracts them; a statement is unsupported if a human span touches it."""
    rows: list[Row] = []
    for record in _lines("ragtruth_qa/responses.jsonl.gz"):
        passages = tuple(part.strip() for part in _PASSAGE.split(record["passages"]) if part.strip())
        contexts = tuple(Context(str(i), text) for i, text in enumerate(passages))
        for claim in claims_of(Trace(record["id"], record["question"], record["response"], contexts)).claims:
            if claim.kind is not ClaimKind.STATEMENT or claim.char_start is None or claim.char_end is None:
                continue
            hit = [x for x in record["labels"] if x["start"] < claim.char_end and x["end"] > claim.char_start]
            detail = hit[0]["label_type"] if hit else "faithful"
            source = record["source_id"]
            rows.append(Row("ragtruth", "ragtruth", source, record["question"], passages, claim.text, not hit, detail))
    return rows


def lfqa() -> list[Row]:
    """Answer sentences; two of three people must say "supported". Answers written without documents were checked
    by the people against the same documents as WebGPT's."""
    docs = {
        (record["doc_set"], record["question_id"]): tuple(doc["text"] for doc in record["docs"])
        for record in _lines("lfqa_verification/docs.jsonl.gz")
    }
    return [
        Row(
            "lfqa",
            "lfqa",
            str(record["question_id"]),
            record["question"],
            docs[_LFQA_DOCS.get(record["system"], "webgpt"), record["question_id"]],
            record["sentence"],
            record["labels"].count("supported") >= 2,
            "/".join(sorted(record["labels"])),
        )
        for record in _lines("lfqa_verification/sentence_annotations.jsonl.gz")
    ]


def _wice(name: str, file: str) -> list[Row]:
    return [
        Row(
            name,
            "wice",
            record["meta"]["claim_title"],
            "",
            ("\n".join(record["evidence"]),),
            record["claim"],
            record["label"] == "supported",
            record["label"],
        )
        for record in _lines(f"wice/{file}.jsonl.gz")
    ]


def wice() -> list[Row]:
    """Claims of Wikipedia with the whole cited page; partial support is no support."""
    return _wice("wice", "claim_test")


def wice_chunks() -> list[Row]:
    """The same claims with the chunks of the page that hold the gold evidence."""
    return _wice("wice_chunks", "oracle_chunks_claim_test")


def _qags(part: str) -> list[Row]:
    rows: list[Row] = []
    for record in _lines(f"qags/mturk_{part}.jsonl.gz"):
        cluster = hashlib.sha256(record["article"].encode()).hexdigest()[:16]
        for sentence in record["summary_sentences"]:
            answers = [response["response"] for response in sentence["responses"]]
            yes = answers.count("yes") * 2 > len(answers)
            rows.append(
                Row(
                    f"qags_{part}",
                    "qags",
                    cluster,
                    "",
                    (record["article"],),
                    sentence["sentence"],
                    yes,
                    "/".join(answers),
                )
            )
    return rows


def qags_cnndm() -> list[Row]:
    """Summary sentences of CNN/DM articles; majority of three."""
    return _qags("cnndm")


def qags_xsum() -> list[Row]:
    """Summary sentences of XSum articles; majority of three."""
    return _qags("xsum")


def factcheck() -> list[Row]:
    """Claims with one found snippet each; only complete support is support."""
    return [
        Row(
            "factcheck",
            "factcheck",
            hashlib.sha256(record["claim"].encode()).hexdigest()[:16],
            "",
            (record["evidence"],),
            record["claim"],
            record["stance"] == "completely-support",
            record["stance"],
        )
        for record in _lines("factcheck_gpt/subtask3_claim_evidence_stance.jsonl.gz")
    ]


def kqa() -> list[Row]:
    """Statements by physicians against an answer taken as the evidence; majority of three, entailment is support."""
    with gzip.open(data_root() / "kqa" / "NLI_medical_annotator.csv.gz", "rt", encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    return [
        Row(
            "kqa",
            "kqa",
            record["Question"],
            "",
            (record["answer"],),
            record["claim"],
            record["majority_label"] == "Entailment",
            record["majority_label"],
        )
        for record in records
    ]


DATASETS: dict[str, tuple[Callable[[], list[Row]], str]] = {
    "ragtruth": (ragtruth, "ragtruth_qa/responses.jsonl.gz"),
    "lfqa": (lfqa, "lfqa_verification/sentence_annotations.jsonl.gz"),
    "wice": (wice, "wice/claim_test.jsonl.gz"),
    "wice_chunks": (wice_chunks, "wice/oracle_chunks_claim_test.jsonl.gz"),
    "qags_cnndm": (qags_cnndm, "qags/mturk_cnndm.jsonl.gz"),
    "qags_xsum": (qags_xsum, "qags/mturk_xsum.jsonl.gz"),
    "factcheck": (factcheck, "factcheck_gpt/subtask3_claim_evidence_stance.jsonl.gz"),
    "kqa": (kqa, "kqa/NLI_medical_annotator.csv.gz"),
}
"""Name: its loader and its (first) file."""


def load_all() -> dict[str, list[Row]]:
    return {name: loader() for name, (loader, _) in DATASETS.items()}


def file_hashes() -> dict[str, str]:
    """SHA-256 of each data set's file, as recorded beside the weights."""
    return {name: hashlib.sha256((data_root() / file).read_bytes()).hexdigest() for name, (_, file) in DATASETS.items()}
