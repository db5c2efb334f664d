"""How English says that an answer is not known, or that the evidence does not hold it: the patterns.

They work on plain text of one sentence. The grammar is small: something that names the evidence (`EVIDENCE`), a denial
(`_NOT`), a verb of telling (`_TELL`) or a word for what is told (`_KNOWLEDGE`).
"""

import re

_NAMED = (
    r"(?:passages?|contexts?|excerpts?|snippets?|extracts?|search results?|knowledge base|retrieval results?"
    r"|retrieved (?:results?|documents?|information))"
)
# Words for evidence that are ordinary words too: they count beside "the provided", or before a verb of saying.
_COMMON = (
    r"(?:documents?|docs?|sources?|texts?|materials?|information|data|evidence|articles?|results?|contents?"
    r"|references?"
    r"|records?|chunks?|sections?|pages?|files?|corpus|input|background)"
)
_GIVEN = (
    r"(?:provided|given|retrieved|supplied|available|above|selected|attached|quoted|presented|shared|referenced|cited"
    r"|following|current|existing|accessible)"
)
_NUMBERED = (
    r"(?:(?:passage|context|source|document|excerpt|snippet)s? ?#?\[?\d{1,4}\]?"
    r"(?:(?:,| and| or|, and) ?\[?\d{1,4}\]?){0,9})"
)
EVIDENCE = (
    rf"(?:{_NUMBERED}|(?:{_GIVEN} (?:\w+ ){{0,2}}(?:{_NAMED}|{_COMMON}))"
    rf"|(?:(?:{_NAMED}|{_COMMON}) (?:that (?:was|were|is|are) |(?:I|we) (?:was|were|have been) )?{_GIVEN})"
    rf"|(?:\w+ )?{_NAMED}(?: alone)?)"
)
_WHICH = r"(?:the|this|these|those|any|any of the|all|both|either|neither|none of the|my|your|our|its)"
_ANY_EVIDENCE = rf"(?:{EVIDENCE}|{_WHICH} (?:\w+ )?{_COMMON})"

_NOT = r"(?:(?:do|does|did|is|are|was|were) ?n[o'’]t|(?:do|does|did)nt|fails? to|failed to|never)"
_ADVERB = r"(?: (?:\w+ly|also|themselves|itself|in fact|further|seem to|appear to))?"
_SAY = (
    r"(?:mention|specify|state|say|indicate|discuss|address|clarify|detail|explain|describe|elaborate|tell|reveal"
    r"|identify|confirm|answer|disclose)"
)
TELL = (
    rf"(?:{_SAY}|define|list|outline|name|set out|spell out|make clear|touch on|refer to|cover|report|articulate"
    rf"|quantify"
    r"|relate|apply|complete|contain|provide|include|give|offer|have|present|show|reference|support|allow|enable"
    r"|permit"
    r"|suffice|hold|supply|yield|establish|distinguish|compare|go into)"
)
_KNOWLEDGE = (
    r"(?:information|details?|mentions?|answers?|instructions?|specifics?|guidance|explanations?|clarification"
    r"|references?"
    r"|facts?|context|indications?|descriptions?|data|evidence|figures?|definitions?|discussion)"
)
_SCANT = r"(?:no|little|insufficient|only limited)"
_QUALITY = (
    r"(?:(?:any|enough|sufficient|adequate|specific|explicit|direct|detailed|clear|further|additional|relevant"
    r"|more|a|an"
    r"|complete|concrete|definitive|comprehensive|precise|exact|the|necessary|needed|required|other|such|full"
    r"|explicitly"
    r"|directly|substantive|actual|and|or|factual|reliable|conclusive|related) ){0,5}"
)
_RESOLVE = (
    r"(?:\w+ly )?(?:answer|determine|provide|find|say|confirm|verify|give|identify|locate|conclude|tell|respond"
    r"|compare"
    r"|explain|assess|ascertain|establish|infer|offer|comment|decide|know|address|describe|speak"
    r"|draw (?:a |any )?conclusions?|make (?:a |any )?(?:determination|conclusion))"
)
_TOLD = (
    r"(?:stated|mentioned|specified|detailed|provided|included|addressed|defined|described|given|found|available"
    r"|covered"
    r"|discussed|explained|listed|disclosed|present|shown|contained|identified|clear|indicated|outlined|set out"
    r"|answered"
    r"|supported|referenced|elaborated|supplied|confirmed)"
)
_WAS = r"(?:is|are|was|were)"


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


