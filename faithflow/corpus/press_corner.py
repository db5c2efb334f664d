"""The European Commission's Press Corner: its addresses, the parameters of its searches, and its replies.

What its interface returns and how it fails was taken from public clients; nothing here reaches for the network.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from faithflow.corpus.document import PUBLIC, Document
from faithflow.text.html import text_of_fragment

SITE = "https://ec.europa.eu/commission/presscorner"
LICENCE = "CC BY 4.0 unless the page says otherwise (European Commission reuse notice)"
EMBARGO = "embargo"
"""The access label of a document that is not to be published yet."""

LARGEST_PAGE = 100
"""The most entries that a page of a search may have."""

_SLUG = re.compile(r"([a-z]+)[_/](\d+)[_/]([a-z]?\d+)", re.IGNORECASE)
_DETAIL = re.compile(r"/presscorner/detail/([a-z]{2})/([^/?#]+)", re.IGNORECASE)
_KINDS = {
    "IP": "press_release",
    "STATEMENT": "statement",
    "SPEECH": "speech",
    "MEX": "daily_news",
    "READ": "readout",
    "QANDA": "questions_and_answers",
    "FS": "factsheet",
}
_ISO_DAY = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?!\d)")
_EUROPEAN_DAY = re.compile(r"\s*(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)")


class PressCornerReplyError(ValueError):
    """A reply that has not the shape of the Press Corner's; the message says what it has instead."""


@dataclass(frozen=True, slots=True)
class SearchItem:
    """One entry of a search: a document by reference, and what the search says of it."""

    reference: str
    title: str
    date: dt.date | None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of a search. `total` is what the server says, which may count entries that it never shows, None where it
    says nothing; `entries` counts those of the page, the ones among them that name no document too; `is_full`: it has
    as many as the server gives at once."""

    total: int | None
    entries: int
    is_full: bool
    items: tuple[SearchItem, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A document that cannot be had, and why."""

    reference: str
    language: str
    reason: str


def reference_of(name: str) -> str | None:
    """The reference (IP/26/1900) that a public address, its last part (ip_26_1900) or a reference means; else None."""
    detail = _DETAIL.search(name)
    slug = _SLUG.fullmatch(detail[2] if detail else name.strip())
    return "/".join(slug.groups()).upper() if slug else None


def language_of(url: str) -> str | None:
    """The language of a document's public address; None where it is no such address."""
    detail = _DETAIL.search(url)
    return detail[1].lower() if detail else None


def url_of(reference: str, language: str) -> str:
    """The public address of a document, where people read it."""
    return f"{SITE}/detail/{language.lower()}/{reference.replace('/', '_').lower()}"


def search_parameters(
    topic: str, since: dt.date | None, until: dt.date | None, language: str, types: Sequence[str], page: int
) -> dict[str, str]:
    """The parameters of one page (from 1) of a search for documents of some types (none: all), spelled as the server
    knows them: it passes over `pageNumber`."""
    bounds = {"datefrom": since, "dateto": until}
    return {
        "language": language.lower(),
        "global": topic,
        "pagesize": str(LARGEST_PAGE),
        "pagenumber": str(page),
        **({"documentTypeCodes": ",".join(types)} if types else {}),
        **{name: f"{day:%d%m%Y}" for name, day in bounds.items() if day is not None},
    }


def windows(since: dt.date | None, until: dt.date | None) -> list[tuple[dt.date | None, dt.date | None]]:
    """The calendar months of a time, newest first, cut to it: a long search is asked month by month. One open window
    where the time has no beginning or no end."""
    if since is None or until is None:
        return [(since, until)]
    found: list[tuple[dt.date | None, dt.date | None]] = []
    end = until
    while end >= since:
        start = max(since, end.replace(day=1))
        found.append((start, end))
        if start == since:
            break
        end = start - dt.timedelta(days=1)
    return found


def parse_search(payload: object) -> SearchPage:
    """A page of a search. Raises PressCornerReplyError where the reply has not the shape of one."""
    reply = _object(payload)
    entries = reply.get("docuLanguageListResources")
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise PressCornerReplyError(f"docuLanguageListResources is {_kind(entries)}, not a list")
    size = _count(reply.get("pageSize")) or LARGEST_PAGE
    items: list[SearchItem] = []
    for entry in cast("Sequence[object]", entries):
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Mapping[str, Any]", entry)
        code = fields.get("refCode")
        reference = reference_of(code) if isinstance(code, str) else None
        if reference is not None:
            items.append(SearchItem(reference, _line(fields.get("title")), day_of(fields.get("eventDate"))))
    return SearchPage(_count(reply.get("totalNumber")), len(entries), len(entries) >= size, tuple(items))


