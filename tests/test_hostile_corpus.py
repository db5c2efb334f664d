"""Files of documents and questions that are broken, contradict themselves, or are made to break a reader."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from docx.oxml import parse_xml
from hypothesis import given
from hypothesis import strategies as st

from faithflow.corpus.corpus_frames import corpus_frames
from faithflow.corpus.document import CorpusContent, Document, Gold, Question
from faithflow.errors import CorpusError
from faithflow.text.charset import decoded
from resources.document_files import read_documents, read_questions

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def write(path: Path, content: str | bytes | list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(content) if isinstance(content, list) else content
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return path


def read(path: Path, content: str | bytes | list[Any], format_name: str = "auto") -> CorpusContent:
    return read_documents(write(path, content), format_name)


def refusal(path: Path, content: str | bytes | list[Any], format_name: str = "auto") -> str:
    with pytest.raises(CorpusError) as error:
        read(path, content, format_name)
    return str(error.value)


def word_file(fill: Callable[[Any], None]) -> bytes:
    word = docx.Document()
    fill(word)
    stream = io.BytesIO()
    word.save(stream)
    return stream.getvalue()


def run(words: str, tag: str = "t") -> str:
    return f'<w:r><w:{tag} xml:space="preserve">{words}</w:{tag}></w:r>'


def test_a_word_file_reads_as_if_all_its_changes_were_accepted(tmp_path: Path) -> None:
    def fill(word: Any) -> None:
        paragraph = word.add_paragraph("Fees rise ")._p
        paragraph.append(parse_xml(f'<w:ins {W} w:id="1" w:author="a">{run("by two ")}</w:ins>'))
        paragraph.append(parse_xml(f'<w:del {W} w:id="2" w:author="a">{run("by nine ", "delText")}</w:del>'))
        paragraph.append(parse_xml(f'<w:moveFrom {W} w:id="3" w:author="a">{run("in May ")}</w:moveFrom>'))
        paragraph.append(parse_xml(f'<w:moveTo {W} w:id="4" w:author="a">{run("in June.")}</w:moveTo>'))

    (document,) = read(tmp_path / "a.docx", word_file(fill)).documents
    assert document.text == "Fees rise by two in June."


def test_a_word_files_controls_links_and_fields_are_text(tmp_path: Path) -> None:
    def fill(word: Any) -> None:
        paragraph = word.add_paragraph("See ")._p
        paragraph.append(parse_xml(f"<w:hyperlink {W}>{run('the link')}</w:hyperlink>"))
        paragraph.append(parse_xml(f"<w:sdt {W}><w:sdtContent>{run(', the control')}</w:sdtContent></w:sdt>"))
        paragraph.append(parse_xml(f'<w:fldSimple {W} w:instr="REF x">{run(", the field")}</w:fldSimple>'))
        block = f"<w:sdt {W}><w:sdtContent><w:p>{run('A block in a control.')}</w:p></w:sdtContent></w:sdt>"
        word.element.body.insert(0, parse_xml(block))

    (document,) = read(tmp_path / "a.docx", word_file(fill)).documents
    assert document.text == "A block in a control.\n\nSee the link, the control, the field"


def test_a_word_files_tables_within_tables_and_controlled_rows_are_read(tmp_path: Path) -> None:
    def fill(word: Any) -> None:
        outer = word.add_table(1, 2)
        outer.cell(0, 0).text, outer.cell(0, 1).text = "Port", "Fees:"
        inner = outer.cell(0, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "north", "12"
        row = f"<w:tr><w:tc><w:p>{run('Total')}</w:p></w:tc><w:tc><w:p>{run('30')}</w:p></w:tc></w:tr>"
        outer._tbl.append(parse_xml(f"<w:sdt {W}><w:sdtContent>{row}</w:sdtContent></w:sdt>"))

    (document,) = read(tmp_path / "a.docx", word_file(fill)).documents
    assert document.text == "Port | Fees: north | 12\nTotal | 30"


def test_a_pdf_whose_table_of_objects_is_wrong_is_read_or_refused_by_name(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(72, 72)
    stream = io.BytesIO()
    writer.write(stream)
    raw = stream.getvalue()
    start = raw.rindex(b"startxref")
    for number, broken in enumerate((raw[:start], raw[:start] + b"startxref\n9\n%%EOF", raw[: len(raw) // 2], b"")):
        assert f"{number}.pdf" in refusal(tmp_path / f"{number}.pdf", broken)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ('\ufeffid;title;text\r\n1;"A ""b""";"one\r\ntwo; three"\r\n', ['A "b"']),
        ('id,"title; long; and; with; marks",title,text\n1,x,A,one\n', ["A"]),
        ("sep=;\nid;title;text\n1;A, b;one\n", ["A, b"]),
        ("\n;;\n  \nid;title;text\n1;A, b;one\n", ["A, b"]),
        ("id\ttitle\ttext\n1\tA;b,c\tone\n", ["A;b,c"]),
    ],
)
def test_cells_are_parted_by_what_parts_the_header(tmp_path: Path, text: str, titles: list[str]) -> None:
    assert [document.title for document in read(tmp_path / "a.csv", text).documents] == titles


