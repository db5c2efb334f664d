"""Files and folders read into corpora, hostile ones too."""

import datetime as dt
import gzip
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from faithflow.corpus.corpus_frames import corpus_frames
from faithflow.corpus.document import CorpusContent, Document, Link
from faithflow.corpus.source import text_of
from faithflow.errors import CorpusError, UserError
from resources import document_files
from resources.document_files import FORMATS, read_documents, read_questions, source_file


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def one(path: Path, **more: Any) -> Document:
    (document,) = read_documents(path, **more).documents
    return document


def pdf(pages: list[list[str]], *, title: str = "", password: str = "") -> bytes:
    """A PDF with these lines on its pages."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        drawn = DecodedStreamObject()
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        drawn.set_data(f"BT /F1 12 Tf 50 700 Td {shown} ET".encode())
        page[NameObject("/Contents")] = drawn
    writer.add_metadata({"/Title": title, "/CreationDate": "D:20260304101112Z"} if title else {})
    if password:
        writer.encrypt(password)
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()


_SEEDS = [
    b'{"title": "A", "text": "Words.", "date": "2026-01-01", "topics": ["x"]}',
    b'[{"text": "a"}, {"html": "<p>b</p>", "id": 3}]',
    b"id,title,text,links\n1,A,Words.,\n2,B,More words.,derives_from 1\n",
    b"# REQ-A-B-1 One\n\nText.\n\n## Attributes:\n- Parents: REQ-A-B-2\n",
    b'{"entries": [{"issueid": "A", "attributes": {"summary": "s"}, "children": {"contains": ["B"]}}]}',
    b'{"id": "q", "question": "Q?", "answer": "A", "paragraphs": [{"title": "t", "paragraph_text": "p"}], '
    b'"question_decomposition": []}',
    b'{"id": "art-1", "type": "paragraph", "ref": "1.", "text": "Article 2 applies.", "article_number": "1"}',
    b"<REQ-IF><CORE-CONTENT><REQ-IF-CONTENT><SPEC-OBJECTS></SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>",
    b'{"docuLanguageResource": {"title": "t", "htmlContent": "<p>x</p>"}, "refCd": "IP/26/1"}',
    pdf([["Some words."]], title="T"),
]


def _mutations(seed: bytes) -> st.SearchStrategy[bytes]:
    """The seed with a piece taken out and another put in."""
    spots = st.tuples(st.integers(0, len(seed)), st.integers(0, 30))
    pieces = st.sampled_from([b"", b"null", b"[]", b"{}", b'"', b"1e999", b"\xff", b"\n", b"\x00"]) | st.binary(
        max_size=3
    )
    return st.tuples(spots, pieces).map(
        lambda drawn: seed[: drawn[0][0]] + drawn[1] + seed[drawn[0][0] + drawn[0][1] :]
    )


def read_or_refused(path: Path, format_name: str = "auto") -> tuple[CorpusContent | None, str]:
    try:
        return read_documents(path, format_name), ""
    except CorpusError as error:
        return None, str(error)


def test_a_json_object_is_a_document(tmp_path: Path) -> None:
    record = {
        "id": "IP/26/1",
        "title": "A title",
        "text": "Words.\r\nMore.",
        "date": "2026-09-18T09:47:46",
        "url": "https://example.org/1",
        "language": "DE",
        "license": "CC BY 4.0",
        "access": "internal",
        "valid_from": "2026-10-01",
        "topics": ["a", "b"],
    }
    assert one(write(tmp_path / "one.json", json.dumps(record))) == Document(
        reference="IP/26/1",
        kind="document",
        title="A title",
        text="Words.\nMore.",
        date=dt.date(2026, 9, 18),
        language="de",
        source_url="https://example.org/1",
        licence="CC BY 4.0",
        access="internal",
        valid_from=dt.date(2026, 10, 1),
        topics=("a", "b"),
    )


def test_defaults_hold_for_what_says_nothing_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", '{"text": "a"}\n{"text": "b", "language": "fr", "access": "public"}\n')
    first, second = read_documents(path, language="de", access="internal", licence="MIT").documents
    assert (first.language, first.access, first.licence) == ("de", "internal", "MIT")
    assert (second.language, second.access, second.licence) == ("fr", "public", "MIT")


def test_a_list_and_lines_hold_a_document_each_named_by_reference_address_or_number(tmp_path: Path) -> None:
    records = [{"text": "a"}, {"content": "b", "url": "https://x.org"}, {"html": "<p>c &amp; d</p>", "reference": 3}]
    listed = read_documents(write(tmp_path / "docs.json", json.dumps(records)))
    lines = read_documents(
        write(tmp_path / "docs.jsonl.gz", gzip.compress("\n".join(map(json.dumps, records)).encode()))
    )
    assert listed == lines
    assert [(document.reference, document.text) for document in listed.documents] == [
        ("docs#1", "a"),
        ("https://x.org", "b"),
        ("3", "c & d"),
    ]


def test_a_document_that_replaces_another_states_a_link(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", '{"id": "A", "text": "a"}\n{"id": "B", "text": "b", "supersedes": "A"}\n')
    assert read_documents(path).links == (Link("B", "supersedes", "A"),)


def test_replies_of_the_press_corner_are_known_by_their_shape(tmp_path: Path) -> None:
    reply = {
        "refCd": "IP/26/7",
        "eventDate": "2026-09-18",
        "docutypeResource": {"code": "IP", "description": "Press release"},
        "docuLanguageResource": {"title": "News", "htmlContent": "<p>It costs &euro;3.</p>", "language": "EN"},
    }
    document = one(write(tmp_path / "reply.json", json.dumps(reply)))
    assert (document.reference, document.date, document.language) == ("IP/26/7", dt.date(2026, 9, 18), "en")
    assert "€3" in document.text


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.json", '{"text": }', r"a\.json, line 1: not JSON"),
        ("a.json", '{"text": "a"}\n{"text": "b"}', r"line 2: not JSON: Extra data.*\.jsonl"),
        ("a.json", "[1]", "item 1: an object was expected, not a number"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.jsonl", '{"text": "a"}\n\n{"text": 5}', r'line 3: "text" must be text'),
        ("a.jsonl", '{"text": "a"}\n{"titel": "a"}', 'line 2: no "text"'),
        ("a.jsonl", '{"text": "a", "text": "b"}', "stands twice"),
        ("a.jsonl", '{"text": "a", "date": "18.9.2026"}', 'line 1: "date" must be a date such as'),
        ("a.jsonl", '{"text": "a", "date": "2026-02-30"}', '"date" must be a date'),
        ("a.jsonl", '{"text": "a", "valid_from": "2026-02-02", "valid_to": "2026-01-01"}', "lies before"),
        ("a.jsonl", '{"text": "a", "language": "English please"}', "language code"),
        ("a.jsonl", '{"text": "a", "topics": 3}', '"topics" must be a list'),
        ("a.jsonl", '{"text": "a", "id": "1", "reference": "2"}', "differ; keep one"),
        ("a.json", '{"docuLanguageResource": {}}', "refCd"),
        ("a.csv", "title,body\nA,b\n", r'a\.csv: no column "text"'),
        ("a.csv", "title,text\nA,b,c\n", "line 2: 3 cells under 2 names"),
        ("a.csv", 'title,text\nA,"b\n', "line 2: not CSV"),
        ("a.csv", "text,text\nA,b\n", "'text' stands twice"),
        ("a.csv", "title,text\n", "no rows"),
        ("a.json", "", "the file is empty"),
        ("a.txt", "\n \n", "the file is empty"),
        ("a.txt", b"\x89PNG\x00\x01\x02\x03" * 40, "no text"),
        ("a.html", "<script>x()</script>", "shows no text"),
        ("a.pdf", b"%PDF-1.7 nothing", r"a\.pdf: the PDF is damaged"),
        ("a.docx", b"PK\x03\x04 nothing", r"a\.docx: .*no Word file"),
        ("a.json.gz", gzip.compress(b"[]" * 100)[:20], "damaged or cut"),
        ("a.exe", b"MZ", "files of this kind are not read"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, name: str, text: str | bytes, reason: str) -> None:
    with pytest.raises(CorpusError, match=rf"(?s){reason}"):
        read_documents(write(tmp_path / name, text))


@given(
    st.sampled_from([*document_files._AUTO, ".json.gz"]),
    st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | st.sampled_from(_SEEDS).flatmap(_mutations),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_bytes_a_file_holds_it_is_read_or_refused_by_name(tmp_path: Path, ending: str, raw: bytes) -> None:
    read, refusal = read_or_refused(write(tmp_path / f"some{ending}", raw))
    if read is None:
        assert "some" in refusal
    else:
        assert all(document.text.strip() for document in read.documents)
        corpus_frames({"some": read})


@given(st.sampled_from([f for f in FORMATS if f != "auto"]), st.sampled_from(_SEEDS).flatmap(_mutations))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_format_reads_or_refuses_whatever_it_is_given(tmp_path: Path, format_name: str, raw: bytes) -> None:
    path = write(tmp_path / f"some{document_files._FORMATS[format_name][1][0]}", raw)
    read, refusal = read_or_refused(path, format_name)
    assert read is not None or "some" in refusal


def test_unknown_keys_are_warned_of_with_what_may_be_meant(tmp_path: Path) -> None:
    content = read_documents(write(tmp_path / "a.jsonl", '{"text": "a", "titel": "x", "_mine": 1}\n' * 1))
    (warning,) = content.warnings
    assert '"titel" (did you mean "title"?)' in warning


def test_a_record_without_text_is_left_out_with_a_warning(tmp_path: Path) -> None:
    content = read_documents(write(tmp_path / "a.jsonl", '{"text": " "}\n{"text": "b"}\n'))
    assert [document.text for document in content.documents] == ["b"]
    assert "line 1: no text; left out" in content.warnings[0]


def test_csv_rows_are_documents_whatever_parts_the_cells(tmp_path: Path) -> None:
    rows = 'Title;Text;Date;Topics\n"A; b";"Two\nlines";2026-01-02;x;\n'.replace("x;", "x")
    document = one(write(tmp_path / "a.csv", "\ufeff" + rows))
    assert (document.title, document.text) == ("A; b", "Two\nlines")
    assert (document.date, document.topics) == (dt.date(2026, 1, 2), ("x",))


def test_html_has_its_own_title(tmp_path: Path) -> None:
    page = "<html><head><title>A page</title></head><body><p>One &ldquo;two&rdquo;.</p></body></html>"
    document = one(write(tmp_path / "p.html", page))
    assert (document.title, document.text, document.kind) == ("A page", "One “two”.", "html")


def test_markdown_has_its_first_heading_as_title_and_text_its_files_name(tmp_path: Path) -> None:
    assert one(write(tmp_path / "n.md", "Intro.\n\n## The heading ##\n\nWords.")).title == "The heading"
    assert one(write(tmp_path / "notes.txt", "# no heading here")).title == "notes"


def test_a_pdf_has_its_pages_parted_its_broken_words_joined_and_its_metadata(tmp_path: Path) -> None:
    made = pdf([["The har-", "bour is open to EU-", "Members."], ["Page two."]], title="Harbours")
    document = one(write(tmp_path / "a.pdf", made))
    assert document.text == "The harbour is open to EU-Members.\n\nPage two."
    assert (document.title, document.date, document.kind) == ("Harbours", dt.date(2026, 3, 4), "pdf")


def test_a_pdf_that_is_encrypted_or_scanned_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"locked\.pdf: the PDF is encrypted"):
        read_documents(write(tmp_path / "locked.pdf", pdf([["x"]], password="secret")))
    with pytest.raises(CorpusError, match=r"scan\.pdf: the PDF holds no text"):
        read_documents(write(tmp_path / "scan.pdf", pdf([[]])))


def word_file(path: Path) -> Path:
    word = docx.Document()
    word.core_properties.title = "Contract"
    word.core_properties.modified = dt.datetime(2026, 5, 6, tzinfo=dt.UTC)
    word.add_heading("Terms", level=2)
    word.add_paragraph("It runs for a year.")
    table = word.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("Fee", "Due", "5 euro", "May"), strict=True):
        cell.text = text
    word.add_paragraph("Paid late", style="List Bullet")
    word.save(str(path))
    return path


def test_a_word_file_has_headings_paragraphs_and_tables_in_order(tmp_path: Path) -> None:
    document = one(word_file(tmp_path / "a.docx"))
    assert document.text == "## Terms\n\nIt runs for a year.\n\nFee | Due\n5 euro | May\n\n- Paid late"
    assert (document.title, document.date) == ("Contract", dt.date(2026, 5, 6))


def test_a_cell_that_says_to_span_a_billion_columns_is_one_cell(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx")
    word = docx.Document(str(path))
    word.tables[0]._tbl.tr_lst[0].tc_lst[0].grid_span = 1_000_000_000
    word.save(str(path))
    assert "Fee | Due\n5 euro | May" in one(path).text


def test_a_word_file_that_unpacks_to_too_much_is_refused_unread(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as member:
        for _ in range(300):
            member.write(bytes(1_000_000))
    with pytest.raises(CorpusError, match="unpacks to 300,000,000 bytes"):
        read_documents(write(tmp_path / "bomb.docx", held.getvalue()))


def test_a_gzip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_files, "LARGEST", 1_000_000)
    with pytest.raises(CorpusError, match="more than 1,000,000 bytes, unpacked"):
        read_documents(write(tmp_path / "bomb.jsonl.gz", gzip.compress(b" " * 5_000_000)))


def test_a_document_of_too_many_characters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"huge\.txt: a document of 10,000,005 characters"):
        read_documents(write(tmp_path / "huge.txt", "words" * 2_000_001))


def test_a_note_beside_a_file_says_what_the_file_does_not(tmp_path: Path) -> None:
    write(tmp_path / "a.pdf", pdf([["Words."]], title="Own title"))
    write(tmp_path / "a.pdf.meta.yaml", "title: Said title\ndate: 2026-07-08\naccess: internal\ntopics: [x]\n")
    write(tmp_path / "b.csv", "text,access\none,public\ntwo,\n")
    write(tmp_path / "b.csv.meta.json", '{"access": "internal"}')
    content = read_documents(tmp_path)
    first, second, third = content.documents
    assert (first.title, first.date, first.access) == ("Said title", dt.date(2026, 7, 8), "internal")
    assert (second.access, third.access) == ("public", "internal")
    assert not content.warnings


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        ("[1", "not to be read"),
        ("- a", "an object"),
        ("titel: x", 'did you mean "title"'),
        ("reference: R", "one refer"),
    ],
)
def test_a_note_that_cannot_be_used_is_refused(tmp_path: Path, note: str, reason: str) -> None:
    path = write(tmp_path / "a.csv", "text\none\ntwo\n")
    write(tmp_path / "a.csv.meta.yaml", note)
    with pytest.raises(CorpusError, match=reason):
        read_documents(path)


def test_a_folder_is_read_in_order_with_names_below_it(tmp_path: Path) -> None:
    write(tmp_path / "b/two.txt", "Two.")
    write(tmp_path / "a.txt", "One.")
    assert [document.reference for document in read_documents(tmp_path).documents] == ["a.txt", "b/two.txt"]


def test_of_a_folder_hidden_unknown_and_textless_files_are_left_out_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "One.")
    write(tmp_path / "empty.txt", "")
    write(tmp_path / "scan.pdf", pdf([[]]))
    write(tmp_path / ".git/config.txt", "x")
    write(tmp_path / "picture.png", "x")
    write(tmp_path / "gone.txt.meta.yaml", "title: x")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "nowhere.txt").symlink_to(tmp_path / "nothing")
    content = read_documents(tmp_path)
    assert [document.reference for document in content.documents] == ["a.txt"]
    said = "\n".join(content.warnings)
    others = ("picture.png", "gone.txt.meta.yaml", "pipe.txt", "nowhere.txt")
    for word in (".git/config.txt", *others, "empty.txt: the file is empty", "scan.pdf"):
        assert word in said


def test_a_bad_line_in_a_folder_stops_all(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "One.")
    write(tmp_path / "b.jsonl", "{")
    with pytest.raises(CorpusError, match=r"b\.jsonl, line 1"):
        read_documents(tmp_path)


def test_a_folder_without_documents_and_a_path_to_nothing_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "picture.png", "x")
    with pytest.raises(CorpusError, match="no documents"):
        read_documents(tmp_path)
    with pytest.raises(CorpusError, match="no such file or folder"):
        read_documents(tmp_path / "nothing")


def test_an_unknown_format_is_refused_with_the_near_one(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match='did you mean "reqtraq"'):
        read_documents(tmp_path, "reqtrak")


def test_formats_have_their_readers(tmp_path: Path) -> None:
    write(tmp_path / "set/requirements.csv", "id,text\nA,a\nB,b\n")
    write(tmp_path / "set/links.csv", "source,relation,target\nB,derives_from,A\n")
    content = read_documents(tmp_path / "set", "requirements_csv", language="de", access="internal", licence="MIT")
    assert content.links == (Link("B", "derives_from", "A"),)
    assert {(d.language, d.access, d.licence) for d in content.documents} == {("de", "internal", "MIT")}


@pytest.mark.parametrize(
    "raw",
    [
        "Zoë\nß".encode(),
        "\ufeffZoë\r\nß".encode(),
        "\ufeffZoë\rß".encode("utf-16-le"),
        "\ufeffZoë\nß".encode("utf-16-be"),
        "Zoë\nß".encode("utf-16-le"),
        "Zoë\nß".encode("latin-1"),
        "\ufeffZoë\nß".encode("utf-32-le"),
    ],
)
def test_bytes_are_read_in_whatever_encoding_they_come(raw: bytes) -> None:
    assert text_of(raw) == "Zoë\nß"


def test_bytes_of_windows_and_of_a_declared_charset_are_read() -> None:
    assert text_of("“€5” – ok".encode("cp1252")) == "“€5” – ok"
    assert "Łódź" in text_of('<meta charset="iso-8859-2"><p>Łódź'.encode("iso-8859-2"))
    assert text_of(b'<meta charset="no-such-thing">\xe9') == '<meta charset="no-such-thing">é'
    assert "Łódź" in text_of('<?xml version="1.0" encoding="iso-8859-2"?><p>Łódź'.encode("iso-8859-2"))
    assert text_of(b"\x81\xe9") == "\ufffdé"


def test_nul_bytes_and_form_feeds_leave_no_trace_but_a_break(tmp_path: Path) -> None:
    words = "Words that stand before the page's end, enough of them to be a text."
    assert one(write(tmp_path / "a.txt", f"{words}\x00\fNext\x07 page.")).text == f"{words}\n\nNext page."


def test_half_a_character_does_not_get_through(tmp_path: Path) -> None:
    for name, text in (("a.jsonl", '{"text": "a\\ud800b"}'), ("a.json", '{"text": "a\\ud800b"}')):
        assert one(write(tmp_path / name, text)).text == "a\ufffdb"


def test_questions_are_read_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", '{"question": "Why?", "gold": [{"reference": "A"}]}\n')
    (question,) = read_questions(path)
    assert question.question == "Why?"
    with pytest.raises(UserError, match="no such file"):
        read_questions(tmp_path / "none.jsonl")


def test_reading_the_same_folder_twice_gives_the_same(tmp_path: Path) -> None:
    for name in ("c.txt", "a.md", "b.html"):
        write(tmp_path / name, f"Words of {name}.")
    first: CorpusContent = read_documents(tmp_path)
    assert read_documents(tmp_path) == first
    assert [d.document_id for d in read_documents(tmp_path).documents] == [d.document_id for d in first.documents]


def test_a_source_is_named_without_its_packing(tmp_path: Path) -> None:
    source = source_file(write(tmp_path / "x.jsonl.gz", gzip.compress(b"{}")))
    assert (source.name, source.stem, source.raw) == ("x.jsonl", "x", b"{}")
