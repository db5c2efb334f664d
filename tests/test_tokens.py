import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.text.languages import guess_language
from faithflow.text.numbers import readings
from faithflow.text.tokens import Kind, fold, tokenize

SAMPLES = {
    "en": "The Commission adopted the regulation and it applies to all Member States.",
    "de": "Die Kommission hat die Verordnung angenommen und sie ist in allen Mitgliedstaaten gültig.",
    "fr": "La Commission a adopté le règlement et il est applicable dans tous les États membres.",
    "es": "La Comisión adoptó el reglamento y se aplica en todos los Estados miembros.",
    "it": "La Commissione ha adottato il regolamento e si applica in tutti gli Stati membri della Unione.",
    "el": "Η Επιτροπή ενέκρινε τον κανονισμό.",
    "ru": "Комиссия приняла новый регламент.",
    "hi": "आयोग ने नया नियम अपनाया।",
    "ar": "اعتمدت المفوضية اللائحة الجديدة.",
    "und": "欧盟委员会通过了新法规。",
}


def keys(text: str, language: str) -> list[str]:
    return [token.key for token in tokenize(text, language) if not token.function]


@pytest.mark.parametrize("language", SAMPLES)
def test_a_sentence_is_known_by_its_script_and_its_function_words(language: str) -> None:
    assert guess_language([SAMPLES[language]]) == language


def test_the_order_of_texts_does_not_change_the_language() -> None:
    texts = list(SAMPLES.values())
    assert guess_language(texts) == guess_language(texts[::-1])


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "regulations", "regulation"),
        ("de", "Verordnungen", "Verordnung"),
        ("fr", "règlements", "reglement"),
        ("el", "ΚΑΝΟΝΙΣΜΌΣ", "κανονισμός"),
        ("ru", "комиссии", "комиссия"),
        ("hi", "नियमों", "नियम"),
        ("ar", "المفوضيّة", "المفوضية"),
        ("en", "Ｆｉｎｅ", "fine"),
        ("en", "co\u00adoperation", "cooperation"),
        ("en", "runner's", "runners"),
        ("fr", "l’eau", "eau"),
        ("en", "Dec.", "December"),
    ],
)
def test_forms_of_a_word_share_a_key(language: str, one: str, other: str) -> None:
    assert keys(one, language) == keys(other, language) != []


def test_a_vowel_sign_stays_in_its_word() -> None:
    assert [token.surface for token in tokenize("कंपनियों को", "hi")] == ["कंपनियों", "को"]


@pytest.mark.parametrize("text", ["数据保护法", "データ保護", "ประเทศไทย", "데이터보호"])
def test_a_script_without_spaces_is_cut_into_pairs_of_characters(text: str) -> None:
    tokens = tokenize(text, "und")
    assert len(tokens) == len(text) - 1
    assert all(token.end - token.start == 2 and token.kind is Kind.RUN for token in tokens)


def test_a_lone_character_of_such_a_script_is_a_token() -> None:
    assert keys("法", "und") == ["法"]


def test_the_month_may_is_content_and_the_verb_is_not() -> None:
    assert keys("It may apply on 3 May 2021", "en") == ["appli", "3", "May", "2021"]


def test_negations_share_one_key() -> None:
    for text in ("not", "cannot", "don't", "isn’t"):
        assert [token.key for token in tokenize(text, "en")] == ["not"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("23.70", {"23.7"}),
        ("49,400", {"49400", "49.4"}),
        ("1,685,000", {"1685000"}),
        ("1.234,56", {"1234.56"}),
        ("1 000 000", {"1000000"}),
        ("1.5 million", {"1500000"}),
        ("3,5 Mrd", {"3500000000"}),
        ("0.50", {"0.5"}),
        ("007", {"7"}),
        ("0", {"0"}),
        ("21st", {"21"}),
        ("1990s", {"1990"}),
        ("3.1.2", {"3.1.2"}),
        ("٣٫٥", {"3.5"}),
        ("१२३", {"123"}),
    ],
)
def test_a_number_has_the_values_it_may_be_read_as(text: str, values: set[str]) -> None:
    (token,) = tokenize(text, "en")
    assert token.kind is Kind.NUMBER
    assert token.readings == values == readings(text)


def test_number_words_are_numbers() -> None:
    assert [token.key for token in tokenize("twelve months", "en")] == ["12", "month"]


@given(st.integers(0, 10**15))
def test_group_separators_never_change_a_whole_number(value: int) -> None:
    assert str(value) in readings(f"{value:,}")
    assert readings(str(value)) == {str(value)}


@given(st.text(max_size=200), st.sampled_from(["en", "de", "el", "hi", "und"]))
def test_tokens_stand_where_they_say(text: str, language: str) -> None:
    tokens = tokenize(text, language)
    assert all(token.surface == text[token.start : token.end] and token.key for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(word: str) -> None:
    assert fold(fold(word)) == fold(word)