def test_a_line_of_a_table_is_named_as_it_stands_in_the_file(tmp_path: Path) -> None:
    assert "a.csv, line 3" in refusal(tmp_path / "a.csv", "sep=;\nid;text;date\n1;one;31/02/2026\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"text": "one", "text": "two"}', '"text" stands twice'),
        ('{"text": "one", "score": NaN}', "NaN"),
        (f'{{"text": "one", "id": {"9" * 5000}}}', "5000 digits; write it as text"),
        ('{"text": "one", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    ],
)
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_json_that_can_be_read_in_two_ways_is_refused_in_every_form(
    tmp_path: Path, text: str, reason: str, ending: str
) -> None:
    said = refusal(tmp_path / f"a.{ending}", text)
    assert reason in said
    assert "sys." not in said


def test_the_one_bad_line_of_ten_thousand_is_named(tmp_path: Path) -> None:
    lines = [json.dumps({"id": str(i), "text": f"line {i}"}) for i in range(10_000)]
    lines[6_665] = '{"id": "x", "text": "cut'
    assert "a.jsonl, line 6666" in refusal(tmp_path / "a.jsonl", "\n".join(lines))


@pytest.mark.parametrize("note", ["date: 2026-02-31\n", "1: title\n", "title: a\nx: " + "[" * 3_000])
def test_a_note_that_yaml_itself_cannot_take_is_refused_by_name(tmp_path: Path, note: str) -> None:
    write(tmp_path / "a.txt.meta.yaml", note)
    assert "a.txt.meta.yaml" in refusal(tmp_path / "a.txt", "Words.")


def test_a_file_whose_name_has_a_line_end_has_a_reference_on_one_line(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "a\nb  c.txt", "Words.").documents
    assert (document.reference, document.title) == ("a b c.txt", "a b c")


def test_a_text_of_characters_that_nobody_sees_is_none(tmp_path: Path) -> None:
    assert "empty" in refusal(tmp_path / "a.txt", "\u200b \u2060\n\ufeff")
    assert "no text; left out" in refusal(tmp_path / "a.json", '{"text": "\\u200b"}')
    with pytest.raises(CorpusError, match='"question" is missing or empty'):
        read_questions(write(tmp_path / "q.json", [{"question": "\u200b"}]))


def test_documents_that_replace_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    circle = [{"id": a, "text": f"Words of {a}.", "supersedes": b} for a, b in ("AB", "BC", "CA")]
    with pytest.raises(CorpusError, match="in a circle"):
        corpus_frames({"c": read(tmp_path / "a.json", circle)})


def test_a_document_that_replaces_a_later_one_is_refused(tmp_path: Path) -> None:
    records = [
        {"id": "A", "text": "Old words.", "date": "2026-01-01", "supersedes": "B"},
        {"id": "B", "text": "New words.", "date": "2026-02-01"},
    ]
    with pytest.raises(CorpusError, match="'A' replaces 'B', which is of a later date"):
        corpus_frames({"c": read(tmp_path / "a.json", records)})


def test_of_the_versions_of_what_is_replaced_an_earlier_one_is_taken(tmp_path: Path) -> None:
    records = [
        {"id": "B", "text": "First words.", "date": "2026-01-01"},
        {"id": "B", "text": "Third words.", "date": "2026-03-01"},
        {"id": "A", "text": "Second words.", "date": "2026-02-01", "supersedes": "B"},
    ]
    frame = corpus_frames({"c": read(tmp_path / "a.json", records)}).documents
    ids = dict(frame.select("text", "document_id").iter_rows())
    assert dict(frame.select("text", "supersedes").iter_rows())["Second words."] == ids["First words."]


def test_replacing_a_document_that_is_not_there_is_told(tmp_path: Path) -> None:
    content = read(tmp_path / "a.json", [{"id": "A", "text": "Words.", "supersedes": "B"}])
    assert any("A says that it replaces B" in warning for warning in content.warnings)


def test_a_document_that_replaces_itself_replaces_nothing(tmp_path: Path) -> None:
    records = [{"id": "A", "text": "Words.", "date": "2026-01-01", "supersedes": "A"}]
    (row,) = corpus_frames({"c": read(tmp_path / "a.json", records)}).documents.to_dicts()
    assert (row["supersedes"], row["valid_to"]) == (None, None)


def test_of_a_chain_of_likenesses_each_is_the_copy_of_one_that_is_kept(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(200)]
    records: list[Any] = []
    for changed in range(4):
        text = " ".join(f"z{i}" if i % 10 == 0 and i < 10 * changed else word for i, word in enumerate(words))
        records.append({"id": f"D{changed}", "text": text, "date": f"2026-01-0{changed + 1}"})
    rows = corpus_frames({"c": read(tmp_path / "a.json", records)}).documents.to_dicts()
    kept = {row["document_id"] for row in rows if row["duplicate_of"] is None}
    assert 1 < len(kept) < 4
    assert all(row["duplicate_of"] in kept for row in rows if row["duplicate_of"] is not None)


@pytest.mark.parametrize(
    "body",
    ["<p>café żółć é".encode() + b"\xff end", "„Größe“ ".encode() * 3 + "ß".encode()[:1], "日本語".encode()[:-1]],
)
def test_utf8_with_a_stray_or_cut_byte_stays_utf8(body: bytes) -> None:
    assert decoded(body) == body.decode("utf-8", "replace")


@given(st.text("äöüßéèñçÄÖ aeinrst.,", min_size=1).filter(lambda text: not text.isascii()))
def test_a_western_text_of_single_bytes_is_never_taken_for_damaged_utf8(text: str) -> None:
    body = text.encode("cp1252")
    try:
        assert decoded(body) == body.decode("utf-8")
    except UnicodeDecodeError:
        assert decoded(body) == text


@pytest.mark.parametrize("day", ["31 February 2022", "14 December 0000"])
def test_an_act_of_a_day_that_no_calendar_has_is_read_without_a_date(tmp_path: Path, day: str) -> None:
    units = [
        {"id": "t", "type": "document_title", "text": f"REGULATION (EU) 2022/2554 of {day}"},
        {"id": "1", "type": "paragraph", "text": "Ropes are checked.", "article_number": "1"},
    ]
    text = "\n".join(json.dumps(unit) for unit in units)
    content = read(tmp_path / "a.jsonl", text, "eurlex")
    assert [(document.reference, document.date) for document in content.documents] == [
        ("32022R2554", None),
        ("32022R2554 Article 1", None),
    ]


def musique(**changes: Any) -> str:
    paragraphs = [
        {"idx": idx, "title": title, "paragraph_text": f"About {title}.", "is_supporting": title != "C"}
        for idx, title in ((7, "A"), (3, "B"), (5, "C"))
    ]
    steps = [{"paragraph_support_idx": 3}, {"paragraph_support_idx": 7}]
    record = {"id": "q", "question": "Who?", "answer": "Ann", "paragraphs": paragraphs, "question_decomposition": steps}
    return json.dumps({**record, **changes})


def test_a_musique_hop_names_its_paragraph_by_idx_wherever_that_stands(tmp_path: Path) -> None:
    content = read(tmp_path / "a.jsonl", musique(), "musique")
    assert [(link.source, link.target) for link in content.links] == [("B", "A")]


@pytest.mark.parametrize("step", [99, True, None, "3", 5])
def test_a_musique_hop_to_no_supporting_paragraph_leaves_the_order_of_the_file(tmp_path: Path, step: object) -> None:
    content = read(tmp_path / "a.jsonl", musique(question_decomposition=[{"paragraph_support_idx": step}]), "musique")
    assert [gold.reference for gold in content.questions[0].gold or ()] == ["A", "B"]


@pytest.mark.parametrize("key", ["id", "question", "answer", "paragraphs", "question_decomposition"])
def test_a_musique_question_that_lacks_a_key_is_named(tmp_path: Path, key: str) -> None:
    record = json.loads(musique())
    del record[key]
    said = refusal(tmp_path / "a.jsonl", json.dumps(record), "musique")
    assert "a.jsonl, line 1" in said
    assert f'"{key}"' in said


def test_a_musique_paragraph_without_a_title_is_refused(tmp_path: Path) -> None:
    paragraphs = [{"idx": 0, "title": " ", "paragraph_text": "Words.", "is_supporting": True}]
    assert '"title"' in refusal(tmp_path / "a.jsonl", musique(paragraphs=paragraphs), "musique")


@pytest.mark.parametrize("content", ["<THE-HEADER/>", "<CORE-CONTENT/>", "<CORE-CONTENT><X/></CORE-CONTENT>"])
def test_a_reqif_file_without_its_parts_is_refused_in_words(tmp_path: Path, content: str) -> None:
    text = f'<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd">{content}</REQ-IF>'
    said = refusal(tmp_path / "a.reqif", text)
    assert "a.reqif" in said
    assert " at 0x" not in said


def gold_of(text: str, quote: str) -> list[str]:
    """The passages that a quote is found in."""
    question = Question("Who?", gold=(Gold("A", quote),))
    frames = corpus_frames({"c": CorpusContent((Document("A", "text", "T", text),), questions=(question,))}, 60)
    texts = dict(frames.passages.select("passage_id", "text").iter_rows())
    return [texts[own] for own in frames.questions["gold_passage_ids"][0]]


def test_a_quote_is_words_and_no_pattern() -> None:
    assert gold_of("It rose (by 5.0 %)\n\nto  12.", "(by 5.0\u00a0%) to") == ["It rose (by 5.0 %)\n\nto  12."]
    with pytest.raises(CorpusError, match="no such words"):
        gold_of("It rose by 500 %.", "5.0")


def test_a_long_quote_that_nearly_stands_everywhere_is_sought_in_one_pass() -> None:
    with pytest.raises(CorpusError, match="no such words"):
        gold_of("a " * 50_000, "a " * 25_000 + "b")


@given(st.lists(st.sampled_from(["a", "ab", "b."]), min_size=1, max_size=12), st.data())
def test_a_quote_is_found_whatever_blanks_part_the_words_of_the_text(words: list[str], data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.sampled_from([" ", "\n", "\n\n", "\u00a0 "]), min_size=20, max_size=20))
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=False))
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = " ".join(words[first : last + 1])
    assert quote in " ".join(" ".join(gold_of(text, quote)).split())