def parse_document(payload: object, reference: str, language: str, topics: Sequence[str] = ()) -> Document | Skipped:
    """The document of a reply, or why it is none: no text in this language, a PDF alone, another document's reply.

    Its language is the one that the reply says it has, which is the original's where there is no translation. Its
    date is that of the event, else of the publication; it holds from then on. A subtitle that says more than the
    title is added to it.
    """
    if not isinstance(payload, Mapping):
        return Skipped(reference, language, f"the reply is {_kind(payload)}, not an object")
    reply = cast("Mapping[str, Any]", payload)
    given = reply.get("refCd")
    if isinstance(given, str) and reference_of(given) not in (None, reference):
        return Skipped(reference, language, f"the reply is that of another document, {given[:40]}")
    body = reply.get("docuLanguageResource")
    if not isinstance(body, Mapping):
        return Skipped(reference, language, f"there is no version in the language {language!r}")
    version = cast("Mapping[str, Any]", body)
    content = version.get("htmlContent")
    text = text_of_fragment(content) if isinstance(content, str) else ""
    if not text:
        reason = "its text is in a PDF alone" if version.get("hasPdf") is True else "it has no text"
        return Skipped(reference, language, reason)
    date = day_of(reply.get("eventDate")) or day_of(reply.get("publishDate"))
    spoken = version.get("language")
    actual = spoken.strip().lower() if isinstance(spoken, str) and re.fullmatch(r"\s*\w\w\s*", spoken) else language
    return Document(
        reference=reference,
        kind=_kind_of(reply.get("docutypeResource"), reference),
        title=_title(version) or reference,
        text=text,
        date=date,
        language=actual.lower(),
        source_url=url_of(reference, actual),
        licence=LICENCE,
        # whatever else it says, it is not known to be public
        access=PUBLIC if reply.get("isEmbargo") in (False, None, "false") else EMBARGO,
        valid_from=date,
        topics=tuple(topics),
    )


def day_of(value: object) -> dt.date | None:
    """A day as replies write it: ISO (with or without a time), day/month/year, ddmmyyyy, or milliseconds since 1970.

    None for all else.
    """
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return (dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=value)).date()
        if not isinstance(value, str):
            return None
        if found := _ISO_DAY.match(value):
            return dt.date(int(found[1]), int(found[2]), int(found[3]))
        if found := _EUROPEAN_DAY.match(value):
            return dt.date(int(found[3]), int(found[2]), int(found[1]))
        if re.fullmatch(r"\s*\d{8}\s*", value):
            return dt.datetime.strptime(value.strip(), "%d%m%Y").date()
    except (ValueError, OverflowError):
        pass
    return None


def _count(value: object) -> int | None:
    """A number of things, as a number or in digits; None for all else."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _object(payload: object) -> Mapping[str, Any]:
    if not isinstance(payload, Mapping):
        raise PressCornerReplyError(f"the reply is {_kind(payload)}, not an object")
    return cast("Mapping[str, Any]", payload)


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    return "a list" if isinstance(value, list) else f"a {type(value).__name__}"


def _kind_of(resource: object, reference: str) -> str:
    """The kind of document, by its type's code or the reference's; an unknown type's is its own description."""
    fields: Mapping[str, Any] = cast("Mapping[str, Any]", resource) if isinstance(resource, Mapping) else {}
    code, description = fields.get("code"), fields.get("description")
    code = code.upper() if isinstance(code, str) and code else reference.split("/")[0]
    if code in _KINDS:
        return _KINDS[code]
    words = re.findall(r"[a-z0-9]+", description.lower()) if isinstance(description, str) else []
    return "_".join(words) or code.lower()


def _title(version: Mapping[str, Any]) -> str:
    title, subtitle = _line(version.get("title")), _line(version.get("subtitle"))
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return title or subtitle
    return f"{title} – {subtitle}"


def _line(value: object) -> str:
    return " ".join(text_of_fragment(value).split()) if isinstance(value, str) else ""
