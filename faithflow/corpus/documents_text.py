"""Documents from files that are one text: plain, Markdown, HTML."""

import re

from faithflow.corpus.document import Document
from faithflow.corpus.metadata import Metadata, document_of
from faithflow.corpus.source import NoTextError, SourceFile
from faithflow.text.html import text_of_fragment, title_of

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)


def text_document(file: SourceFile, metadata: Metadata) -> Document:
    """A plain text; its title is the file's name where nobody gave one. Raises NoTextError where it is empty."""
    text = file.text.strip("\n")
    return document_of(metadata, reference=file.name, kind="text", title=file.stem, text=text, place=file.name)


def markdown_document(file: SourceFile, metadata: Metadata) -> Document:
    """A Markdown text as it stands; its first heading is its title where nobody gave one."""
    text = file.text.strip("\n")
    heading = _HEADING.search(text)
    title = heading[1] if heading else file.stem
    return document_of(metadata, reference=file.name, kind="markdown", title=title, text=text, place=file.name)


def html_document(file: SourceFile, metadata: Metadata) -> Document:
    """The text that a page shows, under its own title. Raises NoTextError where it shows none."""
    markup = file.text
    text = text_of_fragment(markup)
    if not text.strip():
        raise NoTextError(f"{file.name}: the page shows no text (is it made by a script?); save it as it is shown")
    title = title_of(markup) or file.stem
    return document_of(metadata, reference=file.name, kind="html", title=title, text=text, place=file.name)
