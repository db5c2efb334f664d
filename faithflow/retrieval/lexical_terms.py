"""The words by which texts are compared without a model."""

from functools import lru_cache

from faithflow.text.languages import guess_language
from faithflow.text.tokens import tokenize


def content_terms(text: str) -> list[str]:
    """The keys of a text's content words and numbers, in order; of all its words where none carries content.

    Words are folded and stemmed as in `faithflow.text.tokens`, by the language that the text seems to be in.
    """
    return list(_terms(text))


# the same passages are candidates for many questions
@lru_cache(maxsize=4096)
def _terms(text: str) -> tuple[str, ...]:
    tokens = tokenize(text, guess_language([text]))
    content = tuple(token.key for token in tokens if not token.function)
    return content or tuple(token.key for token in tokens)
