"""Loading the models of sentence-transformers: the extra `local`."""

import importlib
from typing import Any, Literal

from faithflow.errors import UserError


def load(kind: Literal["SentenceTransformer", "CrossEncoder"], model: str) -> Any:
    """A model by its name on the Hugging Face hub, or its folder.

    Raises UserError where the extra is not installed, or the model cannot be had.
    """
    try:
        library = importlib.import_module("sentence_transformers")
    except ModuleNotFoundError as error:
        raise UserError(
            f"the model {model!r} runs on sentence-transformers, which is not installed ({error.name} is missing); "
            "install it by `pip install 'faithflow[local]'`"
        ) from error
    try:
        return getattr(library, kind)(model)
    except (OSError, ValueError, RuntimeError) as error:
        words = " ".join(str(error).split())[:500]
        raise UserError(f"sentence-transformers cannot load the model {model!r}: {words}") from error
