"""The evidence of one answer, indexed once for all its claims. The order and the copies of passages leave no trace."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.text.languages import guess_language
from faithflow.text.sentences import sentence_spans
from faithflow.text.tokens import Kind, Token, tokenize


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its passage's number in the index, its text, its tokens, and their keys in order."""

    passage: int
    text: str
    tokens: tuple[Token, ...]
    keys: tuple[str, ...]
    content: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """Distinct passages in the order of their text; distinct sentences; where each key stands.

    `postings` maps a key (each reading of a number) to sentence numbers; `frequency` counts distinct sentences;
    `content_pairs` and `key_pairs` hold the neighbours among content words and among all words;
    `grams` maps a character trigram to the content keys that have it.
    """

    language: str
    passages: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    postings: dict[str, tuple[int, ...]]
    frequency: dict[str, int]
    distinct: int
    content_pairs: frozenset[tuple[str, str]]
    key_pairs: frozenset[tuple[str, str]]
    key_triples: frozenset[tuple[str, str, str]]
    grams: dict[str, tuple[str, ...]]


def trigrams(word: str) -> frozenset[str]:
    """The character trigrams of a word with its borders marked."""
    padded = f"<{word}>"
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def keys_of(token: Token) -> frozenset[str]:
    """All keys under which a token is found: its own, or every reading of a number."""
    return token.readings or frozenset((token.key,))


def index_evidence(texts: Sequence[str]) -> EvidenceIndex:
    """The index of some passages. Equal for any order of the texts and any number of copies of each."""
    passages = tuple(sorted({text.strip() for text in texts} - {""}))
    language = guess_language(passages)
    sentences: list[Sentence] = []
    for number, passage in enumerate(passages):
        for span in sentence_spans(passage):
            text = passage[span.start : span.end]
            tokens = tuple(tokenize(text, language))
            if tokens:
                keys = tuple(token.key for token in tokens)
                content = tuple(token.key for token in tokens if not token.function)
                sentences.append(Sentence(number, text, tokens, keys, content))
    postings: dict[str, list[int]] = {}
    frequency: dict[str, int] = {}
    seen: set[tuple[str, ...]] = set()
    content_pairs: set[tuple[str, str]] = set()
    key_pairs: set[tuple[str, str]] = set()
    key_triples: set[tuple[str, str, str]] = set()
    words: set[str] = set()
    for number, sentence in enumerate(sentences):
        keys = {key for token in sentence.tokens for key in keys_of(token)}
        fresh = sentence.keys not in seen
        seen.add(sentence.keys)
        for key in keys:
            postings.setdefault(key, []).append(number)
            if fresh:
                frequency[key] = frequency.get(key, 0) + 1
        if fresh:
            content_pairs.update(zip(sentence.content, sentence.content[1:], strict=False))
            key_pairs.update(zip(sentence.keys, sentence.keys[1:], strict=False))
            key_triples.update(zip(sentence.keys, sentence.keys[1:], sentence.keys[2:], strict=False))
            words.update(t.key for t in sentence.tokens if not t.function and t.kind is Kind.WORD)
    grams: dict[str, list[str]] = {}
    for word in sorted(words):
        for gram in trigrams(word):
            grams.setdefault(gram, []).append(word)
    return EvidenceIndex(
        language,
        passages,
        tuple(sentences),
        {key: tuple(numbers) for key, numbers in postings.items()},
        frequency,
        len(seen),
        frozenset(content_pairs),
        frozenset(key_pairs),
        frozenset(key_triples),
        {gram: tuple(found) for gram, found in grams.items()},
    )
