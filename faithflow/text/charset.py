"""Bytes to text under a charset that may lie."""

import codecs
import re

# What may be decoded at a stranger's word: charsets of texts, not Python's transformations (zip, hex, idna, punycode,
# unicode_escape), some of which take hours for a megabyte or run what they read.
_CHARSET = re.compile(
    r"utf-(?:8|16|32)(?:-[a-z]+)?|ascii|iso8859-\d+|cp\d{3,4}|koi8-[rtu]|mac-[a-z]+|tis-620"
    r"|(?:shift_)?jis[x0-9_]*|euc_[a-z0-9_]+|iso2022_[a-z0-9_]+|gb\d+|gbk|hz|big5(?:hkscs)?|johab"
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OWN = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,200}?encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE
)
_OWN_WITHIN = 2048
_ASCII = range(0x80)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
# The share of controls in a text's first characters above which it is taken for binary.
_MOST_CONTROLS = 0.05
_FEW_CONTROLS = 4
_LOOKED_AT = 65_536
# what can be read as ASCII as far as its own declaration is in none of these, whatever it declares
_NO_ASCII = ("utf-16", "utf-32")


def decoded(body: bytes, declared: str | None = None) -> str:
    """The text of a file or a reply: by its byte order mark; as UTF-8 where it holds more than ASCII and is valid,
    which other charsets' texts hardly ever are, or is but for a few bytes; by the charset declared for it, the one that
    it declares itself (HTML's meta, XML's first line), and at last as windows-1252. U+FFFD stands for what the charset
    does not explain. Never raises.

    ISO 8859-1 and ASCII are read as windows-1252, as the Encoding Standard has it.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    for name in (None if body.isascii() else "utf-8", declared and _codec(declared), _own(body)):
        if name:
            try:
                return body.decode(name)
            except ValueError:
                if name == "utf-8" and _is_damaged_utf8(body):
                    return body.decode(name, "replace")
    return body.decode("cp1252", "replace")


def is_text(text: str) -> bool:
    """Whether decoded bytes are a text and not a picture, an archive or the like: hardly any controls at its start."""
    start = text[:_LOOKED_AT]
    return len(_CONTROLS.findall(start)) <= max(_FEW_CONTROLS, _MOST_CONTROLS * len(start))


def _is_damaged_utf8(body: bytes) -> bool:
    """Whether there are more whole characters of several bytes than bytes that belong to none: a text that was cut or
    has a stray byte in it. Of another charset's text hardly any two bytes make one."""
    text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    whole = len(text) - wrong - sum(map(body.count, _ASCII))
    return whole > wrong


def _own(body: bytes) -> str | None:
    """Python's name of the charset that a text declares itself, None where it declares none."""
    said = _OWN.search(body, 0, _OWN_WITHIN)
    name = _codec(said[1].decode("ascii")) if said else None
    return None if name and name.startswith(_NO_ASCII) else name


def _codec(label: str) -> str | None:
    """Python's name of the charset that a label means, None where it means none."""
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return None
    if name in ("ascii", "iso8859-1"):
        return "cp1252"
    return name if _CHARSET.fullmatch(name) else None
