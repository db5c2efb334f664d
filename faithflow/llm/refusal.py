"""Whether a model that gave no verdicts refused to. It only names the reason: nothing is scored either way."""

import json
import re
import unicodedata

from faithflow.llm.json_reader import without_thoughts

# A refusal says so at once; further down the same words speak of the evidence.
_OPENING = 200

# What assistants open a refusal with, in the official languages of the Union with most speakers and in wide use
# beyond it. Accents and case do not count.
_PHRASES = (
    # English
    r"\b(?:sorry|apologi[sz]e|unable to|as an ai)\b",
    r"\b(?:can'?t|cannot|can not|won'?t|will not) (?:assist|help|comply|judge|provide|answer|evaluate|do that|fulfil)",
    r"\bi(?:'m| am)? (?:(?:do not|don't) feel )?(?:not )?(?:able|comfortable)\b",
    r"\bi (?:can'?t|cannot|can not|won'?t|will not)\b",
    r"\b(?:must|have to|will|need to) (?:decline|refuse)\b",
    r"\b(?:violates?|against) (?:\w+ ){0,3}(?:polic|guideline)",
    # German, Dutch, the Scandinavian languages
    r"\btut mir leid\b|\bkann (?:\w+ ){0,4}nicht\b|\bnicht in der lage\b",
    r"\bspijt me\b|\bik kan (?:\w+ ){0,4}niet\b|\bniet in staat\b",
    r"\b(?:tyvarr|beklager|kan (?:inte|ikke)|kan (?:\w+ ){1,3}(?:inte|ikke))\b",
    # French, Spanish, Portuguese, Italian, Romanian
    r"\bdesolee?\b|\bne peux pas\b|\bpas en mesure\b",
    r"\blo siento\b|\bno puedo\b|\blamento\b|\bdesculpe\b|\bsinto muito\b|\bnao posso\b",
    r"\bmi dispiace\b|\bnon posso\b|\bimi pare rau\b|\bnu pot\b",
    # Polish, Czech, Hungarian, Finnish, Greek, Bulgarian, Russian, Ukrainian, Turkish
    r"\bprzykro mi\b|\bprzepraszam\b|\bnie moge\b|\bomlouvam se\b|\bnemohu\b|\bsajnalom\b|\bpahoittelen\b|\ben voi\b",
    r"\bλυπαμαι\b|\bδεν μπορω\b|\bсъжалявам\b|\bне мога\b|\bизвините\b|\bне могу\b|\bвибачте\b|\bне можу\b",
    r"\buzgunum\b|\bozur dilerim\b",
    # Chinese, Japanese, Korean, Arabic, Hindi
    r"抱歉|对不起|對不起|无法|無法|申し訳|できません|죄송|할 수 없",
    r"عذرا|آسف|اعتذر|لا أستطيع|لا يمكنني|क्षमा|माफ",
)


def _folded(text: str) -> str:
    """Text without case, accents and the curl of apostrophes."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return "".join(char for char in apart if not unicodedata.combining(char)).replace("\u0131", "i")


_REFUSAL = re.compile("|".join(_folded(phrase) for phrase in _PHRASES))


def is_refusal(text: str) -> bool:
    """Whether a reply without verdicts opens like a refusal, in prose or as the only words of a JSON object."""
    said = without_thoughts(text).strip()
    return any(_REFUSAL.search(_folded(words.strip()[:_OPENING])) for words in (said.split("{", 1)[0], _only(said)))


def _only(text: str) -> str:
    """The one string that a JSON object holds, as in {"error": "I cannot …"}; empty where it holds anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    words = list(value.values()) if isinstance(value, dict) else []
    return words[0] if len(words) == 1 and isinstance(words[0], str) else ""
