"""The bundled sample: answers of four invented RAG pipelines to questions on invented public-policy texts, with labels.

Documents, figures, firms and references (FX/…) are fictitious. `build.py` makes `traces.jsonl` from `topics/`.
Beside it lies a corpus with questions to run whole pipelines on (`content.py`).
"""

from importlib.resources import files
from pathlib import Path

from faithflow.sample.content import sample_content, sample_corpus, sample_web_pages

__all__ = ["sample_content", "sample_corpus", "sample_traces", "sample_web_pages"]


def sample_traces() -> Path:
    """The path of the bundled traces file."""
    return Path(str(files(__name__) / "traces.jsonl"))
