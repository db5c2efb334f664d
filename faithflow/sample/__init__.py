"""The bundled sample: answers of four invented RAG pipelines to questions on invented public-policy texts, with labels.

Documents, figures, firms and references (FX/…) are fictitious. `build.py` makes `traces.jsonl` from `topics/`.
"""

from importlib.resources import files
from pathlib import Path


def sample_traces() -> Path:
    """The path of the bundled traces file."""
    return Path(str(files(__name__) / "traces.jsonl"))
