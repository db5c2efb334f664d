"""Whether a sentence holds anything to check: questions, greetings, offers and talk about the answer do not."""

import re

from faithflow.text.scripts import GREEK

_QUESTION = re.compile(rf"(?:[?？؟\u037e⁇⁈]|(?<=[{GREEK}]);)[!！]?[)\]*_\s]*$")
_QUOTED_QUESTION = re.compile(r"^[\"“”„«「『'‘].*[?？؟\u037e][\"”“»」』'’]+[)*_\s]*$", re.DOTALL)
_POLITE = re.compile(
    r"^(?:(?:sure(?: thing)?|certainly|of course|absolutely|definitely|hello(?: there)?|hi(?: there)?|hey|thanks"
    r"|thank you"
    r"(?: for [^.!]{1,60}+)?|you(?:'|’)re welcome|you are welcome|okay|ok|great|good (?:question|morning|afternoon"
    r"|day|point)"
    r"|(?:that(?:'|’)s|that is|what) an? (?:good|great|excellent|interesting|important) (?:question|point)"
    r"|great question"
    r"|excellent question|best regards|kind regards|cheers|good luck|bonjour|merci|hola|gracias|ciao|grazie|guten tag"
    r"|danke|natürlich|gerne|bien sûr|claro|certo|привет|спасибо|конечно|здравствуйте|γεια σας|βεβαίως|ευχαριστώ"
    r"|नमस्ते|धन्यवाद|ज़रूर|你好|您好|谢谢|謝謝|当然|當然|好的|مرحبا|مرحباً|شكرا|شكراً|بالطبع|こんにちは|ありがとうございます|もちろんです)"
    r"[\s,!.。！،,]*)+$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"^(?:(?:sure|certainly|of course|absolutely|yes|okay|ok)[,!.]? )?(?:I ?(?:can|will|['’]ll|would be|['’]d be"
    r"|am|['’]m) "
    r"(?:be )?(?:happy|glad|pleased|help you|here to help|able to help|try to help|do my best)\b"
    r"|I hope (?:this|that|it)\b|(?:please )?(?:feel free|let me know|don['’]t hesitate|do not hesitate)\b"
    r"|(?:if|should) you (?:have|need|require|want|would like|['’]d like|still have)\b.{0,120}(?:questions?|help"
    r"|assistance|clarif"
    r"|let me know|feel free|ask|contact|concerns|information|details)|is there (?:anything|something) else\b"
    r"|let me (?:help|explain|know|break|try|summari[sz]e|start|walk)\b"
    r"|(?:wenn|falls) (?:sie|du) (?:weitere|noch) .{0,40}fragen|n['’]hésitez pas|no dud(?:e|es) en|non esit(?:are|i)"
    r"|ich hoffe, das|j['’]espère que cela|espero que (?:esto|te|le)|надеюсь,? (?:это|что)|希望(?:这|這|对|對|以上)"
    r"|如果(?:您|你)(?:还|還|有).{0,20}(?:问题|問題)|आशा है|إذا كان(?:ت)? لديك|آمل أن)",
    re.IGNORECASE,
)
_META = re.compile(
    r"^(?:(?:sure|certainly|of course|absolutely|yes|okay|ok)[,!.]? )?(?:so,? )?(?:(?:based on|according to|from"
    r"|using|given|in) [^:]{1,120}, )?"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|the following (?:is|are)|this is|I (?:will|['’]ll) (?:provide"
    r"|give|answer|explain|summari[sz]e)"
    r"|I have (?:provided|summari[sz]ed|listed)) (?:(?:a|an|the|some|my|your|you) )?(?:[\w-]+ ){0,4}?(?:answer"
    r"|summary|list|overview|"
    r"breakdown|explanation|response|comparison|steps|points|details|information|guide|outline|ways|tips|examples"
    r"|instructions"
    r"|description|benefits|reasons|solutions?)\b[^.:;\d]{0,200}[:.!]?$",
    re.IGNORECASE,
)
_ATTRIBUTION_ALONE = re.compile(
    r"^(?:based (?:up)?on|according to|as (?:stated|mentioned|described|per|defined)|in accordance with|under"
    r"|from|per|pursuant to|"
    r"given|as follows|laut|gemäß|nach|selon|d['’]après|según|secondo|de acordo com|segundo|volgens|według|podle"
    r"|согласно|"
    r"σύμφωνα με|根据|根據|依据|وفقا|وفقاً)\b[^.!]{0,160}[:,：]$",
    re.IGNORECASE,
)
_POINTS_AHEAD = re.compile(
    r"^(?:(?:therefore|thus|so|hence|in (?:summary|conclusion|short)),? )?(?:the |my )?(?:final |short "
    r"|brief )?(?:answer|response|summary)"
    r"(?: to (?:the|this|your)(?: \w+)? question)?(?: \"[^\"]{0,200}\")?(?: of [^:]{1,160})?(?: is"
    r"| would be)?(?: as follows)?:$",
    re.IGNORECASE,
)
_IF_UNTOLD = re.compile(
    r"^if (?:the|these|those|any of the) (?:\w+ )?(?:passages?|contexts?|documents?|sources?|excerpts?|signs"
    r"|texts?)\b.{0,60}(?:n[o'’]t)\b"
    r".{0,200}(?:answer|respon|repl)",
    re.IGNORECASE,
)
_ADVICE_TO_ASK = re.compile(
    r"^(?:for [^,.]{1,120}, |therefore, |however, |if [^,.]{1,80}, )?(?:(?:I|we) (?:would |['’]d "
    r"|strongly )?(?:recommend|suggest|advise|"
    r"encourage)(?: that)?(?: you)?(?: to)? |please )(?:refer|referring|consult|consulting|check|checking|visit"
    r"|visiting|contact|"
    r"contacting|see|seek|seeking|review|reviewing|provide|share|clarify|ask|verify|verifying)\b",
    re.IGNORECASE,
)
_EMPTY_OPINION = re.compile(
    r"^(?:it (?:really )?depends(?: on (?:the (?:context|situation|case)|many (?:things|factors)))?|I (?:think"
    r"|believe|guess) so"
    r"|that(?:'|’)s (?:it|all)|that is (?:it|all)|in my (?:humble )?opinion|who knows|time will tell|hard to say"
    r"|(?:it (?:is|'s) )?(?:up to you|your choice))[.! ]*$",
    re.IGNORECASE,
)
_WITHOUT_CONTENT = (
    _POLITE,
    _OFFER,
    _META,
    _ATTRIBUTION_ALONE,
    _POINTS_AHEAD,
    _IF_UNTOLD,
    _ADVICE_TO_ASK,
    _EMPTY_OPINION,
)
_ADDRESS = re.compile(r"[<(]?(?:https?://|www\.)\S+$")
_REFERENCES = re.compile(
    r"\((?=[^\n]{0,200}\b(?:act|articles?|art|gdpr|recitals?|regulation|directive|annex|section|passages?"
    r"|contexts?|sources?"
    r"|documents?|doc|pages?|see|ibid|quelle|artikel|fuente|artículo|fonte|articolo)\b)(?:[^()\n]"
    r"|\([^()\n]{0,40}\)){0,200}"
    r"(?<![.!?])\)[\s.]*$|(?:sources?|references?|quellen?|fuentes?|fonti|источники?|来源|來源)\s*[:：].*$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED_LAW = re.compile(
    r"\b(?:articles?|art\.?|recitals?|annex|sections?|paragraphs?|passages?|contexts?|sources?|documents?"
    r"|chapters?)\b ?\d*(?:\(\w{1,4}\))*",
    re.IGNORECASE,
)
_BREAKS_OFF = re.compile(
    r"\b(?:include|includes|included|including|are|is|was|were|be|that|to|where|when|if|by|of|for|on|in|at|with"
    r"|from|as|via|either|both|must|shall|should|may|can|will|do|the|and|or|contain|contains|cover|covers"
    r"|comprise|comprises|require"
    r"|requires"
    r"|follows|specify|specified|provide|namely|such as|e\.g\.|i\.e\.|sind|ist|zu|umfassen|dass|wenn|sont|est|que"
    r"|si|son|es|sono|che|se"
    r"|são|zijn|są|jsou|είναι|ότι|являются|что|если)[ *_]*[:：]$",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:following|follows?|below|here(?:['’]s)?|these|steps|ways|answer|question|examples?|folgende\w*"
    r"|suivante?s?|siguientes?"
    r"|seguenti?|seguintes?|volgende|następując\w+|následující\w*|ακόλουθ\w+|следующ\w+|наступн\w+|следн\w+)\b"
    r"|[以如]下|下列|निम्न|التالي",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"^(?:in order )?to [^.]{1,200}\b(?:steps?|following|need to|should|ways|instructions)[ *_]*[:：]$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_READ_AT_MOST = 2000
_THOUGHTS = re.compile(r"(?:\d+[.)] )?(?:my )?(?:thoughts?|thinking|reasoning)(?: process| steps)?:?", re.IGNORECASE)
_ON_CONFLICTS = re.compile(r"\b(?:conflict|contradiction|discrepanc|disagreement)", re.IGNORECASE)
_NO_CONFLICT = re.compile(
    r"none(?: (?:were |was )?(?:found|identified|detected|noted))?\.?"
    r"|(?:there (?:are|were|is|was) )?no (?:\w+ ){0,2}(?:conflicts?|contradictions?|discrepanc(?:y|ies)|disagreements?)"
    r"(?: [^.;:,]{1,120})?\.?",
    re.IGNORECASE,
)


def is_checkworthy(sentence: str) -> bool:
    """Whether a plain sentence states something that evidence could bear out. In doubt it does."""
    if _is_question(sentence):
        return False
    if not any(map(str.isalnum, sentence)) or _is_addresses(sentence) or _REFERENCES.match(sentence):
        return False
    return len(sentence) > _READ_AT_MOST or not any(pattern.match(sentence) for pattern in _WITHOUT_CONTENT)


def is_lead_in(sentence: str) -> bool:
    """Whether a sentence that ends in a colon only announces what stands below it.

    It does where it breaks off ("must include:"), says that something follows, or is short. A whole clause that could
    as well end in a full stop, or one that names a figure, states something.
    """
    if not sentence.endswith((":", "：")):
        return False
    if _HOW_TO.match(sentence):
        return True
    if _DIGIT.search(_NUMBERED_LAW.sub("", sentence)):
        return False
    return (
        len(sentence.split()) < 8 or _BREAKS_OFF.search(sentence) is not None or _ANNOUNCES.search(sentence) is not None
    )


def says_nothing_below(heading: str, sentence: str) -> bool:
    """Whether a sentence says nothing of the world because of the heading above it.

    So do an answer's thoughts about how it came about, and the word that no conflict was found between its sources.
    """
    if _THOUGHTS.fullmatch(heading):
        return True
    return _ON_CONFLICTS.search(heading) is not None and _NO_CONFLICT.fullmatch(sentence) is not None


def _is_addresses(sentence: str) -> bool:
    """Whether a sentence is nothing but web addresses."""
    return all(_ADDRESS.match(word) for word in sentence.split())


def _is_question(sentence: str) -> bool:
    tail = sentence[-40:]
    return _QUESTION.search(tail) is not None or (
        len(sentence) <= _READ_AT_MOST and _QUOTED_QUESTION.match(sentence) is not None
    )
