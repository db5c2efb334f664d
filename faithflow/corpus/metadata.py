"""What a file, a record or a note beside a file says of a document, and the document made of it."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

from faithflow.corpus.aliases import near
from faithflow.corpus.document import PUBLIC, Document
from faithflow.corpus.jsonl import kind_of
from faithflow.errors import CorpusError
from faithflow.identity import Json

LONGEST = 10_000_000
"""Characters that one document may have."""

_ALIASES = {
    "id": "reference",
    "source_url": "url",
    "license": "licence",
    "lang": "language",
    "topic": "topics",
}
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*|und")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_DATES = ("date", "valid_from", "valid_to")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is said of a document; None: nothing. `supersedes` is the reference of the document that it replaces."""

    reference: str | None = None
    title: str | None = None
    date: dt.date | None = None
    url: str | None = None
    language: str | None = None
    licence: str | None = None
    access: str | None = None
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    topics: tuple[str, ...] | None = None
    supersedes: str | None = None
    kind: str | None = None

    def over(self, other: "Metadata") -> "Metadata":
        """These words, and the other's where these say nothing."""
        own = {name: getattr(self, name) for name in FIELDS}
        return replace(other, **{name: value for name, value in own.items() if value is not None})


FIELDS = tuple(field.name for field in fields(Metadata))


def metadata_of(record: Mapping[str, Json], place: str, texts: Iterable[str] = ()) -> tuple[Metadata, list[str]]:
    """The metadata that a record states, and the keys that it has besides them and besides `texts`.

    Dates are ISO (a time behind one is cut), topics a list or words parted by ";". Null and "" say nothing.
    Raises CorpusError, with `place`, where a value is of the wrong kind.
    """
    found: dict[str, object] = {}
    unknown: list[str] = []
    held = frozenset(texts)
    for key, value in record.items():
        name = _ALIASES.get(key, key)
        if name not in FIELDS:
            if key not in held and not key.startswith("_"):
                unknown.append(key)
        elif value not in (None, "", []):
            read = _value(name, key, value, place)
            if found.setdefault(name, read) != read:
                raise CorpusError(f'{place}: "{key}" and another name of "{name}" differ; keep one')
    metadata = replace(Metadata(), **found)
    if metadata.valid_from and metadata.valid_to and metadata.valid_to < metadata.valid_from:
        raise CorpusError(f'{place}: "valid_to" ({metadata.valid_to}) lies before "valid_from" ({metadata.valid_from})')
    return metadata, unknown


def hint(key: str, known: Iterable[str]) -> str:
    """What a key that is not known may be meant for, in words; "" where nothing is near."""
    meant = near(key, known)
    return f' (did you mean "{meant}"?)' if meant else ""


def document_of(metadata: Metadata, *, reference: str, kind: str, title: str, text: str, place: str) -> Document:
    """The document that a text and what is said of it make; the arguments stand in where the metadata says nothing.

    Raises CorpusError where the text is longer than LONGEST.
    """
    if len(text) > LONGEST:
        raise CorpusError(f"{place}: a document of {len(text):,} characters; split it (at most {LONGEST:,})")
    return Document(
        reference=metadata.reference or " ".join(reference.split()),
        kind=metadata.kind or kind,
        title=metadata.title or " ".join(title.split()),
        text=text,
        date=metadata.date,
        language=metadata.language or "en",
        source_url=metadata.url,
        licence=metadata.licence,
        access=metadata.access or PUBLIC,
        valid_from=metadata.valid_from,
        valid_to=metadata.valid_to,
        topics=metadata.topics or (),
    )


def _value(name: str, key: str, value: Json, place: str) -> object:
    if name == "topics":
        return _topics(key, value, place)
    if name == "reference" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dt.date):  # YAML reads dates by itself
        value = value.isoformat()
    if not isinstance(value, str):
        raise CorpusError(f'{place}: "{key}" must be text, not {kind_of(value)}')
    text = " ".join(value.split())
    if name in _DATES:
        return _date(key, text, place)
    if name == "language":
        code = text.lower().replace("_", "-")
        if not _LANGUAGE.fullmatch(code):
            raise CorpusError(f'{place}: "{key}" must be a language code such as "en", not "{text[:40]}"')
        return code
    return text or None


def _topics(key: str, value: Json, place: str) -> tuple[str, ...]:
    words = value.split(";") if isinstance(value, str) else value
    if not isinstance(words, list | tuple):
        raise CorpusError(f'{place}: "{key}" must be a list of texts, not {kind_of(value)}')
    topics: list[str] = []
    for word in words:
        if not isinstance(word, str):
            raise CorpusError(f'{place}: "{key}" must hold texts, not {kind_of(word)}')
        if word.strip():
            topics.append(" ".join(word.split()))
    return tuple(dict.fromkeys(topics))


def _date(key: str, text: str, place: str) -> dt.date:
    match = _DATE.fullmatch(text)
    try:
        if match:
            return dt.date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        pass
    raise CorpusError(f'{place}: "{key}" must be a date such as 2026-09-18, not "{text[:40]}"')
