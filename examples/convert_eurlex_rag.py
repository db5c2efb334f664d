#!/usr/bin/env python3
"""Turn the evaluation runs of rag-eurlex-eval into a traces file for `faithflow judge`.

    python examples/convert_eurlex_rag.py recursive_1000__dense__n70.json.gz structural_*.json.gz -o eurlex.jsonl
    faithflow judge eurlex.jsonl --judge lexical --out out/eurlex

Input: one or more run files (.json or .json.gz), each an object with `run_id` and `samples`, whose members have `_id`,
`_category`, `user_input`, `retrieved_contexts`, `response` and `reference`.

Output: one trace a line, run after run. The pipeline is the run's id and the stratum the question's category, so that
runs can be compared question by question; the reference answer goes to `gold`. There are no human labels, and the runs'
own scores are those of another judge and stay behind.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

FIELDS = ("_id", "_category", "user_input", "retrieved_contexts", "response", "reference")


def traces(path: Path) -> Iterator[dict]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as text:
        try:
            run = json.load(text)
        except ValueError as error:
            raise ValueError(f"{path}: not JSON ({error})") from None
    if not isinstance(run, dict) or "run_id" not in run or not isinstance(run.get("samples"), list):
        raise ValueError(f'{path}: not a run file; an object with "run_id" and a list "samples" was expected')
    for index, sample in enumerate(run["samples"]):
        missing = [field for field in FIELDS if field not in sample]
        if missing:
            raise ValueError(f"{path}, samples[{index}]: no {', '.join(missing)}")
        yield {
            "id": f"{run['run_id']}/{sample['_id']}",
            "question": sample["user_input"],
            "answer": sample["response"],
            "contexts": sample["retrieved_contexts"],
            "pipeline": run["run_id"],
            "stratum": sample["_category"],
            "gold": {"answer": sample["reference"]},
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="run files, .json or .json.gz")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the traces file to write, .jsonl")
    arguments = parser.parse_args()
    part = arguments.out.with_name(arguments.out.name + ".part")
    total = 0
    try:
        with part.open("w", encoding="utf-8") as out:
            for path in arguments.runs:
                lines = [json.dumps(trace, ensure_ascii=False) + "\n" for trace in traces(path)]
                out.writelines(lines)
                total += len(lines)
                print(f"{path.name}: {len(lines)} answers", file=sys.stderr)
        part.replace(arguments.out)
    except (OSError, EOFError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{total} traces written to {arguments.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
