"""Acts of EUR-Lex cut into units: articles and recitals as documents of their own, so that each can be cited.

A document is an article, not its paragraphs: an article is what other acts, courts and readers name, its paragraphs
are read together, and each paragraph is a block of its text with its number.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence

from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.metadata import LONGEST
from faithflow.corpus.source import Record, SourceFile, json_records
from faithflow.errors import CorpusError

PART_OF = "part_of"
REFERENCES = "references"

_ACT = re.compile(r"(REGULATION|DIRECTIVE|DECISION)\s+(?:\([A-Z, ]+\)\s+)?(No\s+)?(\d+)/(\d+)", re.IGNORECASE)
_LETTERS = {"regulation": "R", "directive": "L", "decision": "D"}
_MONTHS = {
    name: number
    for number, name in enumerate(
        (
            "january", "february", "march", "april", "may", "june",
            "july", "august", "september", "october", "november", "december",
        ),
        start=1,
    )
}  # fmt: skip
_DATE = re.compile(rf"\bof (\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})", re.IGNORECASE)

_NUMBER = r"\d+[a-z]?(?:\(\w{1,4}\))*"
_NUMBERS = rf"{_NUMBER}(?:(?:, | and | or | to |, and |, or ){_NUMBER})*"
_ARTICLES = re.compile(rf"\bArticles? ({_NUMBERS})")
# What may stand between an article's number and the act that it belongs to.
_FURTHER = re.compile(
    rf"(?:,? ?(?:(?:and|or|to) )?(?:Articles? {_NUMBERS}|points? |paragraphs? |\(\w{{1,4}}\)|{_NUMBER}|"
    r"(?:first|second|third|fourth|fifth|last) |(?:sub)?paragraphs?|indents?|sentences?|(?:and|or|to)(?= \())){0,40}"
)
_ELSEWHERE = re.compile(r",? ?(?:thereof|TFEU|TEU|of (?!this (?:Regulation|Directive|Decision|Article)\b))")
_RANGE = re.compile(r"(\d+)[a-z]?(?:\(\w{1,4}\))*(?: to (\d+))?")
_AMENDS = re.compile(r"\b(?:is|are) (?:hereby )?amended as follows|\b(?:is|are) (?:hereby )?amended accordingly")


def read_eurlex(files: Sequence[SourceFile]) -> CorpusContent:
    """One act a file, a JSON line a unit: `{id, type, ref, text, parent_id, article_number, …}` in reading order.

    The act, each article, recital and annex become documents ("32022R2554", "32022R2554 Article 5", "32022R2554
    Recital 30"), with part_of links to the act and references links to the articles of the same act that a text
    names. Points stay lines of their paragraph's block. Raises CorpusError where a unit is not of this form.
    """
    documents: list[Document] = []
    links: list[Link] = []
    for file in files:
        found, stated = _act(file, json_records(file))
        documents += found
        links += stated
    return CorpusContent(tuple(documents), tuple(links))


def celex_of(title: str) -> str | None:
    """The CELEX number of a regulation, directive or decision by its title: "REGULATION (EU) 2022/2554 …" gives
    32022R2554. With "No", number/year was the order (before 2015); without it, year/number."""
    match = _ACT.search(title)
    if match is None:
        return None
    year, number = (match[4], match[3]) if match[2] else (match[3], match[4])
    year = f"19{year}" if len(year) == 2 else year
    return f"3{year}{_LETTERS[match[1].lower()]}{int(number):04d}" if len(year) == 4 else None


def named_articles(text: str) -> list[str]:
    """The numbers of the articles of its own act that a text names, each once, in order: "Articles 5 to 7" gives 5, 6
    and 7; "Article 4 of Directive 2009/138/EC" none. In doubt an article is taken for another act's."""
    found: dict[str, None] = {}
    for match in _ARTICLES.finditer(text):
        further = _FURTHER.match(text, match.end())
        if _ELSEWHERE.match(text, further.end() if further else match.end()):
            continue
        for first, last in _RANGE.findall(re.sub(r"\(\w{1,4}\)", "", match[1])):
            end = int(last) if last else int(first)
            found |= dict.fromkeys(str(n) for n in range(int(first), min(end, int(first) + 200) + 1))
    return list(found)


def _act(file: SourceFile, records: Sequence[Record]) -> tuple[list[Document], list[Link]]:
    units = [_unit(record) for record in records]
    title = next((unit["text"] for unit in units if unit["type"] == "document_title"), "")
    celex = celex_of(title) or file.stem
    date = _date_of(title)
    short = " ".join(title.split()[:3]).title().replace("(Eu)", "(EU)") if celex_of(title) else celex
    url = f"https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:{celex}" if celex_of(title) else None
    documents = [Document(celex, "act", short, title or celex, date, source_url=url)]
    links: list[Link] = []
    groups = _groups(file.name, units)
    for (kind, label), members in groups.items():
        text = "\n\n".join(_blocks(members))
        if len(text) > LONGEST:
            raise CorpusError(f"{file.name}: {label} has {len(text):,} characters; split it (at most {LONGEST:,})")
        reference = f"{celex} {label}"
        documents.append(Document(reference, kind, f"{short}, {label}", text, date, source_url=url))
        links.append(Link(reference, PART_OF, celex))
        if not _AMENDS.search(text):
            named = (f"Article {number}" for number in named_articles(text))
            own = [other for other in named if ("article", other) in groups and other != label]
            links += [Link(reference, REFERENCES, f"{celex} {other}") for other in own]
    return documents, links


def _date_of(title: str) -> dt.date | None:
    """The day of an act by its title; None where it names none, or one that is in no calendar."""
    match = _DATE.search(title)
    try:
        return dt.date(int(match[3]), _MONTHS[match[2].lower()], int(match[1])) if match else None
    except ValueError:
        return None


def _unit(record: Record) -> Mapping[str, str]:
    fields = {key: value for key, value in record.fields.items() if isinstance(value, str)}
    if not {"id", "type", "text"} <= fields.keys():
        raise CorpusError(f'{record.place}: a unit needs "id", "type" and "text"')
    return {"ref": "", "article_number": "", **fields}


def _groups(name: str, units: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], list[Mapping[str, str]]]:
    """The units of each article, recital and annex, in reading order, under (kind, label); those without text left
    out."""
    groups: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for unit in units:
        kind = unit["type"]
        if unit["article_number"]:
            key = ("article", f"Article {unit['article_number']}")
        elif kind == "recital":
            key = ("recital", f"Recital {unit['ref'].strip('()') or unit['id']}")
        elif kind == "document_title":
            continue
        else:
            key = ("annex", unit["ref"] or unit["id"])
        if unit["text"].strip():
            groups.setdefault(key, []).append(unit)
    if not groups:
        raise CorpusError(f"{name}: no articles or recitals; is it a file of EUR-Lex units?")
    return groups


def _blocks(units: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """A paragraph or subparagraph with its points, one a line, is a block."""
    block: list[str] = []
    for unit in units:
        text = " ".join(unit["text"].split())
        numbered = unit["ref"] and not unit["ref"].startswith("Article") and unit["type"] != "recital"
        line = f"{unit['ref']} {text}" if numbered else text
        if block and unit["type"] in ("paragraph", "subparagraph"):
            yield "\n".join(block)
            block = []
        block.append(line)
    yield "\n".join(block)
