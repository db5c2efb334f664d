"""Traces files in: JSON Lines with one answer a line, checked whole before anything is called, then streamed.

The file is read twice, so that neither pass holds more than the ids: a check that counts, names bad lines and collects
warnings, and the reading itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from faithflow.corpus.jsonl import LineError, numbered_lines, parse_object
from faithflow.corpus.record import trace_of
from faithflow.corpus.trace import Trace
from faithflow.errors import TraceError

_SHOWN = 20
# a file with a new unknown key on every line must not fill the memory with warnings
_KINDS_OF_WARNINGS = 100
_OTHER_WARNINGS = "further warnings of other kinds"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no trace, by its number in the file (from 1) and the reason."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class TraceWarning:
    """Something that was passed over: how often, and on which line first."""

    message: str
    count: int
    line: int

    def __str__(self) -> str:
        return f"{self.message} ({self.count} times, first on line {self.line})"


@dataclass(frozen=True, slots=True)
class TraceFile:
    """A checked traces file. Iterating streams its `count` good traces from the file, in order, each time anew.

    `bad` are the lines kept out; `stamp` the file's size and time of change when it was checked. Iterating raises
    TraceError where the file is no longer the one that was checked.
    """

    path: Path
    count: int
    bad: tuple[BadLine, ...]
    warnings: tuple[TraceWarning, ...]
    stamp: tuple[int, int]

    def __iter__(self) -> Iterator[Trace]:
        out = {bad.line for bad in self.bad}
        changed = f"{self.path}: the file was changed while it was in use; run again"
        if _stamp(self.path) != self.stamp:
            raise TraceError(changed)
        for number, line in numbered_lines(self.path):
            if number not in out:
                try:
                    trace, _ = trace_of(parse_object(line)[0])
                except LineError as error:
                    raise TraceError(changed) from error
                yield trace


def read_traces(path: Path, *, skip_bad: bool = False) -> TraceFile:
    """Check a traces file (`.jsonl`, or gzip of it; UTF-8) and return it ready to be streamed.

    Raises TraceError where the file cannot be read, is not JSON Lines or holds no trace, and, unless `skip_bad`, where
    any line is bad: the message gives the first 20 by number and reason.
    """
    stamp = _stamp(path)
    first_line: dict[str, int] = {}
    bad: list[BadLine] = []
    warnings: dict[str, TraceWarning] = {}
    for number, line in numbered_lines(path):
        if not first_line and not bad:
            _refuse_other_shapes(path, line)
        try:
            record, mended = parse_object(line)
            trace, messages = trace_of(record)
            if trace.id in first_line:
                raise LineError(_twice(trace.id, first_line[trace.id], given=record.get("id") not in (None, "")))
        except LineError as error:
            bad.append(BadLine(number, str(error)))
            continue
        first_line[trace.id] = number
        if mended:
            messages.append("half a character (a lone surrogate), replaced by U+FFFD")
        for message in messages:
            _count(warnings, message, number)
    if bad and (not skip_bad or not first_line):
        raise TraceError(_bad_lines(path, bad))
    if not first_line:
        raise TraceError(f"{path}: the file holds no traces")
    return TraceFile(path, len(first_line), tuple(bad), tuple(warnings.values()), stamp)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror or error})") from error
    if not path.is_file():
        raise TraceError(f"{path}: not a file; give a traces file (.jsonl or .jsonl.gz), which is read twice")
    return status.st_size, status.st_mtime_ns


def _refuse_other_shapes(path: Path, line: bytes) -> None:
    start = line.lstrip()
    if start.startswith(b"["):
        raise TraceError(
            f"{path}: this is one JSON array, not JSON Lines; write one object a line: jq -c '.[]' IN.json > OUT.jsonl"
        )
    if start.rstrip() == b"{":
        raise TraceError(
            f"{path}: the JSON is spread over several lines; write one object a line: jq -c . IN.json > OUT.jsonl"
        )


def _twice(trace_id: str, first: int, *, given: bool) -> str:
    if given:
        return f'the id "{trace_id}" stands on line {first} already; ids must be unique in the file'
    return f'the same trace as line {first}; give each an "id", or number them by "repeat"'


def _count(warnings: dict[str, TraceWarning], message: str, line: int) -> None:
    if message not in warnings and len(warnings) >= _KINDS_OF_WARNINGS:
        message = _OTHER_WARNINGS
    seen = warnings.get(message, TraceWarning(message, 0, line))
    warnings[message] = TraceWarning(message, seen.count + 1, seen.line)


def _bad_lines(path: Path, bad: list[BadLine]) -> str:
    lines = [f"{path}: {len(bad)} bad line{'s' if len(bad) > 1 else ''}"]
    lines += [f"  {line}" for line in bad[:_SHOWN]]
    if len(bad) > _SHOWN:
        lines.append(f"  and {len(bad) - _SHOWN} more")
    lines.append("Mend them, or leave them out with --skip-bad.")
    return "\n".join(lines)
