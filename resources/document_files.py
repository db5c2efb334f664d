"""Corpora from files: one file or a folder of them, of one format or of many."""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

import yaml

from faithflow.corpus.document import PUBLIC, CorpusContent, Document, Question
from faithflow.corpus.documents_json import csv_documents, json_documents, superseding
from faithflow.corpus.documents_office import docx_document, pdf_document
from faithflow.corpus.documents_text import html_document, markdown_document, text_document
from faithflow.corpus.dronology import read_dronology
from faithflow.corpus.eurlex import read_eurlex
from faithflow.corpus.metadata import FIELDS, Metadata, hint, metadata_of
from faithflow.corpus.musique import read_musique
from faithflow.corpus.question_file import questions_of
from faithflow.corpus.reqif_exchange import read_reqif
from faithflow.corpus.reqtraq import read_reqtraq
from faithflow.corpus.requirements_csv import read_requirements_csv
from faithflow.corpus.source import NoTextError, SourceFile
from faithflow.corpus.versions import SUPERSEDES
from faithflow.errors import CorpusError
from faithflow.identity import Json
from faithflow.text.unicode import without_surrogates

LARGEST = 268_435_456
"""Bytes that a file may have, unpacked: 256 MiB."""

Reader = Callable[[Sequence[SourceFile]], CorpusContent]

_ONE_TEXT: Mapping[str, Callable[[SourceFile, Metadata], Document]] = {
    ".html": html_document,
    ".htm": html_document,
    ".xhtml": html_document,
    ".pdf": pdf_document,
    ".docx": docx_document,
    ".txt": text_document,
    ".md": markdown_document,
    ".markdown": markdown_document,
}
_MANY: Mapping[str, Callable[[SourceFile, Metadata], CorpusContent]] = {
    ".json": json_documents,
    ".jsonl": json_documents,
    ".ndjson": json_documents,
    ".csv": csv_documents,
    ".tsv": csv_documents,
}
_JSON = (".json", ".jsonl", ".ndjson")

# A format that a user names: its reader, and the endings of its files.
_FORMATS: Mapping[str, tuple[Reader, tuple[str, ...]]] = {
    "eurlex": (read_eurlex, _JSON),
    "musique": (read_musique, _JSON),
    "reqtraq": (read_reqtraq, (".md", ".markdown")),
    "dronology": (read_dronology, _JSON),
    "reqif": (read_reqif, (".reqif", ".xml")),
    "requirements_csv": (read_requirements_csv, (".csv", ".tsv")),
}
FORMATS = ("auto", *_FORMATS)

_AUTO = (*_ONE_TEXT, *_MANY, ".reqif")
_NOTES = (".meta.json", ".meta.yaml", ".meta.yml")
_NAMED_IN_WARNINGS = 5


@dataclass(frozen=True, slots=True)
class _Found:
    """A file, its name below the folder that was given, and its ending without ".gz", in lower case."""

    path: Path
    name: str
    ending: str


def read_documents(
    path: Path,
    format: str = "auto",  # noqa: A002
    *,
    language: str = "en",
    access: str = PUBLIC,
    licence: str | None = None,
    distractor_edges: bool = False,
) -> CorpusContent:
    """What a file, or a folder with all below it, brings, in the order of the files' names.

    `auto` goes by each file's ending (JSON, JSON Lines, CSV, HTML, PDF, DOCX, text, Markdown, ReqIF; with or without
    ".gz"); other FORMATS read what their makers write. `language`, `access` and `licence` hold for documents that say
    nothing of their own. A note beside a file, NAME.meta.json or NAME.meta.yaml (NAME with its ending), says what the
    file does not: of PDF, Word, HTML and text it overrules the file's own metadata. Of a folder, hidden files, files
    of unknown kinds and files without text are left out with a warning; of a single file they are errors.
    `distractor_edges` is for `musique` (see `read_musique`).
    Raises CorpusError with the file, the line or row, and what to do.
    """
    if format not in FORMATS:
        raise CorpusError(f'unknown format "{format}"{hint(format, FORMATS)}; known: {", ".join(FORMATS)}')
    defaults, _ = metadata_of({"language": language, "access": access, "licence": licence}, str(path))
    found, warnings = _files(path, _AUTO if format == "auto" else _FORMATS[format][1])
    if format == "auto":
        content = _joined([_auto(path, file, defaults) for file in found])
    else:
        reader = _FORMATS[format][0]
        if format == "musique":
            reader = partial(read_musique, distractor_edges=distractor_edges)
        content = _of_format(reader, [_source(file) for file in found], defaults)
    if not content.documents:
        raise CorpusError(f"{path}: no documents\n" + "\n".join((*warnings, *content.warnings)).strip())
    return replace(content, warnings=(*warnings, *content.warnings, *_replaced_nowhere(path, content)))


def _replaced_nowhere(path: Path, content: CorpusContent) -> Iterator[str]:
    known = {document.reference for document in content.documents}
    for link in content.links:
        if link.relation == SUPERSEDES and link.target not in known:
            yield f"{path}: {link.source} says that it replaces {link.target}, and there is no such document here"


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file (JSON, JSON Lines or CSV). Raises CorpusError with the line of what is wrong."""
    found, _ = _files(path, (".json", ".jsonl", ".ndjson", ".csv"))
    return tuple(question for file in found for question in questions_of(_source(file)))


def source_file(path: Path) -> SourceFile:
    """A file's bytes, unpacked where it is gzip. Raises CorpusError where it cannot be read or is too large."""
    return _source(_named(path, path.name))


