#!/usr/bin/env python3
"""Turn RAGTruth's question answering part into a traces file for `faithflow judge`.

    python examples/convert_ragtruth.py responses.jsonl.gz ragtruth.jsonl
    faithflow judge ragtruth.jsonl --judge lexical --out out/ragtruth

Input: JSON Lines (plain or .gz), one answer a line, with `id`, `source_id`, `model`, `question`, `passages` (one text,
its parts headed "passage 1:", "passage 2:" and so on), `response` and `labels`: RAGTruth's `response.jsonl` joined with
the `source_info` of the same `source_id`. Answers of other tasks (`task_type` other than QA) are left out.

Output: one trace a line. The pipeline is the model that answered, the passages are the contexts, and the human spans
stay as they are (their offsets count characters of the answer, which is not touched).
"""

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

HEADING = re.compile(r"^passage \d+:", re.MULTILINE)
FIELDS = ("id", "source_id", "model", "question", "passages", "response", "labels")


def rows(path: Path) -> Iterator[tuple[int, dict]]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path}, line {number}: not JSON ({error})") from None
                if not isinstance(row, dict):
                    raise ValueError(f"{path}, line {number}: not an object")
                if row.get("task_type", "QA") == "QA":
                    yield number, row


def trace(row: dict) -> dict:
    missing = [field for field in FIELDS if field not in row]
    if missing:
        raise ValueError(f"no {', '.join(missing)}; join response.jsonl with source_info.jsonl by source_id first")
    before, *passages = HEADING.split(row["passages"])
    if before.strip() or not passages:
        raise ValueError('"passages" does not begin with "passage 1:"')
    return {
        "id": row["id"],
        "question": row["question"],
        "answer": row["response"],
        "contexts": [
            {"id": f"{row['source_id']}-{number}", "text": text.strip()}
            for number, text in enumerate(passages, start=1)
        ],
        "pipeline": row["model"],
        "labels": row["labels"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("responses", type=Path, help="RAGTruth answers, .jsonl or .jsonl.gz")
    parser.add_argument("traces", type=Path, help="the traces file to write, .jsonl")
    arguments = parser.parse_args()
    part = arguments.traces.with_name(arguments.traces.name + ".part")
    count = 0
    try:
        with part.open("w", encoding="utf-8") as out:
            for number, row in rows(arguments.responses):
                try:
                    out.write(json.dumps(trace(row), ensure_ascii=False) + "\n")
                except ValueError as error:
                    raise ValueError(f"{arguments.responses}, line {number}: {error}") from None
                count += 1
                if count % 100 == 0:
                    print(f"{count} answers", file=sys.stderr)
        part.replace(arguments.traces)
    except (OSError, EOFError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{count} traces written to {arguments.traces}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
