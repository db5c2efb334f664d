"""Questions files: what is asked of a corpus, where the answer stands, and what it is."""

from collections.abc import Mapping

from faithflow.corpus.document import Gold, Question
from faithflow.corpus.jsonl import kind_of
from faithflow.corpus.metadata import hint
from faithflow.corpus.source import Record, SourceFile, csv_records, json_records
from faithflow.errors import CorpusError
from faithflow.text.unicode import is_blank

_KEYS = ("id", "question", "topic", "stratum", "gold", "gold_answer")
_GOLD_KEYS = ("reference", "quote")
# in the tables of agreement this stands for all strata together
_RESERVED = "*"


def questions_of(file: SourceFile) -> tuple[Question, ...]:
    """The questions of a JSON, JSON Lines or CSV file:
    `{"id"?, "question", "topic"?, "stratum"?, "gold": [{"reference", "quote"?}]?, "gold_answer"?}`.

    In CSV a cell of `gold` holds references parted by ";". Keys that begin with "_" are the user's own.
    Raises CorpusError with the line of what is wrong, of an unknown key, and of an id that stands twice.
    """
    records = csv_records(file) if file.name.lower().endswith(".csv") else json_records(file)
    if not records:
        raise CorpusError(f"{file.name}: the file holds no questions")
    first: dict[str, str] = {}
    questions: list[Question] = []
    for record in records:
        question = _question(record)
        other = first.setdefault(question.question_id, record.place)
        if other != record.place:
            what = f"the id {question.id}" if question.id else "the same question"
            raise CorpusError(f'{record.place}: {what} stands in {other} already; give each an "id" of its own')
        questions.append(question)
    return tuple(questions)


def _question(record: Record) -> Question:
    for key in record.fields:
        if key not in _KEYS and not key.startswith("_"):
            raise CorpusError(f'{record.place}: unknown key "{key[:80]}"{hint(key, _KEYS)}; known: {", ".join(_KEYS)}')
    question = _text(record, "question")
    if is_blank(question):
        raise CorpusError(f'{record.place}: "question" is missing or empty')
    stratum = _text(record, "stratum") or "all"
    if stratum == _RESERVED:
        raise CorpusError(f'{record.place}: the stratum "{_RESERVED}" stands for all together; name it otherwise')
    answer = record.fields.get("gold_answer")
    if answer is not None and not isinstance(answer, str):
        raise CorpusError(f'{record.place}: "gold_answer" must be text, not {kind_of(answer)}')
    return Question(question, _text(record, "topic"), stratum, _gold(record), answer, _text(record, "id") or None)


def _text(record: Record, key: str) -> str:
    value = record.fields.get(key)
    if key in ("id", "stratum") and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise CorpusError(f'{record.place}: "{key}" must be text, not {kind_of(value)}')
    return " ".join(value.split())


def _gold(record: Record) -> tuple[Gold, ...] | None:
    value = record.fields.get("gold")
    if value is None:
        return None
    if isinstance(value, str):
        return tuple(Gold(" ".join(word.split())) for word in value.split(";") if word.strip())
    if not isinstance(value, list):
        raise CorpusError(f'{record.place}: "gold" must be a list of objects, not {kind_of(value)}')
    gold: list[Gold] = []
    for number, item in enumerate(value, start=1):
        place = f"{record.place}, gold {number}"
        if not isinstance(item, Mapping) or set(item) - set(_GOLD_KEYS):
            raise CorpusError(f'{place}: an object with "reference" and perhaps "quote" was expected')
        reference, quote = item.get("reference"), item.get("quote")
        if not isinstance(reference, str) or not reference.strip():
            raise CorpusError(f'{place}: "reference" is missing or no text')
        if quote is not None and (not isinstance(quote, str) or not quote.strip()):
            raise CorpusError(f'{place}: "quote" must be text that stands in the document')
        gold.append(Gold(" ".join(reference.split()), quote))
    return tuple(dict.fromkeys(gold))
