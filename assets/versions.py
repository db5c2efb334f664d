"""Code versions: the hash of the text of the modules and statements that decide what an asset holds."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

import sql


def code_version(*modules: str, statement: str | None = None) -> str:
    """16 hex digits that move when one of these modules, or the statement `sql/<statement>.sql`, is edited."""
    text = hashlib.sha256()
    for name in modules:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"there is no module {name!r} to take the version of")
        text.update(Path(spec.origin).read_bytes())
    if statement is not None:
        text.update(sql.load(statement).encode("utf-8"))
    return text.hexdigest()[:16]
