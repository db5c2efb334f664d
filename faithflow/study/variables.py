"""The environment variables that a study names: keys and addresses that are in no file."""

from collections.abc import Iterator
from typing import Any, cast

from faithflow.study.endpoint import Record
from faithflow.study.model import Study


def variables_of(study: Study) -> Iterator[tuple[str, str]]:
    """Each key of the study that names a variable, as its path (`judges[0].api_key_env`), and that variable."""
    yield from _named("", study)


def _named(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Record):
        for key in type(value).model_fields:
            own: Any = getattr(value, key)
            where = f"{path}.{key}" if path else key
            if key.endswith("_env"):
                if own is not None:
                    yield where, str(own)
            else:
                yield from _named(where, own)
    elif isinstance(value, tuple):
        for number, item in enumerate(cast("tuple[object, ...]", value)):
            yield from _named(f"{path}[{number}]", item)
