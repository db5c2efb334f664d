"""The language of a text, as far as its tokens need it: by script, then by the commonest function words."""

import re
from collections import Counter
from collections.abc import Iterable

STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hi": "hindi", "hu": "hungarian", "it": "italian", "nl": "dutch", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish",
}  # fmt: skip
"""ISO 639-1 codes and the Snowball stemmer of each."""

_FUNCTION_WORDS = {
    "en": "a about above after again all also although am an and another any are as at be because been before "
    "being below between both but by can could did do does doing done down during each either else etc "
    "even ever every few for from further get gets got had has have having he her here hers herself him "
    "himself his how however i if in into is it its itself just like made make makes many may me might "
    "more most much must my myself no nor not now of off often on once one only or other others our ours "
    "out over own per rather same she should since so some such than that the their theirs them "
    "themselves then there therefore these they this those through thus to too under until up upon us use "
    "used very via was we well were what when where whether which while who whom whose why will with "
    "within without would yet you your yours yourself",
    "de": "der die das und ist nicht ein eine einer eines einem einen den dem des zu von mit für auf im in sich "
    "auch als an bei aus nach wird werden wurde wurden war sind sein hat haben oder wie durch dass es er "
    "sie wir ihr zum zur um über",
    "fr": "le la les un une des de du et est que qui dans pour pas par sur au aux avec ce cette ces il elle ils "
    "elles en se sont été être ont plus ou son sa ses leur leurs ne comme mais nous vous était y",
    "es": "el la los las un una unos unas de del y es que en por para con no se su sus al lo como más o pero "
    "fue son ha han este esta estos estas ser era también entre",
    "it": "il lo la i gli le un una uno di del della dei delle degli e è che in per con non si su al alla da "
    "dal dalla nel nella come più o ma sono ha hanno anche essere era questo questa",
    "pt": "o a os as um uma de do da dos das e é que em no na nos nas por para com não se seu sua ao como mais "
    "ou mas foi são tem também ser era este esta pelo pela",
    "nl": "de het een en is niet van in op te dat die voor met zijn aan door om er ook als bij naar uit of "
    "wordt worden werd heeft hebben was waren maar dit deze over",
    "sv": "och är att en ett det den som på av för med till inte om har från var de vid kan ska också eller men "
    "denna detta",
    "da": "og er at en et det den som på af for med til ikke om har fra var de ved kan skal også eller men "
    "denne dette blev",
    "ro": "și este că un o în de la cu pe nu se din pentru care au a fost sunt mai sau ca prin al ale lui",
    "hu": "a az és hogy nem egy is van volt meg de ez ezt csak már vagy mint szerint által után",
    "fi": "ja on ei että se oli ovat joka myös mutta kun hän tai sen ole kuin ovat tämä niin",
    "pl": "i w z na do nie że się jest o od przez dla po za oraz jak to są był była tym który która które",
    "cs": "a v z na do ne že se je o od pro po za jak to jsou byl byla tím který která které s k",
    "tr": "ve bir bu için ile da de olarak olan gibi daha çok en ne var veya kadar sonra",
    "ru": "и в во не на с со что это как по к из у за от о об для при его её их был была были быть который "
    "также или но он она они",
    "el": "και το τα η ο οι του της των τον την στο στη στην στον στα σε με για που είναι από δεν ένα μια να "
    "ότι θα ως κατά ή",
    "hi": "के का की में है और से को पर यह एक ने हैं कि इस लिए भी था थे थी नहीं जो तो हो गया किया कर या वह",
    "ar": "في من على إلى أن هذا هذه التي الذي كان كانت عن مع هو هي لا ما أو ثم قد كل و بعد قبل",
}


def word_set(text: str) -> frozenset[str]:
    """The case-folded words of a list written with blanks."""
    return frozenset(text.casefold().split())


_SCRIPTS = (
    ("el", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
)
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION_SETS = {language: word_set(words) for language, words in _FUNCTION_WORDS.items()}
_BY_WORD: dict[str, list[str]] = {}
for _language, _words in _FUNCTION_SETS.items():
    if _language not in {language for language, _ in _SCRIPTS}:
        for _word in sorted(_words):
            _BY_WORD.setdefault(_word, []).append(_language)


def is_function_word(word: str, language: str) -> bool:
    """Whether a case-folded word carries no content in a language (False where the language has no list)."""
    return word in _FUNCTION_SETS.get(language, frozenset())


def guess_language(texts: Iterable[str]) -> str:
    """The ISO 639-1 code of the language that most of the texts is in; the order of the texts does not matter.

    A script that one listed language dominates decides by itself; Latin text goes to the language whose function
    words are commonest (English on a tie or without any); "und" where none of these scripts is in the majority.
    """
    texts = list(texts)
    latin = sum(len(_LATIN.findall(text)) for text in texts)
    counts = {language: sum(len(pattern.findall(text)) for text in texts) for language, pattern in _SCRIPTS}
    best = max(counts, key=lambda language: counts[language])
    if counts[best] > latin:
        return best
    if latin == 0:
        return "und"
    hits: Counter[str] = Counter()
    for text in texts:
        for word, n in Counter(_WORD.findall(text.casefold())).items():
            for language in _BY_WORD.get(word, ()):
                hits[language] += n
    return max(hits, key=lambda language: (hits[language], language == "en", language)) if hits else "en"
