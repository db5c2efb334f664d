"""Text that can leave this process: lone surrogates, which no UTF-8 file, database or request can hold, replaced."""


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate; the same object where there is none."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
