"""JSON Lines, read strictly: numbered lines of a plain or gzip file, and one line's JSON object.

What lenient readers let pass is refused here, because a trace that is read wrongly is judged wrongly: a key given
twice, NaN, bytes that are no UTF-8. Lines end at "\\n" alone, so that U+2028 inside a text breaks no record in two.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Never, cast

from faithflow.errors import TraceError
from faithflow.identity import Json

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SURROGATE = re.compile("[\ud800-\udfff]")


class LineError(ValueError):
    """One line is not what it should be; the message is the reason, without the line's number."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold anything, with their numbers from 1, without line ends, streamed.

    A file that begins as gzip is unpacked, whatever its name; a byte order mark is passed over.
    Raises TraceError where the file cannot be read, is cut, or is UTF-16.
    """
    try:
        with _opened(path) as stream:
            for number, raw in enumerate(stream, start=1):
                line = raw.rstrip(b"\r\n")
                if number == 1:
                    if line.startswith(_UTF16):
                        raise TraceError(f"{path}: the file is UTF-16; save it as UTF-8")
                    line = line.removeprefix(_BOM)
                if line.strip():
                    yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise TraceError(f"{path}: the gzip file is damaged or cut ({error}); write it anew") from error
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror or error})") from error


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as probe:
        packed = probe.read(2) == _GZIP
    return cast("IO[bytes]", gzip.open(path, "rb")) if packed else path.open("rb")


def parse_object(line: bytes) -> tuple[dict[str, Json], bool]:
    """One line's JSON object, and whether lone surrogates in it were replaced by U+FFFD (one character for one, so that
    offsets stay right; no file format downstream can hold half a character).

    Raises LineError with the reason where the line is not UTF-8, not JSON, not an object, or ambiguous.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(
            f"not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1}; save the file as UTF-8"
        ) from None
    try:
        value = strict_json(text)
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise LineError("not readable: nested too deeply") from None
    if not isinstance(value, dict):
        raise LineError(f"a JSON object was expected, one a line; this line holds {kind_of(value)}")
    if "\\u" not in text:
        return value, False
    mended = cast("dict[str, Json]", _mend(value))
    return mended, mended != value


def strict_json(text: str) -> Json:
    """A JSON value. Raises JSONDecodeError, RecursionError, or LineError for what readers read each in its own way: a
    key that stands twice, NaN, a number that is too long."""
    return cast(
        "Json",
        json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_readable,
        ),
    )


def kind_of(value: Json) -> str:
    """A value's JSON type in words, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "an object" if isinstance(value, dict) else "a list"


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise LineError(f'the key "{key}" stands twice in one object; which is meant cannot be known')
            seen.add(key)
    return record


def _no_constant(name: str) -> Never:
    raise LineError(f"{name} is not JSON; write null")


def _readable(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python's own bound, against numbers that take minutes to read
        raise LineError(f"not JSON that can be read: a number of {len(digits)} digits; write it as text") from None


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise LineError(f"the number {digits} is too large")
    return number


def _mend(value: Json) -> Json:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", key): _mend(item) for key, item in value.items()}
    return value
