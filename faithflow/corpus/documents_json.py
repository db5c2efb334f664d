"""Documents from records: JSON objects and CSV rows with a title, a text and what is said of them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.metadata import FIELDS, Metadata, document_of, hint, metadata_of
from faithflow.corpus.press_corner import PressCornerReplyError, Skipped, parse_document
from faithflow.corpus.source import NoTextError, Record, SourceFile, csv_records, json_records
from faithflow.corpus.versions import SUPERSEDES
from faithflow.errors import CorpusError
from faithflow.text.html import text_of_fragment, title_of
from faithflow.text.unicode import is_blank

TEXT_KEYS = ("text", "content", "html")


def json_documents(file: SourceFile, defaults: Metadata) -> CorpusContent:
    """The documents of a JSON or JSON Lines file; replies of the Press Corner are known by their shape.

    `defaults` say what the records themselves do not. Raises CorpusError with the place of a bad record.
    """
    return _documents(file, json_records(file), defaults)


def csv_documents(file: SourceFile, defaults: Metadata) -> CorpusContent:
    """The documents of a CSV file, one a row; a column named text, content or html holds the text."""
    records = csv_records(file)
    if not records:
        raise NoTextError(f"{file.name}: the file holds no rows below its header")
    columns = dict.fromkeys(name for record in records for name in record.fields)
    if not any(key in columns for key in TEXT_KEYS):
        raise CorpusError(f'{file.name}: no column "text" (or "content", "html") with text; there are: {list(columns)}')
    return _documents(file, records, defaults)


def superseding(document: Document, metadata: Metadata) -> tuple[Link, ...]:
    """The link that a document states to the older one that it replaces."""
    return (Link(document.reference, SUPERSEDES, metadata.supersedes),) if metadata.supersedes else ()


def _documents(file: SourceFile, records: Sequence[Record], defaults: Metadata) -> CorpusContent:
    documents: list[Document] = []
    links: list[Link] = []
    warnings: list[str] = []
    unknown: Counter[str] = Counter()
    for number, record in enumerate(records, start=1):
        if "docuLanguageResource" in record.fields:
            press = _press_document(record, defaults)
            if isinstance(press, str):
                warnings.append(press)
            else:
                documents.append(press)
            continue
        own, others = metadata_of(record.fields, record.place, TEXT_KEYS)
        unknown.update(others)
        metadata = own.over(defaults)
        title, text = _title_and_text(record)
        if is_blank(text):
            warnings.append(f"{record.place}: no text; left out")
            continue
        name = file.name if len(records) == 1 else f"{file.stem}#{number}"
        document = document_of(
            metadata, reference=metadata.url or name, kind="document", title=title, text=text, place=record.place
        )
        documents.append(document)
        links += superseding(document, metadata)
    warnings += _unknown(file.name, unknown)
    return CorpusContent(tuple(documents), tuple(links), warnings=tuple(warnings))


def _title_and_text(record: Record) -> tuple[str, str]:
    given = [key for key in TEXT_KEYS if record.fields.get(key) is not None]
    if not given:
        raise CorpusError(f'{record.place}: no "text" (or "content", "html"); it has: {list(record.fields)[:20]}')
    if len(given) > 1:
        given = [key for key in given if str(record.fields[key]).strip()][:1] or given
    value = record.fields[given[0]]
    if not isinstance(value, str):
        raise CorpusError(f'{record.place}: "{given[0]}" must be text')
    if given[0] == "html":
        return title_of(value), text_of_fragment(value)
    return "", value.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").strip("\n")


def _press_document(record: Record, defaults: Metadata) -> Document | str:
    reference = record.fields.get("refCd")
    language = defaults.language or "en"
    resource = record.fields["docuLanguageResource"]
    if isinstance(resource, dict) and isinstance(resource.get("language"), str):
        language = str(resource["language"]).lower()
    if not isinstance(reference, str) or not reference.strip():
        raise CorpusError(f'{record.place}: a reply of the Press Corner without its reference ("refCd")')
    try:
        parsed = parse_document(record.fields, reference, language, defaults.topics or ())
    except PressCornerReplyError as error:
        raise CorpusError(f"{record.place}: {error}") from None
    return f"{record.place}: {parsed.reason}; left out" if isinstance(parsed, Skipped) else parsed


def _unknown(name: str, unknown: Counter[str]) -> Iterable[str]:
    known = (*FIELDS, *TEXT_KEYS)
    for key, n in sorted(unknown.items())[:20]:
        yield f'{name}: the key "{key[:80]}"{hint(key, known)} was passed over ({n} times)'
