"""Which documents are newer versions of others, and which say the same as others."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from urllib.parse import urlsplit

from faithflow.corpus.document import PUBLIC, Document, Link
from faithflow.corpus.near_duplicates import Index, figures, normalised
from faithflow.corpus.scope import end_day, first_day
from faithflow.errors import CorpusError

SUPERSEDES = "supersedes"
"""The relation from a document to the older one that it replaces."""

ITEM_KINDS = frozenset({"requirement", "act", "article", "recital", "annex", "paragraph"})
"""Kinds that are parts of a set in which each has an identity of its own: two that read alike are still two."""

_OFFICIAL = "europa.eu"


def resolve(documents: Sequence[Document], links: Iterable[Link] = ()) -> list[Document]:
    """The documents, in their order, with `supersedes`, `duplicate_of` and the validity that follows from them.

    A document of the same reference and language with a later date and another text replaces the one before it; so
    does one that states so (`supersedes`, or a link of that name). The older one then holds until the newer one's
    `valid_from`, or date, unless its end is stated. A document that says the same as another of its language (the same
    words, or shingles at least 0.9 alike and the same `figures`) is its duplicate where whoever may read it may read
    the other too, on every day on which it holds. Of the two the public one is kept, then the one of the official
    source, the one that holds since earlier, the longer, the one of the earlier date, the one with the smaller id.
    ITEM_KINDS have no duplicates. Resolving what is resolved changes nothing.

    Raises CorpusError where documents replace each other in a circle, or one replaces another of a later date: nobody
    could tell which holds.
    """
    held = {document.document_id: document for document in documents}
    _chain_versions(held)
    _chain_stated(held, links)
    for copy, kept in _duplicates(list(held.values())).items():
        held[copy] = replace(held[copy], duplicate_of=kept)
    return [held[document.document_id] for document in documents]


def _chain_versions(held: dict[str, Document]) -> None:
    versions: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for document_id, document in held.items():
        if document.date is not None:
            versions[document.reference, document.language].append(document_id)
    for ids in versions.values():
        ordered = sorted(ids, key=lambda own: (held[own].date or dt.date.min, own))
        different = ordered[:1] + [own for before, own in pairwise(ordered) if _differ(held[before], held[own])]
        for older, newer in pairwise(different):
            if held[older].date != held[newer].date:
                _replace(held, older, newer)


def _differ(before: Document, own: Document) -> bool:
    """Whether a version says other things than the one before it, which a mere reissue does not."""
    return normalised(before.text) != normalised(own.text)


def _chain_stated(held: dict[str, Document], links: Iterable[Link]) -> None:
    for newer, document in list(held.items()):
        if document.supersedes in held:
            _replace(held, document.supersedes, newer)
    by_reference: defaultdict[str, list[str]] = defaultdict(list)
    for document_id, document in held.items():
        by_reference[document.reference].append(document_id)
    for link in links:
        if link.relation != SUPERSEDES:
            continue
        for newer in by_reference[link.source]:
            language = held[newer].language
            older = [own for own in by_reference[link.target] if held[own].language == language and own != newer]
            # of several versions, those that were there before this one
            earlier = [own for own in older if not _is_later(held[own], held[newer])] or older
            if earlier and held[newer].supersedes is None:
                _replace(held, max(earlier, key=lambda own: (held[own].date or dt.date.min, own)), newer)


def _is_later(document: Document, other: Document) -> bool:
    return document.date is not None and other.date is not None and document.date > other.date


def _replace(held: dict[str, Document], older: str, newer: str) -> None:
    names = f"{held[newer].reference!r} replaces {held[older].reference!r}"
    if _is_later(held[older], held[newer]):
        raise CorpusError(
            f"{names}, which is of a later date ({held[newer].date}, {held[older].date}); mend supersedes or the dates"
        )
    chain: set[str] = set()
    before: str | None = older
    while before in held and before not in chain:
        chain.add(before)
        before = held[before].supersedes
    if newer in chain:
        raise CorpusError(f"{names}, which replaces it in turn: documents must not replace each other in a circle")
    begins = held[newer].valid_from or held[newer].date
    former = held[older]
    if former.valid_to is None and begins is not None:
        # one that was to hold later than its successor never holds: its time is empty, not turned round
        ends = max(begins, former.valid_from) if former.valid_from else begins
        held[older] = replace(former, valid_to=ends)
    held[newer] = replace(held[newer], supersedes=held[newer].supersedes or older, valid_from=begins)


def _duplicates(documents: Sequence[Document]) -> dict[str, str]:
    """The duplicates' ids, and the ids of the documents that are kept in their place."""
    by_language: defaultdict[str, list[Document]] = defaultdict(list)
    for document in documents:
        if document.kind not in ITEM_KINDS:
            by_language[document.language].append(document)
    duplicates: dict[str, str] = {}
    for language, same in by_language.items():
        duplicates |= _duplicates_of_language(same, language)
    return duplicates


def _duplicates_of_language(documents: Sequence[Document], language: str) -> dict[str, str]:
    words = {document.document_id: normalised(document.text) for document in documents}
    texts = [text for text in dict.fromkeys(words.values()) if text]
    places = {text: i for i, text in enumerate(texts)}
    index = Index(texts)

    @cache
    def told(i: int) -> Counter[str]:
        return figures(texts[i], language)

    rank = {document.document_id: _rank(document, words) for document in documents}
    kept: defaultdict[int, list[Document]] = defaultdict(list)
    duplicates: dict[str, str] = {}
    # the best one first: each is then compared with those that are kept alone, however many copies there are
    for own in sorted(documents, key=lambda document: rank[document.document_id]):
        at = places.get(words[own.document_id])
        if at is None:
            continue
        near = [at, *(i for i in index.like(at) if i != at and told(i) == told(at))]
        # a version that differs by a word is a version, no duplicate
        others = [other for i in near for other in kept[i] if i == at or other.reference != own.reference]
        covering = [other.document_id for other in others if _covers(other, own)]
        if covering:
            duplicates[own.document_id] = min(covering, key=rank.__getitem__)
        else:
            if not kept[at]:
                index.add(at)
            kept[at].append(own)
    return duplicates


def _rank(document: Document, words: Mapping[str, str]) -> tuple[bool, bool, int, int, dt.date, str]:
    """Smaller is kept."""
    return (
        document.access != PUBLIC,
        not _is_official(document.source_url or ""),
        first_day(document.valid_from),
        -len(words[document.document_id]),
        document.date or dt.date.max,
        document.document_id,
    )


def _is_official(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host == _OFFICIAL or host.endswith(f".{_OFFICIAL}")


def _covers(kept: Document, copy: Document) -> bool:
    """Whether whoever may read the copy, on a day on which it holds, may read the kept one. Of a copy that does not
    say since when it holds, the kept one says it."""
    return (
        kept.access in (PUBLIC, copy.access)
        and (copy.valid_from is None or first_day(kept.valid_from) <= first_day(copy.valid_from))
        and end_day(copy.valid_to) <= end_day(kept.valid_to)
    )
