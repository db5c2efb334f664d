"""What the `semantic` baseline needs of an embedder and of the store of its vectors."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np


class Embedder(Protocol):
    """Texts to unit vectors, deterministic: the same text gives the same bits alone, in a batch or in a thread."""

    def queries(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (texts, dimensions) of float32 for texts that ask."""
        ...

    def passages(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        """An array (texts, dimensions) of float32 for texts that answer."""
        ...


class EmbeddingCache(Protocol):
    """Vectors by model and content hash (hex); a vector is its float32 values, little-endian."""

    def get_many(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there."""
        ...

    def put_many(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; one that is there stays."""
        ...