# Without one of these words no pattern below can match: most sentences are spared the rest.
DENIES = _pattern(
    r"n[o'’]?t\b|\bno\b|cannot|\bun(?:able|clear|known|answerable|determined)|inconclusive|indeterminate|\black|\bfail|\bomit|insufficient|\bnone\b"
    r"|\bneither\b|\bnothing\b"
    r"|\bnever\b|\bsilent|without|\bn/?a\b|little|limited|inadequate|impossible|difficult|\bhard\b|\bwould need\b"
)
NAMES_EVIDENCE = _pattern(rf"\b{EVIDENCE}\b")

# The evidence does not tell: it is the subject.
SILENT = _pattern(
    rf"\b{EVIDENCE} (?:(?:above|here|in question|alone|we have|I have) )?{_NOT}{_ADVERB} {TELL}\b",
    rf"\b{_WHICH} {_COMMON} {_NOT}{_ADVERB} (?:{_SAY}\b|{TELL} {_QUALITY}{_KNOWLEDGE})",
    rf"\b{_ANY_EVIDENCE} (?:\w+ )?(?:lacks?|lacked|omits?|(?:contain|provide|include|offer|give|hold|ha)(?:s|ve|ed)?"
    rf" {_SCANT}) {_QUALITY}\w+",
    rf"\b{_ANY_EVIDENCE} (?:is|are|was|were|remains?|seems?)(?: \w+ly)? (?:silent|insufficient|inconclusive"
    rf"|inadequate"
    r"|not (?:sufficient|enough|conclusive|adequate))\b",
    rf"\b(?:none|neither|nothing) (?:of|in) {_ANY_EVIDENCE} (?:\w+ly )?\w+",
)
# "The context covers X, but (it) does not define Y."
SILENT_LATER = _pattern(
    rf"^(?:[^.:;,–—]{{1,100}}(?: [-–—]|:) )?(?:while |although |though |whereas |note that )?"
    rf"(?:(?:the|these|this|those|all|both) )?"
    rf"(?:{EVIDENCE}|{_COMMON} {_GIVEN})\b(?:(?! that ).){{0,600}}?"
    rf"(?:[,;)]|\bbut|\band|\byet) (?:but |and |yet |however,? )?(?:it |they |these |this )?{_NOT}{_ADVERB} {TELL}\b"
)
# "They do not say so.": only where the sentence before named the evidence.
SILENT_PRONOUN = _pattern(
    rf"^(?:it|they|these|this|neither|none)(?: (?:of them|also|only|both))? {_NOT}{_ADVERB} {TELL}\b"
)
# "X is not stated in the passages": X is the subject, so the evidence must be named.
_UNTOLD = _pattern(
    rf"(?:\bnot|n['’]t)(?: \w+ly| yet)? {_TOLD}(?: or \w+)?(?: \w+){{0,6}}? "
    rf"(?:in|by|within|from|on|among|based on|under) (?:\w+ )?{_ANY_EVIDENCE}",
    rf"\bnot (?:part of|among|in) (?:the )?{EVIDENCE}",
)
_UNTOLD_ANSWER = _pattern(
    rf"^(?:the |this |that |these |any |an )?(?:\w+ ){{0,2}}(?:answer|information|details?|instructions?)"
    rf"(?: to (?:this|the|your) question| (?:about|on|regarding) [^,.;]{{1,120}})? (?:is|are|was|were|could|can) ?"
    rf"(?:not|n['’]t)(?: be)?(?: \w+ly)? (?:{_TOLD}|determined|derived|known|inferred)\b"
)
_FINDABLE = r"(?:information|mentions?|answers?|details?|instructions?|context)"
_NOTHING_FOUND = _pattern(
    r"\b(?:there (?:is|was|are|were|seems to be|appears to be)|(?:I|we)(?: have| could)? (?:found|find|see|have))"
    rf" (?:no|not enough|not any|insufficient|not sufficient|no such) {_QUALITY}{_FINDABLE}\b",
    rf"\bthere {_WAS} no (?:\w+ ){{0,6}}?(?:in|within|from|among) (?:\w+ )?{EVIDENCE}",
    rf"^no {_QUALITY}(?:{_FINDABLE}|results?|documents?|passages?)"
    r"(?: \w+){0,12}? (?:is|was|are|were|could be|can be|has been|have been|found|available)\b",
)
_ENOUGH = (
    r"(?:\bnot|n['’]t|\black|\blacks|\blacking|\bwithout) ?(?:enough|sufficient|adequate)|\binsufficient|\binadequate"
)
_UNDECIDED = (
    r"(?:answered|determined|established|verified|confirmed|concluded|inferred|identified|derived|ascertained"
    r"|assessed)"
)
_TOO_LITTLE = _pattern(
    rf"(?:{_ENOUGH}) {_QUALITY}(?:information|evidence|context|data|details?"
    rf"|knowledge)(?: \w+){{0,8}}? to {_RESOLVE}\b",
    rf"\bcannot be (?:\w+ly )?{_UNDECIDED}(?: \w+){{0,3}}? (?:from|based|with|using|by|on|without|given|due) "
    rf"[^.;]{{0,200}}?(?:{_ANY_EVIDENCE}|{_KNOWLEDGE})",
    r"^(?:this|the|your|that) question (?:can ?not|can['’]t|could not) be\b",
    rf"\bit (?:is|was) (?:not possible|impossible|unable|difficult|hard|unclear)(?: \w+){{0,3}}? "
    rf"(?:to {_RESOLVE}\b[^;]{{0,300}}?(?:{EVIDENCE}|\b(?:the|this|your) question\b)"
    rf"|(?:from|based on|in|given) (?:\w+ )?{_ANY_EVIDENCE})",
    r"\bwithout (?:\w+ )?(?:more|further|additional|enough|sufficient|that|this|the)(?: \w+)? (?:information|context"
    r"|details?|text|data)\b[^;]{0,200}(?:\bcannot|\bcan['’]t|\bnot possible|\bimpossible|\bunable"
    rf"|\bcould not|\b(?:difficult|hard) to {_RESOLVE}\b)",
)
_SELF = r"(?:I|we|one|the (?:system|assistant|model))"
_I_CANNOT = _pattern(
    rf"\b{_SELF}(?:['’]m| am| are|['’]re| is| was| were) (?:\w+ly )?(?:unable|not able) "
    rf"to (?:{_RESOLVE}|help|assist|comply)\b",
    rf"\b{_SELF} (?:can ?not|can['’]t|could ?n[o'’]t|could not) (?:{_RESOLVE}|help|assist|comply)\b",
    r"\b(?:I|we) (?:do ?n[o'’]t|do not|did not|didn['’]t) (?:actually |really |currently )?"
    r"(?:know|have (?:\w+ ){0,4}?(?:information|data|knowledge|access|context|details?|answers?|evidence))\b",
    r"\bI (?:have|find|found) no (?:\w+ ){0,2}(?:information|answers?|knowledge|data|access)\b",
    r"\bI(?:['’]m| am) not (?:sure|certain|aware)\b(?! to\b)",
    rf"^(?:unable|not able) to {_RESOLVE}\b",
    r"\b(?:I|we) would need (?:\w+ ){0,3}(?:information|context|details?|documents?|passages?)\b",
    r"\bis unable to (?:\w+ly )?(?:answer|provide (?:a|an) (?:\w+ )?answer)\b",
)
ABOUT_EVIDENCE = (SILENT, SILENT_LATER, _UNTOLD, _UNTOLD_ANSWER, _NOTHING_FOUND, _TOO_LITTLE, _I_CANNOT)

