"""A file of a corpus as it was read, and its bytes as text or as JSON records."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithflow.corpus.jsonl import LineError, kind_of, parse_object, strict_json
from faithflow.errors import CorpusError
from faithflow.identity import Json
from faithflow.text.charset import decoded, is_text
from faithflow.text.unicode import is_blank, without_surrogates

_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_LOOKED_AT = 65_536
_LONGEST_CELL = 10_000_000
_SEP = re.compile(r"sep=([,;\t|])\n", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_HEADER = re.compile(r"^.*[^\s,;].*$", re.MULTILINE)


class NoTextError(CorpusError):
    """A file holds no text that could be read: empty, scanned, encrypted, binary, damaged. Of a folder it alone is
    left out."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file's bytes, unpacked where it was gzip; `name` is its path below the folder that was given, or its name."""

    name: str
    raw: bytes

    @property
    def stem(self) -> str:
        """The file's own name without its endings."""
        return self.name.rsplit("/", 1)[-1].split(".", 1)[0] or self.name

    @property
    def text(self) -> str:
        """The file as text. Raises NoTextError where it is empty or no text."""
        text = text_of(self.raw)
        if is_blank(text):
            raise NoTextError(f"{self.name}: the file is empty; fill it or take it away")
        if not is_text(text):
            raise NoTextError(f"{self.name}: this is no text, whatever its name says; take it away or convert it")
        return _CONTROLS.sub("", text)


def text_of(raw: bytes) -> str:
    """Bytes as text with "\\n" for every line end and a blank line for a form feed: UTF-16 without a mark is known by
    its zeros, all else as `faithflow.text.charset.decoded` knows it."""
    start = raw[:_LOOKED_AT]
    sixteen = None
    if start.count(0) > len(start) / 3:
        sixteen = "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
    text = without_surrogates(decoded(raw, sixteen))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object or a row of a table; `place` says where it stands, for messages: "docs.jsonl, line 3"."""

    place: str
    fields: Mapping[str, Json]


def json_records(file: SourceFile) -> list[Record]:
    """The objects of a JSON file: one object, a list of them, or (`.jsonl`) one a line.

    Raises CorpusError with the place of what is none, NoTextError where the file is empty.
    """
    text = file.text
    if file.name.lower().endswith((".jsonl", ".ndjson")):
        return _json_lines(file.name, text)
    value = _json_value(file.name, text)
    items: Sequence[Json] = value if isinstance(value, list) else [value]
    records: list[Record] = []
    for number, item in enumerate(items, start=1):
        place = f"{file.name}, item {number}" if isinstance(value, list) else file.name
        if not isinstance(item, dict):
            raise CorpusError(f"{place}: an object was expected, not {kind_of(item)}")
        records.append(Record(place, item))
    return records


def _json_value(name: str, text: str) -> Json:
    try:
        return _whole(strict_json(text))
    except json.JSONDecodeError as error:
        hint = "; name it .jsonl if it holds one object a line" if error.msg == "Extra data" else ""
        raise CorpusError(f"{name}, line {error.lineno}: not JSON: {error.msg} at column {error.colno}{hint}") from None
    except RecursionError:
        raise CorpusError(f"{name}: nested too deeply to be read") from None
    except LineError as error:
        raise CorpusError(f"{name}: {error}") from None


def _whole(value: Json) -> Json:
    """The value without lone surrogates, which escapes such as \\ud800 leave in it."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): _whole(item) for key, item in value.items()}
    return value


def _json_lines(name: str, text: str) -> list[Record]:
    records: list[Record] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{name}, line {number}"
            try:
                records.append(Record(place, parse_object(line.encode())[0]))
            except LineError as error:
                raise CorpusError(f"{place}: {error}") from None
    return records


def csv_records(file: SourceFile) -> list[Record]:
    """The rows of a CSV file with a header, under the header's names in lower case; empty cells are left out.

    Cells are parted by what the header has most of outside quotes, comma, semicolon or tab, or by what a first line
    "sep=…" names, as Excel writes it. Raises CorpusError with the line where a
    row has more cells than the header, a name stands twice, or a quote is never closed.
    """
    text = file.text
    named = _SEP.match(text)
    header = _HEADER.search(_QUOTED.sub("", text[:_LOOKED_AT]))
    delimiter = named[1] if named else max(",;\t", key=(header[0] if header else "").count)
    text = text[named.end() :] if named else text
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    records: list[Record] = []
    passed = 1 if named else 0
    begins = 1 + passed
    try:
        for cells in reader:
            place = f"{file.name}, line {begins}"
            begins = reader.line_num + 1 + passed
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = [cell.strip().lower() for cell in cells]
                _check_header(place, names)
                continue
            if len(cells) > len(names):
                raise CorpusError(
                    f"{place}: {len(cells)} cells under {len(names)} names; quote the text that holds {delimiter!r}"
                )
            fields = {name: cell for name, cell in zip(names, cells, strict=False) if name and cell.strip()}
            records.append(Record(place, fields))
    except csv.Error as error:
        raise CorpusError(f"{file.name}, line {begins}: not CSV: {error}") from None
    return records


def _check_header(place: str, names: Sequence[str]) -> None:
    for name in names:
        if name and names.count(name) > 1:
            raise CorpusError(f"{place}: the column {name!r} stands twice; give each a name of its own")
