"""What Python's text may hold beyond letters: lone surrogates, and characters that nobody sees."""

import unicodedata


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate; the same object where there is none."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_blank(text: str) -> bool:
    """Whether a text shows nothing at all: white space, zero-width and control characters, or no character."""
    return all(char.isspace() or unicodedata.category(char) in ("Cf", "Cc") for char in text)
