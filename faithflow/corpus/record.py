"""One JSON object to one trace: every field checked, nothing guessed."""

from collections.abc import Mapping, Sequence
from typing import cast

from faithflow.corpus.aliases import near, settle
from faithflow.corpus.jsonl import LineError, kind_of
from faithflow.corpus.labels import read_labels
from faithflow.corpus.trace import Context, GivenClaim, Trace
from faithflow.identity import Json, content_id

# in the tables of agreement this stands for all pipelines, or all strata, together
_RESERVED = "*"


def trace_of(record: Mapping[str, Json]) -> tuple[Trace, list[str]]:
    """The trace that a record describes, and warnings (equal text for equal causes, so that they can be counted).

    Raises LineError with the field and what to do.
    """
    fields, unknown = settle(record)
    warnings = [_unknown_key(key) for key in unknown]
    question = _text(fields, "question", unknown)
    answer = _text(fields, "answer", unknown)
    contexts, more = _contexts(fields.get("contexts"))
    warnings += more
    pipeline = _group(fields, "pipeline", "default")
    stratum = _group(fields, "stratum", "all")
    repeat = _repeat(fields.get("repeat"))
    claims = _claims(fields.get("claims"))
    labels, more = read_labels(
        fields.get("labels"), answer, None if claims is None else frozenset(claim.id for claim in claims)
    )
    trace = Trace(
        id=_word(fields.get("id"), "id") or _content_hash(question, answer, contexts, pipeline, stratum, repeat),
        question=question,
        answer=answer,
        contexts=contexts,
        pipeline=pipeline,
        stratum=stratum,
        repeat=repeat,
        citations=_citations(fields.get("citations")),
        claims=claims,
        gold=_gold(fields.get("gold")),
        labels=labels,
    )
    return trace, warnings + more


def _content_hash(
    question: str, answer: str, contexts: Sequence[Context], pipeline: str, stratum: str, repeat: int
) -> str:
    passages = [[context.id, context.source, context.text] for context in contexts]
    return content_id("t", [question, answer, passages, pipeline, stratum, repeat])


def _unknown_key(key: str) -> str:
    meant = near(key)
    hint = f' (did you mean "{meant}"?)' if meant else ""
    return f'unknown key "{key[:80]}"{hint}, ignored'


def _text(fields: Mapping[str, Json], name: str, unknown: Sequence[str]) -> str:
    if name not in fields:
        meant = next((key for key in unknown if near(key, (name,))), None)
        hint = f'; did you mean it by "{meant}"?' if meant else ""
        raise LineError(f'no "{name}"{hint}')
    value = fields[name]
    if value is None:
        return ""
    if not isinstance(value, str):
        raise LineError(f'"{name}" must be text, not {kind_of(value)}')
    return value


def _word(value: Json, name: str) -> str | None:
    """A name or id: text, or a number, which is kept as its digits. None where it is not given."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise LineError(f'"{name}" must be text or a number, not {kind_of(value)}')


def _group(fields: Mapping[str, Json], name: str, default: str) -> str:
    value = _word(fields.get(name), name) or default
    if value == _RESERVED:
        raise LineError(f'"{name}" must not be "*", which stands for all of them together in the tables')
    return value


def _repeat(value: Json) -> int:
    if value is None:
        return 0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise LineError('"repeat" must be a whole number from 0 on')
    return value


def _items(value: Json, name: str) -> Sequence[Json] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise LineError(f'"{name}" must be a list, not {kind_of(value)}')
    return cast("Sequence[Json]", value)


def _contexts(value: Json) -> tuple[tuple[Context, ...], list[str]]:
    warnings: list[str] = []
    kept: dict[str, Context] = {}
    for index, item in enumerate(_items(value, "contexts") or ()):
        context, unknown = _context(item, f"contexts[{index}]")
        warnings += [f'unknown key "{key[:80]}" in contexts, ignored' for key in unknown]
        first = kept.setdefault(context.id, context)
        if first is not context:
            if first.text != context.text:
                raise LineError(f'contexts[{index}]: the id "{context.id}" was given to another text before')
            warnings.append("a passage listed twice in one trace, kept once")
    return tuple(kept.values()), warnings


def _context(item: Json, where: str) -> tuple[Context, list[str]]:
    if item is None or isinstance(item, str):
        text = item or ""
        return Context(content_id("p", text), text), []
    if not isinstance(item, dict):
        raise LineError(f'{where} must be text or an object with "text", not {kind_of(item)}')
    if "text" not in item:
        raise LineError(f'{where} has no "text"')
    text = item["text"]
    if text is not None and not isinstance(text, str):
        raise LineError(f"{where}.text must be text, not {kind_of(text)}")
    text = text or ""
    context = Context(
        _word(item.get("id"), f"{where}.id") or content_id("p", text),
        text,
        _word(item.get("source"), f"{where}.source"),
    )
    return context, [key for key in item if key not in ("id", "text", "source") and not key.startswith("_")]


def _citations(value: Json) -> tuple[str, ...] | None:
    items = _items(value, "citations")
    if items is None:
        return None
    cited = [_word(item, f"citations[{index}]") for index, item in enumerate(items)]
    return tuple(citation for citation in cited if citation is not None)


def _claims(value: Json) -> tuple[GivenClaim, ...] | None:
    items = _items(value, "claims")
    if items is None:
        return None
    claims: dict[str, GivenClaim] = {}
    for index, item in enumerate(items):
        claim = _claim(item, f"claims[{index}]")
        if claims.setdefault(claim.id, claim) is not claim:
            before = list(claims).index(claim.id)
            if not isinstance(item, dict) or item.get("id") in (None, ""):
                raise LineError(f'claims[{index}] is the same text as claims[{before}]; give each an "id"')
            raise LineError(f'claims[{index}] has the same id as claims[{before}], "{claim.id}"; ids must be unique')
    return tuple(claims.values())


def _claim(item: Json, where: str) -> GivenClaim:
    text = item.get("text") if isinstance(item, dict) else item
    if not isinstance(text, str) or not text.strip():
        raise LineError(f'{where} must be text, or an object with "id" and "text", and not empty')
    given = _word(item.get("id"), f"{where}.id") if isinstance(item, dict) else None
    return GivenClaim(given or content_id("c", text), text)


def _gold(value: Json) -> Mapping[str, Json] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise LineError(f'"gold" must be an object, not {kind_of(value)}')
    return cast("Mapping[str, Json]", value)