def _named(path: Path, name: str) -> _Found:
    lower = name.lower().removesuffix(".gz")
    note = next((ending for ending in _NOTES if lower.endswith(ending)), None)
    return _Found(path, name, note or Path(lower).suffix)


def _files(path: Path, endings: Sequence[str]) -> tuple[list[_Found], list[str]]:
    """The files to read, sorted by name, and warnings of those passed over."""
    if path.is_file():
        file = _named(path, path.name)
        if file.ending not in endings:
            raise CorpusError(f"{path}: files of this kind are not read; read are {', '.join(endings)}")
        return [file], []
    if not path.is_dir():
        raise CorpusError(f"{path}: there is no such file or folder")
    found: list[_Found] = []
    hidden: list[str] = []
    unknown: list[str] = []
    for file in sorted(_below(path), key=lambda file: file.name):
        if any(part.startswith(".") for part in Path(file.name).parts):
            hidden.append(file.name)
        elif file.ending in endings:
            found.append(file)
        elif file.ending not in _NOTES:
            unknown.append(file.name)
        elif not file.path.with_name(_noted(file.path.name)).is_file():
            unknown.append(f"{file.name} (a note on a file that is not there)")
    warnings = [
        f"{path}: {len(names)} {what} passed over: {', '.join(names[:_NAMED_IN_WARNINGS])}"
        + (", …" if len(names) > _NAMED_IN_WARNINGS else "")
        for names, what in ((hidden, "hidden files"), (unknown, "files of other kinds"))
        if names
    ]
    return found, warnings


def _below(folder: Path) -> Iterator[_Found]:
    for root, _, names in os.walk(folder):
        for name in names:
            file = Path(root) / name
            found = _named(file, without_surrogates(file.relative_to(folder).as_posix()))
            # a pipe would be waited for without end
            yield found if file.is_file() else replace(found, ending="")


def _noted(note: str) -> str:
    """The name of the file that a note is on."""
    return next(note[: -len(ending)] for ending in _NOTES if note.lower().endswith(ending))


def _source(file: _Found) -> SourceFile:
    try:
        with file.path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
            with gzip.GzipFile(fileobj=plain) if packed else plain as stream:
                raw = stream.read(LARGEST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{file.path}: the gzip file is damaged or cut ({error}); write it anew") from error
    except OSError as error:
        raise CorpusError(f"{file.path}: cannot be read ({error.strerror or error})") from error
    if len(raw) > LARGEST:
        raise CorpusError(f"{file.path}: more than {LARGEST:,} bytes, unpacked; split the file")
    name = file.name[:-3] if file.name.lower().endswith(".gz") else file.name
    return SourceFile(name, raw)


def _auto(path: Path, file: _Found, defaults: Metadata) -> CorpusContent:
    try:
        source = _source(file)
        note = _note(file)
        if file.ending in _ONE_TEXT:
            metadata = note.over(defaults)
            document = _ONE_TEXT[file.ending](source, metadata)
            return CorpusContent((document,), superseding(document, metadata))
        if file.ending == ".reqif":
            return _of_format(read_reqif, [source], note.over(defaults))
        content = _MANY[file.ending](source, note.over(defaults))
        own = [name for name in ("reference", "title", "url", "supersedes") if getattr(note, name) is not None]
        if own and len(content.documents) > 1:
            n = len(content.documents)
            raise CorpusError(f"{file.path}: the note beside it gives one {own[0]} to {n} documents; take it out")
        return content
    except NoTextError as error:
        if path.is_dir():
            return CorpusContent(warnings=(f"{error} (left out)",))
        raise


def _note(file: _Found) -> Metadata:
    for ending in _NOTES:
        note = file.path.with_name(file.path.name + ending)
        if note.is_file():
            text = _source(_named(note, str(note))).text
            try:
                said = yaml.safe_load(text)  # JSON is YAML
            except (yaml.YAMLError, RecursionError, ValueError) as error:  # ValueError: 2026-02-31
                reason = " ".join(str(error).split())
                raise CorpusError(f"{note}: not to be read as YAML or JSON ({reason})") from error
            if not isinstance(said, dict) or not all(
                isinstance(key, str) for key in cast("dict[object, object]", said)
            ):
                raise CorpusError(f"{note}: an object with keys such as title and date was expected")
            metadata, unknown = metadata_of(cast("Mapping[str, Json]", said), str(note))
            if unknown:
                raise CorpusError(f'{note}: unknown key "{unknown[0]}"{hint(unknown[0], FIELDS)}')
            return metadata
    return Metadata()


def _of_format(reader: Reader, files: Sequence[SourceFile], defaults: Metadata) -> CorpusContent:
    if not files:
        return CorpusContent()
    content = reader(files)
    documents = tuple(
        replace(
            document,
            language=defaults.language or document.language,
            access=defaults.access or document.access,
            licence=document.licence or defaults.licence,
        )
        for document in content.documents
    )
    return replace(content, documents=documents)


def _joined(contents: Sequence[CorpusContent]) -> CorpusContent:
    return CorpusContent(
        documents=tuple(document for content in contents for document in content.documents),
        links=tuple(link for content in contents for link in content.links),
        warnings=tuple(warning for content in contents for warning in content.warnings),
    )
