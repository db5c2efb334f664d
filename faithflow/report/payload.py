"""The statements for the browser: answers, evidence, claims and verdicts as one packed text inside the page."""

import base64
import dataclasses
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import polars as pl

from faithflow.claims.claim import JUDGED_KINDS, Claim, ClaimKind
from faithflow.corpus.labels import label_rows, read_labels
from faithflow.corpus.trace import Trace
from faithflow.report.data import ReportData, baselines, of_date
from faithflow.report.words import NOT_APPLICABLE, REASONS, SPLIT, UNSCORED, VERDICTS

# more would make a page that no browser opens at ease; the tables cover every answer all the same
SHOWN_ANSWERS = 3_000

SURROGATES = re.compile("[\ud800-\udfff]")

Row = dict[str, Any]


def shown_traces(data: ReportData) -> pl.DataFrame:
    """The answers that the page holds one by one: the first by id, numbers in ids counted as numbers."""
    ids = sorted(data.traces.get_column("trace_id").to_list(), key=_natural)[:SHOWN_ANSWERS]
    order = pl.DataFrame({"trace_id": ids, "order": range(len(ids))}, schema={"trace_id": pl.String, "order": pl.Int64})
    return order.join(data.traces, on="trace_id", how="left").sort("order").drop("order")


def payload(data: ReportData) -> Row:
    """All that the page's script needs, ready for JSON."""
    traces = shown_traces(data)
    ids = traces.select("trace_id")
    claims = _by_trace(data.claims.join(ids, on="trace_id", how="semi"))
    verdicts = _by_trace(of_date(data.verdicts, data.judging_date).join(ids, on="trace_id", how="semi"))
    passages: dict[tuple[str, str | None, str], int] = {}
    others = sorted(set(data.verdicts.get_column("judge").unique().to_list()) - set(data.judges))
    judges = {judge: index for index, judge in enumerate((*data.judges, *others))}
    answers = [
        _answer(trace, claims.get(trace["trace_id"], []), verdicts.get(trace["trace_id"], []), passages, judges)
        for trace in traces.iter_rows(named=True)
    ]
    of_baseline = baselines(data)
    return {
        "judges": [{"name": judge, "baseline": judge in of_baseline} for judge in judges],
        "passages": [{"id": id_, "source": source, "text": text} for id_, source, text in passages],
        "answers": answers,
        "verdicts": {label: dataclasses.asdict(sign) for label, sign in VERDICTS.items()},
        "states": {
            "unscored": dataclasses.asdict(UNSCORED),
            "not_applicable": dataclasses.asdict(NOT_APPLICABLE),
            "split": dataclasses.asdict(SPLIT),
        },
        "reasons": REASONS,
    }


def pack(value: Row) -> str:
    """A value as JSON, gzipped, in base64: letters that can end no script and hide no markup. Deterministic."""
    text = scrub(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode("ascii")


def scrub(value: Any) -> Any:
    """The value with lone surrogates replaced by U+FFFD: no encoding of the page could hold them."""
    if isinstance(value, str):
        return SURROGATES.sub("�", value)
    if isinstance(value, Mapping):
        return {scrub(key): scrub(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [scrub(item) for item in value]
    return value


def _answer(
    trace: Row,
    claims: list[Row],
    verdicts: list[Row],
    passages: dict[tuple[str, str | None, str], int],
    judges: Mapping[str, int],
) -> Row:
    contexts: list[Row] = trace["contexts"] or []
    by_claim: dict[str, list[Row]] = {}
    for row in sorted(verdicts, key=lambda row: (judges[row["judge"]], row["repeat"])):
        by_claim.setdefault(row["claim_id"], []).append(row)
    ordered = sorted(claims, key=_place)
    people = _people(trace, ordered)
    share = claims[0]["covered_share"] if claims else None
    return {
        "id": trace["trace_id"],
        "question": trace["question"],
        "answer": trace["answer"],
        "pipeline": trace["pipeline"],
        "stratum": trace["stratum"],
        "repeat": trace["repeat"],
        "covered": share,
        "labelled": trace["labels"] is not None,
        "evidence": [
            passages.setdefault((context["id"], context["source"], context["text"]), len(passages))
            for context in contexts
        ],
        "claims": [
            {
                "id": claim["claim_id"],
                "text": claim["claim"],
                "start": claim["char_start"],
                "end": claim["char_end"],
                "kind": claim["kind"],
                "people": people.get(claim["claim_id"], []),
                "rulings": [_ruling(row, judges) for row in by_claim.get(claim["claim_id"], [])],
            }
            for claim in ordered
        ],
    }


def _ruling(row: Row, judges: Mapping[str, int]) -> Row:
    ruling = {
        "judge": judges[row["judge"]],
        "repeat": row["repeat"],
        "status": row["status"],
        "reason": row["reason"],
        "verdict": row["verdict"],
        "score": row["score"],
        "confidence": row["confidence"],
        "attribution": row["attribution"],
        "justification": row["justification"],
        "evidence": row["evidence_ids"] or None,
        "model": row["served_model"],
        "late": row["late"] or None,
        "flags": row["flags"] or None,
    }
    return {key: value for key, value in ruling.items() if value is not None}


def _people(trace: Row, claims: Iterable[Row]) -> dict[str, list[list[str]]]:
    """People's verdicts on the claims of an answer: claim id to [annotator, verdict] pairs."""
    if trace["labels"] is None:
        return {}
    labels, _ = read_labels(_given(json.loads(trace["labels"])), trace["answer"], None)
    whole = Trace(trace["trace_id"], trace["question"], trace["answer"], (), labels=labels)
    judged = [
        Claim(claim["claim_id"], claim["claim"], claim["char_start"], claim["char_end"], ClaimKind(claim["kind"]))
        for claim in claims
        if claim["kind"] in JUDGED_KINDS
    ]
    found: dict[str, list[list[str]]] = {}
    for row in label_rows(whole, judged):
        found.setdefault(row.claim_id, []).append([row.annotator, row.verdict])
    return found


def _given(labels: Any) -> Any:
    """Labels as a person wrote them: what is null was not given."""
    if isinstance(labels, list):
        return [_given(label) for label in cast(list[Any], labels)]
    if isinstance(labels, dict):
        return {key: value for key, value in cast(Row, labels).items() if value is not None}
    return labels


def _by_trace(frame: pl.DataFrame) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in frame.iter_rows(named=True):
        groups.setdefault(row["trace_id"], []).append(row)
    return groups


def _place(claim: Row) -> tuple[Any, ...]:
    start, end = claim["char_start"], claim["char_end"]
    if start is None:
        return (1, _natural(claim["claim_id"]))
    return (0, start, end, claim["claim_id"])


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A key that sorts q2 before q10; equal numbers written differently still differ by the text at the end."""
    parts = re.split(r"(\d{1,15})", text)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts] + [(2, 0, text)]
