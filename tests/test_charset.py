"""Bytes to text, whatever charset they are said to have."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.text.charset import decoded


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        ("é €".encode(), "utf-8", "é €"),
        ("é €".encode(), None, "é €"),
        ("é €".encode("cp1252"), "iso-8859-1", "é €"),
        ("é".encode("cp1252"), "utf-8", "é"),
        ("é €".encode(), "us-ascii", "é €"),
        ("日本".encode("iso2022_jp"), "iso-2022-jp", "日本"),
        ("abc".encode("utf-16-le"), "utf-16le", "abc"),
        ("žluť".encode("iso8859-2"), "ISO-8859-2", "žluť"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        ("日本".encode("utf-16"), "utf-8", "日本"),
        (b"\xef\xbb\xbfabc", "iso-8859-1", "abc"),
        ('<meta charset="iso-8859-2"><p>žluť'.encode("iso8859-2"), None, '<meta charset="iso-8859-2"><p>žluť'),
        (b'<?xml version="1.0" encoding="koi8-r"?>\xd0', None, '<?xml version="1.0" encoding="koi8-r"?>п'),
        (b'<meta charset="utf-16"><p>plain', None, '<meta charset="utf-16"><p>plain'),
        (b"", None, ""),
    ],
)
def test_the_charset_is_the_mark_the_declared_one_or_the_one_that_fits(
    body: bytes, declared: str | None, text: str
) -> None:
    assert decoded(body, declared) == text


@pytest.mark.parametrize(
    "declared",
    ["nonsense", "punycode", "idna", "zip", "hex", "unicode_escape", "raw_unicode_escape", "undefined", "\x00"],
)
def test_a_charset_that_is_none_is_passed_over(declared: str) -> None:
    assert decoded(rb"plain \u0041 text-", declared) == r"plain \u0041 text-"


@settings(deadline=None)
@given(st.binary(max_size=60), st.one_of(st.none(), st.text(max_size=8), st.sampled_from(["utf-16", "utf-7", "gbk"])))
def test_no_bytes_raise(body: bytes, declared: str | None) -> None:
    decoded(body, declared)
