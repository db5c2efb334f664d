"""The folder that `faithflow judge` writes: its tables, merged under one lock, and the summary and report over them."""

import contextlib
import datetime as dt
import json
import shutil
import tempfile
import time
from collections.abc import Generator, Mapping
from pathlib import Path

import polars as pl

from faithflow.corpus.trace import TRACES_EMBEDDER, Trace
from faithflow.corpus.traces import TraceFile
from faithflow.errors import UserError
from faithflow.judging.frames import claim_frame, label_frame, trace_frame, verdict_frame
from faithflow.judging.run import JudgedAnswer
from faithflow.metrics.faithfulness import summarise
from faithflow.report.data import ReportData
from faithflow.report.page import render_html, render_markdown
from faithflow.tables.registry import table
from resources.files import locked, replacing
from resources.ledger import SqlLedger
from resources.parquet import refusals, scan_parquet, upsert_parquet, write_parquet

TABLES = ("traces", "claims", "labels", "verdicts")

# Judged answers are spilled to files by so many, so that memory does not grow with their number.
_SPILL = 500
_SPILL_PREFIX = ".judged-"
_LEFTOVER_AFTER_S = 24 * 3600


class JudgeDir:
    """One output folder. Several processes may judge into it at once; each merges what it judged, by key."""

    def __init__(self, path: Path, corpus: str) -> None:
        self.path = path
        self._corpus = corpus

    @property
    def ledger(self) -> Path:
        return self.path / "ledger.sqlite"

    def table(self, name: str) -> pl.LazyFrame:
        """The rows of a table as they stand; empty where it was not written yet."""
        file = self.path / f"{name}.parquet"
        return scan_parquet(table(name), [file] if file.exists() else [])

    def prepare(self) -> None:
        """Make the folder, and see that it can be written and its tables read: before anything is paid for.

        Raises UserError where not.
        """
        try:
            str(self.path).encode()
        except UnicodeEncodeError:
            raise UserError(f"{str(self.path)!a}: a folder's name must be UTF-8; give another folder") from None
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self.path).close()
        except OSError as error:
            raise UserError(f"{self.path}: cannot be written ({error.strerror}); give another folder") from error
        for name in TABLES:
            file = self.path / f"{name}.parquet"
            if file.is_dir():
                raise UserError(f"{file}: a folder stands where the table belongs; move it away")
            with refusals(file):
                self.table(name).tail(1).collect()

    def refuse_changed(self, traces: TraceFile) -> None:
        """Raise UserError where a trace of this id was judged here with other words: one id, one content."""
        stored = self.table("traces").select("trace_id", "content_hash").collect()
        known = dict(stored.iter_rows())
        if not known:
            return
        changed = [t.id for t in traces if known.get(t.id, t.content_hash) != t.content_hash]
        if changed:
            shown = ", ".join(repr(trace_id) for trace_id in changed[:5])
            raise UserError(
                f"{self.path}: {len(changed)} traces were judged here with another question, answer or contexts: "
                f"{shown}; give them new ids, or judge into another folder"
            )

    @contextlib.contextmanager
    def spill(self) -> Generator["Spill"]:
        """A place for judged answers until they are merged; removed afterwards, also those of killed runs."""
        self.path.mkdir(parents=True, exist_ok=True)
        for leftover in self.path.glob(f"{_SPILL_PREFIX}*"):
            if time.time() - leftover.stat().st_mtime > _LEFTOVER_AFTER_S:
                shutil.rmtree(leftover, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=_SPILL_PREFIX, dir=self.path))
        try:
            yield Spill(folder, self._corpus)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def merge(self, spill: "Spill") -> int:
        """Merge what was judged: an answer's claims replace its former ones, verdicts merge by key.

        Returns how many stored verdicts were dropped because their answer has other claims now.
        """
        spill.flush()
        with locked(self.path / "tables"), refusals(self.path):
            judged = spill.table("traces").select("trace_id")
            self._upsert("traces", spill)
            kept = self.table("claims").join(judged, on="trace_id", how="anti")
            write_parquet(
                self.path / "claims.parquet",
                "claims",
                pl.concat([kept, spill.table("claims")]).collect(engine="streaming"),
                {"judged_answers": self.table("traces")},
            )
            self._drop_orphans("labels")
            self._upsert("labels", spill)
            dropped = self._drop_orphans("verdicts")
            self._upsert("verdicts", spill)
        return dropped

    def write_calls(self, ledger: SqlLedger) -> None:
        """`calls.parquet`: every attempt that the ledger holds on this folder's answers."""
        # under the lock, so that of two processes the later one writes what both called
        with locked(self.path / "tables"):
            ids = self.table("traces").select("trace_id").collect()["trace_id"].to_list()
            calls = ledger.calls(trace_ids=ids).with_columns(embedder=pl.lit(TRACES_EMBEDDER))
            write_parquet(self.path / "calls.parquet", "calls", calls.select(table("calls").schema.names()))

    def write_summary(self, judging_date: dt.date, study: str, title: str) -> Mapping[str, object]:
        """`summary.json`, `report.html` and `report.md` over everything judged here under one date."""
        with locked(self.path / "tables"), refusals(self.path):
            return self._write_summary(judging_date, study, title)

    def _write_summary(self, judging_date: dt.date, study: str, title: str) -> Mapping[str, object]:
        traces, claims, labels = (self.table(name).collect() for name in ("traces", "claims", "labels"))
        verdicts = self.table("verdicts").filter(judging_date=judging_date).collect()
        calls = self.table("calls").filter(judging_date=judging_date).collect()
        summary = summarise(verdicts, calls, traces, labels)
        summary = {"study": study, "judging_date": judging_date.isoformat(), "answers": traces.height, **summary}
        _write_text(self.path / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
        made_at = dt.datetime.now(dt.UTC)
        data = ReportData(title, made_at, judging_date, study, summary, traces, claims, verdicts, calls)
        _write_text(self.path / "report.html", render_html(data))
        _write_text(self.path / "report.md", render_markdown(data))
        return summary

    def _parents(self) -> dict[str, pl.LazyFrame]:
        # here the answers that are judged are those that the user brought
        traces = self.table("traces")
        return {"traces": traces, "judged_answers": traces, "claims": self.table("claims")}

    def _upsert(self, name: str, spill: "Spill") -> None:
        upsert_parquet(self.path / f"{name}.parquet", name, spill.table(name), self._parents())

    def _drop_orphans(self, name: str) -> int:
        """Rows on claims that are no more go with them: an extractor found others, or a claim's id got other words."""
        on = [column for column in ("trace_id", "claim_id", "claim") if column in table(name).schema.names()]
        claims = self.table("claims").select(on)
        rows = self.table(name)
        orphans = rows.join(claims, on=on, how="anti").select(pl.len()).collect().item()
        if orphans:
            kept = rows.join(claims, on=on, how="semi").collect(engine="streaming")
            write_parquet(self.path / f"{name}.parquet", name, kept, self._parents())
        return orphans


class Spill:
    """Judged answers on their way into the folder's tables, in small files of one process."""

    def __init__(self, folder: Path, corpus: str) -> None:
        self._folder = folder
        self._corpus = corpus
        self._held: list[JudgedAnswer] = []
        self._files = 0

    def add(self, answer: JudgedAnswer) -> None:
        self._held.append(answer)
        if len(self._held) >= _SPILL:
            self.flush()

    def flush(self) -> None:
        """Write what is held to files of its own."""
        if not self._held:
            return
        held, self._held = self._held, []
        pairs = [(answer.trace, answer.extraction) for answer in held]
        traces: list[Trace] = [trace for trace, _ in pairs]
        frames = {
            "traces": trace_frame(traces, self._corpus),
            "claims": claim_frame(pairs),
            "labels": label_frame(pairs),
            "verdicts": verdict_frame([verdict for answer in held for verdict in answer.verdicts]),
        }
        for name, frame in frames.items():
            frame.write_parquet(self._folder / f"{name}-{self._files:05d}.parquet")
        self._files += 1

    def table(self, name: str) -> pl.LazyFrame:
        """What was spilled of a table."""
        return scan_parquet(table(name), sorted(self._folder.glob(f"{name}-*.parquet")))


def _write_text(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
