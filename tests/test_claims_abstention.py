"""What abstains and what states, in English by its grammar and elsewhere by usual phrases."""

import pytest

from faithflow.claims.abstention import is_abstention

ABSTAINS = [
    "Final Answer: inconclusive",
    "Final answer: Inconclusive.",
    "**inconclusive**".strip("*"),
    "The answer is inconclusive.",
    "Answer: unknown",
    "N/A",
    "Inconclusive based on the retrieved documents.",
    "I don't know.",
    "I do not know the answer to that.",
    "Sorry, but I don’t have enough information to answer.",
    "I'm sorry, I cannot determine this from the context.",
    "I am unable to answer based on the given passages.",
    "Unable to answer based on given passages.",
    "As an AI language model, I do not have access to that information.",
    "The context does not provide the fee.",
    "However, the provided excerpts do not address notice periods.",
    "The passages don't mention it.",
    "The documents do not specify the deadline.",
    "Passage 3 does not provide instructions for folding a quilt.",
    "None of the passages say who won.",
    "The retrieved documents contain no information about the tariff.",
    "The provided context lacks details on the procedure.",
    "The available evidence is insufficient.",
    "The context covers providers and importers, but it does not define deployers.",
    "The definition of a provider is not included in the provided material.",
    "Based on the passages, the exact date is not stated.",
    "There is no mention of fees in the context.",
    "There is not enough information to determine the price.",
    "No information on the budget is available.",
    "This cannot be determined from the given sources.",
    "It is not possible to answer this question from the text.",
    "Without further information, it cannot be determined who signed.",
    "This question cannot be answered.",
    "The answer to this question is not found in the documents.",
    "Note: The passages do not give the size of the roast, so cooking times may vary.",
]
STATES = [
    "The Regulation does not provide exemptions for SMEs.",
    "The claim is untrue.",
    "Inconclusive results were published in 2019.",
    "The trial was inconclusive.",
    "Article 5 does not mention banks.",
    "The directive does not specify a deadline.",
    "The position of an electron cannot be determined exactly.",
    "There is no evidence that vaccines cause autism.",
    "According to passage 2, the firm does not guarantee the security of accounts.",
    "Some women have nausea, although this is not mentioned in the passages.",
    "The fee is EUR 5, but the context does not say when it is due.",
    "The passages do not state the fee, but the deadline for payment is 5 May.",
    "The passage suggests that rollers give a fine finish, but there is no information on their price.",
    "Technical documents do not contain trade secrets.",
    "The controller is unable to identify the data subject.",
    "The authority does not know the number of cases.",
    "If the source does not mention the author, the work is anonymous.",
    "Members cannot answer for others.",
    "Insufficient evidence was presented at trial.",
    "The Court found no information asymmetry.",
    "I don't think so, it opened in 1999.",
    "Unknown to him, the law had changed.",
    "The answer is 42.",
    "Final answer: Paris",
    "Information must not be disclosed.",
    "",
]
ELSEWHERE = [
    "Ich weiß es nicht.",
    "Der Kontext enthält keine Angaben zur Gebühr.",
    "Die Frage kann anhand der Dokumente nicht beantwortet werden.",
    "Die bereitgestellten Dokumente nennen die Frist nicht.",
    "Je ne sais pas.",
    "Le contexte fourni ne mentionne pas la date.",
    "Les documents ne contiennent aucune information à ce sujet.",
    "No lo sé.",
    "El contexto no proporciona esa información.",
    "No hay información suficiente para responder.",
    "Non lo so.",
    "I documenti non contengono questa informazione.",
    "Não sei.",
    "O contexto não menciona a taxa.",
    "Ik weet het niet.",
    "De documenten bevatten geen informatie over de prijs.",
    "Kontekst nie zawiera informacji o opłacie.",
    "Kontext neobsahuje tuto informaci.",
    "Dokumenten nämner inte avgiften.",
    "Bağlam bu konuda bilgi içermiyor.",
    "Δεν γνωρίζω.",
    "Το πλαίσιο δεν αναφέρει την προθεσμία.",
    "Τα έγγραφα δεν περιέχουν την πληροφορία.",
    "Я не знаю.",
    "Контекст не содержит информации о сроке.",
    "В документах нет информации: недостаточно данных.",
    "Не могу ответить на этот вопрос.",
    "मुझे नहीं पता।",
    "संदर्भ में यह जानकारी उपलब्ध नहीं है।",
    "我不知道。",
    "上下文没有提供相关信息。",
    "根据给定的文档，无法确定日期。",
    "文件中未提及費用。",
    "わかりません。",
    "文書には記載されていません。",
    "알 수 없습니다.",
    "문서에 언급되지 않았습니다.",
    "لا أعرف.",
    "السياق لا يذكر الموعد.",
    "لا توجد معلومات كافية للإجابة.",
    "متن میں یہ معلومات نہیں ہیں۔",
    "אני לא יודע.",
    "ไม่ทราบ",
]
STATES_ELSEWHERE = [
    "Die Verordnung enthält keine Ausnahmen für KMU.",
    "Der Verantwortliche darf die Daten nicht weitergeben.",
    "Le règlement ne prévoit pas d'exemption.",
    "El Reglamento no establece excepciones.",
    "Il regolamento non prevede eccezioni.",
    "O regulamento não prevê exceções.",
    "De verordening bevat geen uitzonderingen.",
    "Rozporządzenie nie przewiduje wyjątków.",
    "Ο κανονισμός δεν προβλέπει εξαιρέσεις.",
    "Регламент не предусматривает исключений.",
    "विनियम में छूट नहीं है।",
    "该条例不规定豁免。",
    "この規則は例外を認めない。",
    "이 규정은 예외를 두지 않는다.",
    "لا تنص اللائحة على استثناءات.",
]


@pytest.mark.parametrize("sentence", ABSTAINS + ELSEWHERE)
def test_a_sentence_that_leaves_the_question_open_abstains(sentence: str) -> None:
    assert is_abstention(sentence)


@pytest.mark.parametrize("sentence", STATES + STATES_ELSEWHERE)
def test_a_sentence_that_asserts_something_of_the_world_does_not_abstain(sentence: str) -> None:
    assert not is_abstention(sentence)


def test_a_pronoun_abstains_only_behind_a_sentence_about_the_evidence() -> None:
    assert is_abstention("They do not address tax rates.", "The provided excerpts are from the AI Act.")
    assert not is_abstention("They do not address tax rates.", "The ministers met in June.")
