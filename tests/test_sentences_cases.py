"""Sentences of many languages and layouts: in each case `‖` marks where one sentence follows another."""

import pytest

from faithflow.text.sentences import sentence_spans

LATIN = [
    "Art. 5(1)(a) of Regulation (EU) No. 648/2012 applies. ‖It has applied since 2013.",
    "The U.S. Congress met in Washington D.C. on Jan. 5. ‖Nothing was decided.",
    "Dr. J. R. Smith Jr. joined Acme Corp. in 1999. ‖He left in 2003.",
    "See p. 5, Fig. 2 and Sec. 3.1.2. ‖The rest is in vol. II.",
    "The fine is EUR 1.5 million, i.e. 2.5% of turnover. ‖It is paid once.",
    "It failed... but nobody noticed. ‖Then it worked... ‖Everyone was glad.",
    'She asked, "Why?" and left. ‖"I know." ‖He stayed.',
    "This is so (see Art. 5. It says more.) and stays so. ‖(It was said before.) ‖Now it ends.",
    "Write to info@example.eu. ‖Or see https://example.eu/a.html?x=1. ‖Both work.",
    "A is B. [1] ‖C is D.[E1,E3] ‖E is F [2, 3]. ‖G is H.¹ ‖I agree.",
    "It must be kept for six months. (EU AI Act, Article 19(1)) ‖Logs are included (Passage 2).",
    "The Act applies. [Source](https://example.eu/a) ‖[The Commission](https://example.eu) proposed it.",
    "Yahoo! is a firm. ‖Is it old? ‖Yes! ‖iPhones are newer.",
    "The book cost $5. ‖In 2020 it cost $6. ‖7 people bought it.",
    "It opens at 5 p.m. on Mondays. ‖It closes at 9 p.m. ‖The shop is small.",
    "They sell tea, coffee, etc. and bread. ‖They grow herbs, trees, etc. ‖All are cheap.",
    "Smith et al. (2020) found it. ‖Others, e.g. Jones, did not.",
    "Node.js and ASP.NET stay whole. ‖So does example.com.",
    "He wrote it.‖The firm printed it.",
    "Was it so?! ‖It was!! ‖Really…",
    "Vitamin C. ‖The body needs it.",
    "all is lower case here. ‖nobody wrote capitals. ‖it is split all the same.",
    "The deadline is 30 June 2025 ‖",
]
LANGUAGES = [
    "Am 14. Dezember 2022 wurde DORA angenommen. ‖Im 20. Jahrhundert war das anders. ‖Das gilt z. B. für Banken.",
    "Gem. Abs. 2 Nr. 3 BGB haftet er. ‖Vgl. S. 12 ff. des Berichts. ‖Die Kosten betragen 1.500,50 EUR.",
    "Selon l'art. 5 du règlement, M. Dupont doit payer. ‖Qu'en est-il ? ‖« C'est fini. » ‖Il part.",
    "¿Qué es esto? ‖Es el art. 5. ‖¡Sí! ‖El Sr. García, p. ej., lo sabe.",
    "Secondo l'art. 5, il Dott. Rossi ha ragione. ‖Non è così?",
    "O art. 5.º aplica-se. ‖A Dra. Silva concorda.",
    "Zgodnie z art. 5 ust. 2 pkt 3 umowa jest ważna. ‖Np. bank może odmówić.",
    "Podle čl. 5 odst. 2 to platí od 1. ledna 2024. ‖Banka může odmítnout.",
    "Den 3. mars trädde lagen i kraft. ‖Den gäller t.ex. banker.",
    "Dit geldt o.a. voor banken. ‖Zie art. 5.",
    "А. С. Пушкин родился в 1799 г. в Москве. ‖Он писал стихи, т.е. был поэтом. ‖Это так?",
    "Το άρθ. 5 παρ. 2 ισχύει. ‖Τι είναι αυτό; ‖Είναι κανονισμός· ισχύει παντού. ‖Γιατί\u037e ‖Διότι έτσι.",
    "Սա առաջինն է։ ‖Սա երկրորդն է: ‖Վերջ։",
    "यह पहला वाक्य है। ‖डॉ. सिंह आए। ‖क्या यह सच है? ‖हाँ।",
    "এটি প্রথম বাক্য। ‖এটি দ্বিতীয়।",
    "هذه هي الجملة الأولى. ‖هل هذا صحيح؟ ‖نعم، هذا صحيح!",
    "یہ پہلا جملہ ہے۔ ‖یہ دوسرا ہے۔",
    "זה המשפט הראשון. ‖האם זה נכון? ‖כן.",
    "这是第一句。‖这是第二句！‖真的吗？‖“是的。”‖他说完了。",
    "第5条規定了3.5%的上限。‖參見《條例》（第2條。）的說明。‖完。",
    "これは文です。‖「本当です。」と彼は言った。‖終わり！",
    "이것은 첫 문장입니다. ‖이것은 두 번째입니다. ‖맞습니까?",
    "ይህ የመጀመሪያው ነው። ‖ይህ ሁለተኛው ነው።",
    "ဒါက ပထမ။ ‖ဒါက ဒုတိယ။",
    "ประโยคแรกไม่มีจุด\n‖ประโยคที่สองก็เช่นกัน",
    "Đây là câu thứ nhất. ‖Đây là câu thứ hai.",
    "Bu ilk cümle. ‖Madde 5'e göre 3.5 puan artar.",
]
LAYOUT = [
    "# A title. With a stop\n‖\nFirst sentence. ‖Second one.",
    "The types are:\n‖- one kind. ‖It is old.\n‖- another kind\n  that goes on here\n‖* a third",
    "Albums: the first has “Boombayah.”‖2. The second has “Stay.”\n‖1.Without a space\n‖3. Mai war es.",
    "1. First step.\n‖2. Second step\n‖(a) a letter\n‖iv) a roman one\n‖• a dot",
    "Follow these: 1. Open it. ‖2. Close it. ‖3. Leave.",
    "**Bold title**\n‖Text under it.‖\n\n> A quoted line. ‖And one more.\n‖> The next line.",
    "| a | b |\n|---|---|\n‖| 1. x | 2. Y |\n‖| 3 | 4 |",
    "Before.\n‖```python\nx = 1. \nY = 2.\n```\n‖After.",
    "An open fence hides nothing:\n‖```\n‖The first. ‖The second.",
    "```markdown\n‖The first. ‖The second.\n‖```",
    "First line.\r\n‖Second line\r\n\r\n‖Third paragraph",
    "Title\n=====\n‖Text.\n\n‖---\n\n‖More text.",
    "A line without a stop\n‖Another line without one\n‖The last",
    "This paragraph was wrapped by a mail program at about sixty\ncolumns, as in reports that the European Commission\n"
    "and Parliament publish. ‖A second sentence runs over the end of\nthe line too.",
    "Line one.<br>‖Line two.<br/>‖Line three.",
    "\ufeff\u200bFirst.\u200b ‖Second\u200b. ‖Third.\u2060",
    "First.\u2028‖Second.\u2029‖Third.",
]


@pytest.mark.parametrize("case", LATIN + LANGUAGES + LAYOUT)
def test_a_text_splits_where_its_sentences_meet(case: str) -> None:
    text = case.replace("‖", "")
    expected = [part.strip(" \n\r\u2028\u2029\u200b\u2060\ufeff") for part in case.split("‖")]
    assert [span.of(text) for span in sentence_spans(text)] == [part for part in expected if part]
