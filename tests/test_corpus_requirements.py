"""Requirement sets: reqtraq's Markdown, Dronology's JSON, CSV, ReqIF."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.corpus.document import CorpusContent, Link
from faithflow.corpus.dronology import read_dronology
from faithflow.corpus.reqif_exchange import read_reqif
from faithflow.corpus.reqtraq import read_reqtraq
from faithflow.corpus.requirements import relation_slug
from faithflow.corpus.requirements_csv import read_requirements_csv
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError

REQTRAQ = """# Requirements

## Functions

#### REQ-PUMP-SYS-1 Pressure

The pump SHALL hold the <abbr title="Working Pressure">WP</abbr>.

```
#### REQ-PUMP-SYS-99 not a heading
```

##### Attributes:
- Rationale: Without it the
  valve leaks.
- Verification: Test

#### REQ-PUMP-SYS-2 DELETED

#### REQ-PUMP-SYS-3 Alarm

The pump SHALL sound an alarm.

##### Attributes:
- Parents: REQ-PUMP-SYS-1, REQ-PUMP-SYS-2
- Rationale:

### Notes

A note of no requirement.

## Appendix

#### DELETED-2 Old valve

The pump SHALL have a valve.

##### Attributes:
- Parents: REQ-PUMP-SYS-1
"""


def file(text: str | bytes, name: str = "set.md") -> SourceFile:
    return SourceFile(name, text if isinstance(text, bytes) else text.encode())


def texts(content: CorpusContent) -> dict[str, str]:
    return {document.reference: document.text for document in content.documents}


def test_reqtraq_headings_with_an_id_are_requirements() -> None:
    content = read_reqtraq([file(REQTRAQ)])
    assert [(document.reference, document.title) for document in content.documents] == [
        ("REQ-PUMP-SYS-1", "Pressure"),
        ("REQ-PUMP-SYS-2", "Deleted: Old valve"),
        ("REQ-PUMP-SYS-3", "Alarm"),
    ]
    assert content.documents[0].topics == ("SYS",)


def test_a_requirement_has_its_words_and_its_rationale_and_no_marks() -> None:
    assert texts(read_reqtraq([file(REQTRAQ)]))["REQ-PUMP-SYS-1"] == (
        "The pump SHALL hold the WP.\n\n```\n#### REQ-PUMP-SYS-99 not a heading\n```"
        "\n\nRationale: Without it the valve leaks."
    )
    assert texts(read_reqtraq([file(REQTRAQ)]))["REQ-PUMP-SYS-3"] == "The pump SHALL sound an alarm."


def test_parents_are_links_and_those_of_a_deleted_requirement_stand_in_the_appendix() -> None:
    assert set(read_reqtraq([file(REQTRAQ)]).links) == {
        Link("REQ-PUMP-SYS-2", "derives_from", "REQ-PUMP-SYS-1"),
        Link("REQ-PUMP-SYS-3", "derives_from", "REQ-PUMP-SYS-1"),
        Link("REQ-PUMP-SYS-3", "derives_from", "REQ-PUMP-SYS-2"),
    }


def test_parents_in_another_document_are_found() -> None:
    low = "## REQ-PUMP-HW-1 Ring\n\nThe ring SHALL seal.\n\n### Attributes:\n- Parents: REQ-PUMP-SYS-3\n"
    content = read_reqtraq([file(REQTRAQ), file(low, "low.md")])
    assert Link("REQ-PUMP-HW-1", "derives_from", "REQ-PUMP-SYS-3") in content.links
    assert not content.warnings


def test_a_parent_that_is_not_there_is_a_warning_that_names_both_ends() -> None:
    content = read_reqtraq([file("# REQ-A-B-1 One\n\nText.\n\n## Attributes:\n- Parents: REQ-A-A-7\n")])
    assert not content.links
    assert "REQ-A-B-1 derives_from REQ-A-A-7" in content.warnings[0]


def test_a_circle_of_parents_is_a_warning_in_the_direction_of_the_links() -> None:
    text = "".join(f"# REQ-A-B-{i} T\n\nText.\n\n## Attributes:\n- Parents: REQ-A-B-{i % 3 + 1}\n\n" for i in (1, 2, 3))
    (warning,) = read_reqtraq([file(text)]).warnings
    assert "derives_from goes in a circle" in warning
    assert any(f"REQ-A-B-{i} → REQ-A-B-{i % 3 + 1}" in warning for i in (1, 2, 3))


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(CorpusError, match="REQ-PUMP-SYS-1 stands twice"):
        read_reqtraq([file(REQTRAQ), file(REQTRAQ, "again.md")])


def test_a_text_without_requirements_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"notes\.md: no heading carries an id"):
        read_reqtraq([file("# Notes\n\nNothing.", "notes.md")])


def issue(name: str, summary: str, description: str, **children: list[str]) -> dict[str, object]:
    attributes = {"issuetype": "Requirement", "summary": summary, "description": description}
    return {"issueid": name, "attributes": attributes, "children": children, "code": []}


def test_dronology_links_are_stated_by_the_lower_level() -> None:
    entries = [
        issue("RE-1", "Hover", "The {{UAV}} shall _hover_.", refinedby=["DD-1"], implements=["DD-2"]),
        issue("DD-1", "Rotor", "", subtasks=["ST-1"]),
        issue("DD-2", "Wing", "Wings."),
        issue("ST-1", "Paint", "Paint it."),
        issue("CO-1", "All", "All.", contains=["RE-1"]),
    ]
    content = read_dronology([file(json.dumps({"entries": entries}), "d.json")])
    assert set(content.links) == {
        Link("DD-1", "refines", "RE-1"),
        Link("RE-1", "implements", "DD-2"),
        Link("ST-1", "subtask_of", "DD-1"),
        Link("RE-1", "part_of", "CO-1"),
    }
    assert texts(content)["RE-1"] == "The UAV shall hover."
    assert texts(content)["DD-1"] == "Rotor"
    assert content.documents[0].topics == ("Requirement",)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"issues": []}, "entries"),
        ({"entries": [1]}, "entry 1"),
        ({"entries": [{"issueid": "A"}]}, "attributes"),
        ({"entries": [{"attributes": {}}]}, "issueid"),
        ({"entries": [{"issueid": "A", "attributes": {}, "children": {"contains": "B"}}]}, "list of issue ids"),
    ],
)
def test_what_is_not_dronology_is_refused_with_its_place(value: object, reason: str) -> None:
    with pytest.raises(CorpusError, match=rf"d.json.*{reason}"):
        read_dronology([file(json.dumps(value), "d.json")])


def test_requirements_and_links_come_from_two_tables() -> None:
    content = read_requirements_csv(
        [
            file("source,relation,target\nB,Derives From,A\nB,satisfies,C\n", "links.csv"),
            file("id,level,title,text,module\nA,SYS,One,Text a.,M1\nB,HLR,Two,Text b.,\nC,SYS,,Text c.,M2\n", "r.csv"),
        ]
    )
    assert content.links == (Link("B", "derives_from", "A"), Link("B", "satisfies", "C"))
    assert [document.topics for document in content.documents] == [("SYS", "M1"), ("HLR",), ("SYS", "M2")]
    assert {document.kind for document in content.documents} == {"requirement"}


def test_links_may_stand_in_a_column() -> None:
    content = read_requirements_csv([file("id;text;links\nA;a;\nB;b;A\nC;c;satisfies A\n", "r.csv")])
    assert content.links == (Link("B", "derives_from", "A"), Link("C", "satisfies", "A"))


def test_a_row_that_is_neither_item_nor_link_is_refused_with_its_line() -> None:
    with pytest.raises(CorpusError, match=r"r.csv, line 3: neither an item"):
        read_requirements_csv([file("id,text\nA,a\n,b\n", "r.csv")])


@given(st.text(max_size=40))
def test_a_slug_is_a_relation_name_or_is_refused(name: str) -> None:
    try:
        slug = relation_slug(name, "here")
    except CorpusError:
        return
    assert slug[0].isalpha()
    assert slug == slug.lower()
    assert all(char.isascii() and (char.isalnum() or char == "_") for char in slug)
    assert relation_slug(slug, "here") == slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Derives from", "derives_from"), ("derivesFrom", "derives_from"), ("TRACES-TO", "traces_to")],
)
def test_relations_have_one_spelling(name: str, slug: str) -> None:
    assert relation_slug(name, "here") == slug


REQIF = """<?xml version="1.0" encoding="UTF-8"?>
<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<CORE-CONTENT><REQ-IF-CONTENT>
<DATATYPES>
 <DATATYPE-DEFINITION-STRING IDENTIFIER="dt-s" LONG-NAME="String" MAX-LENGTH="999" LAST-CHANGE="2026-01-01T00:00:00Z"/>
 <DATATYPE-DEFINITION-XHTML IDENTIFIER="dt-x" LONG-NAME="Rich" LAST-CHANGE="2026-01-01T00:00:00Z"/>
