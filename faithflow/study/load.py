"""Reading a study file: YAML to `Study`, with errors that give the path to the key."""

from collections.abc import Hashable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError

from faithflow.errors import StudyError
from faithflow.study.corpora import BUNDLED
from faithflow.study.endpoint import Record
from faithflow.study.model import Judge, LlmClaims, Study

RecordT = TypeVar("RecordT", bound=Record)

BUNDLED_STUDY = Path(__file__).with_name("study.yaml")

# What the design foresees and this version cannot do yet: said as such, so that nobody looks for a typing error.
_NOT_YET = {
    ("provider", "anthropic"): "provider 'anthropic' is not available yet; use provider: openai with the base_url of "
    "an OpenAI-compatible endpoint of the same model",
    ("rubric", "agentic"): "rubric 'agentic' is not available yet; use simple",
}


class _StrictLoader(yaml.SafeLoader):
    """YAML that refuses a key given twice, where plain YAML silently keeps the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = str(key_node.value)
            if key in seen:
                raise StudyError(f"line {key_node.start_mark.line + 1}: key {key!r} is given twice")
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def load_study(path: Path | None = None) -> Study:
    """The study in `path`, or the bundled one. Raises StudyError naming the file and the path to each wrong key."""
    source = path or BUNDLED_STUDY
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{source}: cannot be read: {error}") from error
    try:
        data = yaml.load(text, Loader=_StrictLoader)
    except StudyError as error:
        raise StudyError(f"{source}: {error}") from error
    except yaml.YAMLError as error:
        raise StudyError(f"{source}: is not valid YAML: {error}") from error
    if not isinstance(data, dict):
        raise StudyError(f"{source}: must be a mapping with at least the key 'judges'")
    try:
        study = Study.model_validate(data)
    except ValidationError as error:
        complaints = _complaints(error, cast("dict[str, Any]", data))
        raise StudyError("\n".join([f"{source}: not a valid study", *complaints])) from error
    return _anchor_paths(study, source.parent)


def _anchor_paths(study: Study, folder: Path) -> Study:
    def anchored(record: RecordT, *keys: str) -> RecordT:
        paths = {key: getattr(record, key) for key in keys}
        given = {key: str(folder / path) for key, path in paths.items() if path not in (None, BUNDLED)}
        return record.model_copy(update=given)

    corpora = tuple(anchored(corpus, "traces", "documents", "questions") for corpus in study.corpora)
    web = anchored(study.web, "pages") if study.web else None
    return study.model_copy(update={"corpora": corpora, "web": web})


def _complaints(error: ValidationError, data: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    items = error.errors()
    # pydantic counts only the valid members, so a list whose members are all wrong is also "too short"
    broken = {item["loc"][:length] for item in items for length in range(1, len(item["loc"]))}
    for item in items:
        if item["type"] == "too_short" and item["loc"] in broken:
            continue
        loc = tuple(part for part in item["loc"] if part not in ("sentences", "llm"))
        where = _path(loc) or "study"
        value = str(item.get("input"))
        key = str(loc[-1]) if loc else ""
        if key == "launch":
            message = "'launch' is not available yet; start the server yourself and give its base_url"
        elif item["type"] == "extra_forbidden":
            near = get_close_matches(key, _known_keys(loc, data), n=1)
            message = f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        elif (key, value) in _NOT_YET:
            message = _NOT_YET[(key, value)]
        elif item["type"] == "missing":
            message = "is required"
        else:
            message = item["msg"].removeprefix("Value error, ")
        lines.append(f"  {where}: {message}")
    return lines


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _known_keys(loc: tuple[int | str, ...], data: dict[str, Any]) -> list[str]:
    """The keys allowed in the mapping that holds the unknown one."""
    model: type[BaseModel] = Study
    for part in loc[:-1]:
        if isinstance(part, int):
            continue
        annotation: Any = model.model_fields[part].annotation if part in model.model_fields else None
        candidates = [annotation, *getattr(annotation, "__args__", ())]
        models = [c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)]
        if part == "claims" and isinstance(data.get("claims"), dict) and data["claims"].get("extractor") == "llm":
            models = [LlmClaims]
        if not models:
            return list(Judge.model_fields)
        model = models[0]
    return list(model.model_fields)
