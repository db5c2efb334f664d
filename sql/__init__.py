"""Named SQL statements (DuckDB): one a file, with named parameters, over the tables of the registry."""

from importlib.resources import files


def names() -> list[str]:
    """The names of all statements, sorted."""
    return sorted(entry.name.removesuffix(".sql") for entry in files(__name__).iterdir() if entry.name.endswith(".sql"))


def load(name: str) -> str:
    """The text of `sql/<name>.sql`. Raises LookupError, naming the known ones, where there is none."""
    known = names()
    if name not in known:
        raise LookupError(f"there is no statement {name!r}; there are {', '.join(known)}")
    return files(__name__).joinpath(f"{name}.sql").read_text(encoding="utf-8")