</DATATYPES>
<SPEC-TYPES>
 <SPEC-OBJECT-TYPE IDENTIFIER="ot" LONG-NAME="System requirement" LAST-CHANGE="2026-01-01T00:00:00Z">
  <SPEC-ATTRIBUTES>
   <ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a-id" LONG-NAME="ReqIF.ForeignID" LAST-CHANGE="2026-01-01T00:00:00Z">
    <TYPE><DATATYPE-DEFINITION-STRING-REF>dt-s</DATATYPE-DEFINITION-STRING-REF></TYPE>
   </ATTRIBUTE-DEFINITION-STRING>
   <ATTRIBUTE-DEFINITION-XHTML IDENTIFIER="a-text" LONG-NAME="ReqIF.Text" LAST-CHANGE="2026-01-01T00:00:00Z">
    <TYPE><DATATYPE-DEFINITION-XHTML-REF>dt-x</DATATYPE-DEFINITION-XHTML-REF></TYPE>
   </ATTRIBUTE-DEFINITION-XHTML>
  </SPEC-ATTRIBUTES>
 </SPEC-OBJECT-TYPE>
 <SPEC-RELATION-TYPE IDENTIFIER="rt" LONG-NAME="Derives From" LAST-CHANGE="2026-01-01T00:00:00Z"/>
 <SPECIFICATION-TYPE IDENTIFIER="st" LONG-NAME="Spec" LAST-CHANGE="2026-01-01T00:00:00Z"/>
