"""A stretch of a text, by character positions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` (inclusive) to `end` (exclusive) of a text, counted as Python counts them."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters that the span covers in `text`."""
        return text[self.start : self.end]
