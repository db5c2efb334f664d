"""Named Cypher statements: one a file, with parameters alone; both graph stores run the same text where they can."""

from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> str:
    """The text of `resources/cypher/<name>.cypher`, without the comment lines at its head."""
    text = files(__name__).joinpath(f"{name}.cypher").read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("//"))