# A whole sentence that is nothing but the label: "Final Answer: inconclusive".
LABEL = _pattern(
    r"^(?:(?:my |the |our )?(?:final |short |overall |direct )?(?:answer|conclusion|verdict|result|response|outcome)"
    r"(?: to (?:the|this|your) (?:\w+ )?question)?(?: is| remains)?[ :=\-–—]*)?[\"'“(]*"
    r"(?:inconclusive|unknown|undetermined|unanswerable|indeterminate|unclear|no idea|no answer(?: found)?|n/?a"
    r"|not (?:answerable|specified|stated|mentioned|found|available|provided|known|sure|determinable|applicable"
    r"|enough (?:information|context|evidence))|(?:it )?(?:can ?not|can['’]t) (?:be determined|be answered|say"
    r"|tell|answer)"
    r"|insufficient (?:information|evidence|context|data)"
    r"|no (?:relevant )?(?:information|answer|evidence)(?: (?:was |is )?(?:found|available|provided))?)[\"'”).! ]*$"
)
INCONCLUSIVE = _pattern(
    r"^(?:(?:final )?answer:? )?(?:it is |this is |the answer is )?inconclusive\b[^.]{0,200}?"
    rf"(?:{_ANY_EVIDENCE}|{_KNOWLEDGE})",
    r"\b(?:final answer|the answer)(?: is| remains|:) [\"'“]?inconclusive\b",
    r"\banswer (?:to [^.,;:]{1,80} )?is: [\"'“]?unable to\b",
)
HYPOTHETICAL = _pattern(r"^(?:if|when|whenever|should|unless|in case)\b")
_NOTABLE = r"(?:important|worth|also worth|necessary|noted|clear)"
# What stands before the sentence proper: "However,", "Note that", "Based on the provided passages,".
PREAMBLE = _pattern(
    r"^(?:(?:however|therefore|additionally|furthermore|moreover|thus|hence|also|unfortunately|regrettably|note"
    r"|but|and|so"
    r"|nevertheless|sorry|apologies|overall|finally|yet|consequently|specifically|still|as such|as a result|indeed"
    r"|nonetheless|(?:final |short )?(?:answer|conclusion|response)|in (?:summary|conclusion|short|addition"
    r"|this case)"
    r"|to (?:summarize|conclude)|at present|currently|for (?:this|that) reason|that said|from this"
    r"|I(?: a|['’])m (?:sorry|afraid)|I apologi[sz]e)\b[ ,:;.!—–-]*(?:but |that )?"
    r"|(?:please )?(?:note|be aware|be advised|keep in mind|remember) that "
    rf"|it (?:is|should be|seems|appears|is also) ?{_NOTABLE}?(?: to (?:note|mention|remember)| noting"
    rf"| mentioning)? ?that "
    r"|it['’]s (?:also )?(?:important|worth) (?:to note|noting|mentioning) that "
    r"|(?:based (?:only |solely )?(?:up)?on|according to|from|given|in|within|using|under|per|with"
    rf"|as (?:stated|mentioned|described|noted|seen) in) (?:only )?(?:\w+ )?{_ANY_EVIDENCE}(?: alone| only)?,? "
    r"|to (?:\w+ly )?answer (?:this|the|your)[^,]{0,40}, "
    r"|as an? (?:AI|large)?[ -]?(?:language )?(?:model|assistant|AI)[^,]{0,60}, )+"
)
NAMED_BEFORE = _pattern(rf"^(?:based on|according to|from|in|within) (?:\w+ )?{_ANY_EVIDENCE}")
UNTOLD_THING = _pattern(rf"^[^,;:]{{1,200}} {_WAS} (?:not|n['’]t)(?: \w+ly)? {_TOLD}\b")

CLAUSE = _pattern(r", (?:but |and |so |while |although |though |which )?|; | but | although | though |\bwhile |: ")
REPORTS = _pattern(
    r"\b(?:suggest|state|say|indicate|mention|confirm|show|report|explain|note|hint|impl|clarif|specif)"
    r"(?:s|ies|y|ied|ed)? that\b"
)
TURN = _pattern(r"(?:,|;|—|–) (?:but|however|yet|although|though|nevertheless)\b,? ?(.*)")
STAYS_ON_EVIDENCE = _pattern(
    rf"^(?:rather|only|instead|merely|they|it|these|this|do|does|further|{TELL}s?|(?:the|these|this) {_NAMED}"
    rf"|{EVIDENCE})\b"
)