</SPEC-TYPES>
<SPEC-OBJECTS>
 <SPEC-OBJECT IDENTIFIER="o1" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="Pressure">
  <VALUES>
   <ATTRIBUTE-VALUE-STRING THE-VALUE="SYS-1">
    <DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-id</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION>
   </ATTRIBUTE-VALUE-STRING>
   <ATTRIBUTE-VALUE-XHTML>
    <DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>a-text</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>
    <THE-VALUE><xhtml:div>The pump shall hold <xhtml:b>5 bar</xhtml:b>.</xhtml:div></THE-VALUE>
   </ATTRIBUTE-VALUE-XHTML>
  </VALUES>
  <TYPE><SPEC-OBJECT-TYPE-REF>ot</SPEC-OBJECT-TYPE-REF></TYPE>
 </SPEC-OBJECT>
 <SPEC-OBJECT IDENTIFIER="o2" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="Seal">
  <TYPE><SPEC-OBJECT-TYPE-REF>ot</SPEC-OBJECT-TYPE-REF></TYPE>
 </SPEC-OBJECT>
</SPEC-OBJECTS>
<SPEC-RELATIONS>
 <SPEC-RELATION IDENTIFIER="r1" LAST-CHANGE="2026-01-01T00:00:00Z">
  <TARGET><SPEC-OBJECT-REF>o1</SPEC-OBJECT-REF></TARGET>
  <SOURCE><SPEC-OBJECT-REF>o2</SPEC-OBJECT-REF></SOURCE>
  <TYPE><SPEC-RELATION-TYPE-REF>rt</SPEC-RELATION-TYPE-REF></TYPE>
 </SPEC-RELATION>
</SPEC-RELATIONS>
<SPECIFICATIONS>
 <SPECIFICATION IDENTIFIER="s1" LONG-NAME="All" LAST-CHANGE="2026-01-01T00:00:00Z">
  <TYPE><SPECIFICATION-TYPE-REF>st</SPECIFICATION-TYPE-REF></TYPE>
  <CHILDREN>
   <SPEC-HIERARCHY IDENTIFIER="h1" LAST-CHANGE="2026-01-01T00:00:00Z">
    <OBJECT><SPEC-OBJECT-REF>o1</SPEC-OBJECT-REF></OBJECT>
    <CHILDREN>
     <SPEC-HIERARCHY IDENTIFIER="h2" LAST-CHANGE="2026-01-01T00:00:00Z">
      <OBJECT><SPEC-OBJECT-REF>o2</SPEC-OBJECT-REF></OBJECT>
     </SPEC-HIERARCHY>
    </CHILDREN>
   </SPEC-HIERARCHY>
  </CHILDREN>
 </SPECIFICATION>
</SPECIFICATIONS>
</REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>
"""


def test_reqif_objects_relations_and_hierarchy_are_read() -> None:
    content = read_reqif([file(REQIF, "x.reqif")])
    first, second = content.documents
    assert (first.reference, first.title, first.text) == ("SYS-1", "Pressure", "The pump shall hold 5 bar.")
    assert (second.reference, second.text, second.topics) == ("o2", "Seal", ("System requirement",))
    assert set(content.links) == {Link("o2", "derives_from", "SYS-1"), Link("o2", "part_of", "SYS-1")}


def test_reqif_with_entities_is_refused() -> None:
    bomb = REQIF.replace("<REQ-IF ", '<!DOCTYPE x [<!ENTITY a "aaaa">]><REQ-IF ')
    with pytest.raises(CorpusError, match="document type or entities"):
        read_reqif([file(bomb, "x.reqif")])


@pytest.mark.parametrize("text", ["<REQ-IF>", "<other/>", REQIF.replace("<SPEC-OBJECTS>", "<NOTHING>"), "words"])
def test_what_is_not_reqif_is_refused(text: str) -> None:
    with pytest.raises(CorpusError, match=r"x\.reqif"):
        read_reqif([file(text, "x.reqif")])
