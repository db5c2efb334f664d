"""Documents from PDF and Word files: their text block by block, and what the files say of themselves."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from faithflow.corpus.document import Document
from faithflow.corpus.metadata import LONGEST, Metadata, document_of
from faithflow.corpus.source import NoTextError, SourceFile
from faithflow.errors import CorpusError
from faithflow.text.unicode import without_surrogates

_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:-|\u00ad|\u2010)[ \t]*\n[ \t]*(?=[^\W\d_])")
_BLANKS = re.compile(r"[ \t\u00a0]+")
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WRAPPERS = frozenset(
    {"ins", "moveTo", "sdt", "sdtContent", "hyperlink", "smartTag", "fldSimple", "customXml", "dir", "bdo"}
)
_NOT_SHOWN = frozenset({"del", "moveFrom"})
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# A Word file of a few kilobytes may unpack to gigabytes.
_MOST_UNPACKED = 268_435_456


def pdf_document(file: SourceFile, metadata: Metadata) -> Document:
    """A PDF's text, pages parted by blank lines, words parted at line ends joined; title and date by its own metadata.

    Raises NoTextError where it is encrypted, damaged, or pictures of pages alone.
    """
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(file.raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise NoTextError(f"{file.name}: the PDF is encrypted; save it without a password")
        text = _joined(_pages(reader, file.name))
        own = _pdf_metadata(reader)
    except CorpusError:
        raise
    except Exception as error:  # pypdf raises errors of any kind where a file's structure surprises it
        raise NoTextError(f"{file.name}: the PDF is damaged ({type(error).__name__}: {error}); save it anew") from error
    if not text:
        raise NoTextError(f"{file.name}: the PDF holds no text (scanned pages?); run a text recognition over it first")
    said = metadata.over(own)
    return document_of(said, reference=file.name, kind="pdf", title=file.stem, text=text, place=file.name)


def docx_document(file: SourceFile, metadata: Metadata) -> Document:
    """A Word file's headings (marked as in Markdown), paragraphs and tables in their order, as they read with all
    tracked changes accepted; what stands in content controls, links and tables within tables is text like any other.

    Raises NoTextError where it is damaged, encrypted or empty, CorpusError where it would unpack to too much.
    """
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(file.raw)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise CorpusError(f"{file.name}: the file unpacks to {unpacked:,} bytes; split it")
        word = docx.Document(io.BytesIO(file.raw))
        text = "\n\n".join(_word_blocks(word.element.body, word))
        own = _word_metadata(word)
    except CorpusError:
        raise
    except Exception as error:  # python-docx raises errors of any kind where a file's structure surprises it
        reason = "it is no Word file, encrypted or damaged"
        raise NoTextError(f"{file.name}: {reason} ({type(error).__name__}); save it anew as .docx") from error
    if not text:
        raise NoTextError(f"{file.name}: the Word file holds no text")
    said = metadata.over(own)
    return document_of(said, reference=file.name, kind="docx", title=file.stem, text=text, place=file.name)


def _pages(reader: Any, name: str) -> Iterator[str]:
    length = 0
    for page in reader.pages:
        text = without_surrogates(str(page.extract_text() or "")).replace("\x00", "")
        length += len(text)
        if length > LONGEST:
            raise CorpusError(f"{name}: a document of more than {LONGEST:,} characters; split it")
        yield text


def _joined(pages: Iterator[str]) -> str:
    texts: list[str] = []
    for page in pages:
        lines = [_BLANKS.sub(" ", line).strip() for line in page.replace("\r", "\n").replace("\f", "\n\n").split("\n")]
        text = re.sub(r"\n{3,}", "\n\n", _HYPHEN.sub(_join, "\n".join(lines))).strip("\n")
        if text:
            texts.append(text)
    return "\n\n".join(texts)


def _join(hyphen: "re.Match[str]") -> str:
    """A hyphen at a line's end goes where the word goes on in lower case; before a capital ("EU-\\nWide") it stays."""
    following = hyphen.string[hyphen.end()]
    return "" if following.islower() else "-"


def _pdf_metadata(reader: Any) -> Metadata:
    try:
        info = reader.metadata
        title, created = (info.title, info.creation_date) if info else (None, None)
    except (ValueError, TypeError, AttributeError):  # a date or title in a form of its own says nothing
        return Metadata()
    return Metadata(title=_said(title), date=created.date() if isinstance(created, dt.datetime) else None)


def _word_blocks(parent: Any, word: Any) -> Iterator[str]:
    """The blocks of a body or a cell. Read from the XML itself: the library's own paragraphs and tables pass over
    insertions, content controls and tables within cells."""
    for name, element in _shown(parent):
        if name == "tbl":
            rows = (_row(row, word) for kind, row in _shown(element) if kind == "tr")
            text = "\n".join(row for row in rows if row)
        else:
            text = _paragraph(element, word) if name == "p" else ""
        if text:
            yield text


def _shown(parent: Any) -> Iterator[tuple[str, Any]]:
    """The children of an element with their names in Word's vocabulary, those within wrappers (insertions, content
    controls, links, fields) in the wrapper's place; deleted and hidden ones are none."""
    for element in parent.iterchildren():
        name = str(element.tag).removeprefix(_WORD)
        if name in _WRAPPERS:
            yield from _shown(element)
        elif name not in _NOT_SHOWN:
            yield name, element


def _text(parent: Any) -> str:
    """The text of a paragraph or of one of its runs."""
    pieces: list[str] = []
    for name, element in _shown(parent):
        if name == "r":
            pieces.append(_text(element))
        elif name == "t":
            pieces.append(element.text or "")
        else:
            pieces.append(_SIGNS.get(name, ""))
    return "".join(pieces)


def _paragraph(element: Any, word: Any) -> str:
    from docx.text.paragraph import Paragraph

    lines = _text(element).split("\n")
    text = without_surrogates("\n".join(_BLANKS.sub(" ", line).strip() for line in lines)).strip()
    if not text:
        return ""
    named = Paragraph(element, word).style
    style = str(named.name or "") if named is not None else ""
    if style == "Title" or style.startswith("Heading"):
        level = int(style[8:]) if style[8:].isdigit() else 1
        return f"{'#' * min(level, 6)} {' '.join(text.split())}"
    return f"- {text}" if style.startswith("List") else text


def _row(row: Any, word: Any) -> str:
    """A row's cells as the file holds them: a merged cell once, not once for each column that it says to span, which
    may be a billion."""
    cells = [" ".join(" ".join(_word_blocks(cell, word)).split()) for name, cell in _shown(row) if name == "tc"]
    return " | ".join(cells) if any(cells) else ""


def _word_metadata(word: Any) -> Metadata:
    properties = word.core_properties
    when = properties.modified or properties.created
    return Metadata(title=_said(properties.title), date=when.date() if isinstance(when, dt.datetime) else None)


def _said(value: object) -> str | None:
    text = " ".join(without_surrogates(value).split()) if isinstance(value, str) else ""
    return text or None
