"""The usual phrases of an abstention in languages other than English."""

import re


def _group(denial: str, *phrases: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The words without which no phrase of a group of languages can match, and the phrases."""
    return re.compile(denial, re.IGNORECASE), re.compile("|".join(f"(?:{phrase})" for phrase in phrases), re.IGNORECASE)


_LATIN = (
    # German
    _group(
        r"\bnicht\b|\bkeine?[nrs]?\b|\bantwort:",
        r"\b(?:ich|wir) (?:weiß|weiss|wissen) (?:es |das |dies |leider )*nicht",
        r"\b(?:ich|wir) (?:kann|können|konnte|konnten|bin|sind) [^.]{0,80}\bnicht (?:\w+ )?(?:beantworten|bestimmen"
        r"|sagen|feststellen|ermitteln|in der lage)",
        r"\b(?:frage|dies|das|es) (?:kann|lässt sich|konnte) [^.]{0,80}\bnicht (?:\w+ )?(?:beantworten|beantwortet"
        r"|bestimmen|bestimmt|feststellen|entnehmen|ermitteln)",
        r"\b(?:kontext|dokumente?n?|passagen?|quellen|textstellen?|auszüge|auszügen|unterlagen"
        r"|informationen)\b[^.]{0,60}\b(?:enthält|enthalten|liefert|liefern|gibt|geben|nennt|nennen|machen|erwähnt"
        r"|erwähnen|bietet|bieten)\b[^.]{0,60}\b(?:keine?n?r?|nicht)\b",
        r"\b(?:wird|werden|ist|sind|geht|gehen)\b[^.]{0,60}\b(?:im|in den|in dem|aus dem"
        r"|aus den) (?:\w+ ){0,2}(?:kontext|dokumenten|passagen|quellen|auszügen|unterlagen) (?:\w+ ){0,2}nicht\b",
        r"\bnicht genügend (?:informationen|angaben)\b|\bkeine (?:ausreichenden |genügenden )(?:informationen"
        r"|angaben)\b",
        r"^(?:(?:endgültige |abschließende |finale )?antwort: ?)(?:nicht eindeutig|unklar|unbekannt|nicht schlüssig"
        r"|ergebnislos)",
    ),
    # French
    _group(
        r"\bne\b|\bn['’]|\bpas\b|\baucune?\b|^réponse",
        r"\bje ne (?:le )?sais pas\b|\bje (?:ne suis|n'ai) pas (?:en mesure|capable|suffisamment|assez"
        r"|d'information)",
        r"\b(?:je|nous|on) ne (?:peux|pouvons|peut) pas (?:\w+ )?(?:répondre|déterminer|dire|confirmer)\b",
        r"\b(?:contexte|documents?|passages?|extraits?|sources?|textes?|informations?) (?:\w+ )?(?:fournie?s?"
        r"|donnée?s?|disponibles?|ci-dessus)? ?(?:ne|n')[^.]{0,20}?(?:contien|fourni|mention|précis|indiqu|permet"
        r"|donn|perme|suffi|abord|trait)\w*(?: \w+)? (?:pas|aucune?|rien)\b",
        r"\b(?:n'est|ne sont|n'est pas|ne figure) (?:pas )?(?:\w+ )?(?:mentionnée?s?|précisée?s?|indiquée?s?"
        r"|fournie?s?) (?:dans|par) (?:les?|ces?) (?:\w+ )?(?:contexte|documents?|passages?|extraits?|sources?)",
        r"\b(?:pas (?:assez|suffisamment)|aucune) d?'?information\w*\b[^.]{0,40}\b(?:contexte|documents?|passages?"
        r"|répondre)",
        r"^réponse(?: finale)? ?: ?(?:non concluante?|inconnue?|indéterminée?)",
    ),
    # Spanish
    _group(
        r"\bno\b|^respuesta",
        r"\b(?:yo )?no (?:lo )?sé\b(?! que)|\bno (?:puedo|podemos|se puede|es posible) (?:\w+ )?(?:responder"
        r"|determinar|decir|contestar)\b",
        r"\b(?:contexto|documentos?|pasajes?|fragmentos?|fuentes?|textos?"
        r"|información)(?: \w+)? (?:no) (?:\w+ )?(?:contiene|proporciona|menciona|especifica|indica|incluye|ofrece"
        r"|permite|es suficiente|aborda)n?\b",
        r"\bno (?:hay|existe|se encontró|dispongo de|tengo) (?:\w+ )?(?:suficiente |suficientes )?información\b",
        r"\bno se (?:menciona|especifica|indica|proporciona)n?\b[^.]{0,80}\b(?:contexto|documentos?|pasajes?"
        r"|fragmentos?|fuentes?)",
        r"^respuesta(?: final)?: ?(?:no concluyente|inconclusa|desconocida|indeterminada)",
    ),
    # Italian
    _group(
        r"\bnon\b|^risposta",
        r"\bnon (?:lo )?so\b|\bnon (?:posso|possiamo|è possibile|sono in grado di) (?:\w+ )?(?:rispondere|determinare"
        r"|dire|stabilire)",
        r"\b(?:contesto|documenti?|passaggi|passi|brani|estratti|fonti|testi?"
        r"|informazioni)(?: \w+)? non (?:\w+ )?(?:contien|contengono|fornisc|menzion|specific|indic|includ|riport"
        r"|offr|consent|tratta)\w*\b",
        r"\bnon (?:ci sono|ho|esistono) (?:\w+ )?(?:informazioni|dati) (?:\w+ )?(?:sufficienti|disponibili"
        r"|per rispondere)",
        r"^risposta(?: finale)?: ?(?:inconcludente|non conclusiva|sconosciuta|indeterminata)",
    ),
    # Portuguese
    _group(
        r"\bnão\b|^resposta",
        r"\b(?:eu )?não sei\b|\bnão (?:posso|consigo|podemos|é possível) (?:\w+ )?(?:responder|determinar|dizer)",
        r"\b(?:contexto|documentos?|passagens|trechos?|fontes?|textos?|informações)(?: \w+)? não (?:\w+ )?(?:contém"
        r"|contêm|fornece|menciona|especifica|indica|inclui|oferece|permite|aborda)m?\b",
        r"\bnão há informações\b|^resposta(?: final)?: ?(?:inconclusiva|desconhecida|indeterminada)",
    ),
    # Dutch
    _group(
        r"\bniet\b|\bgeen\b|\bonvoldoende\b|antwoord:",
        r"\b(?:ik|wij|we) (?:weet|weten) (?:het |dat )?niet\b|\b(?:ik|wij|we) (?:kan"
        r"|kunnen) [^.]{0,60}\bniet (?:\w+ )?(?:beantwoorden|bepalen|zeggen|vaststellen)",
        r"\b(?:context|documenten|passages|fragmenten|bronnen|teksten) (?:\w+ )?(?:bevat|bevatten|geeft|geven"
        r"|vermeldt|vermelden|biedt|bieden|noemt|noemen) (?:\w+ ){0,3}?(?:geen|niet)\b",
        r"\b(?:onvoldoende|niet genoeg) informatie om\b|^(?:definitieve |eind)?antwoord: ?(?:onduidelijk|onbekend"
        r"|niet eenduidig)",
    ),
    # Polish, Czech
    _group(
        r"\bnie\b|\bbrak\b|\bne\w+",
        r"\bnie wiem\b(?!,? że)|\bnie (?:mogę|można|jestem w stanie) (?:\w+ )?(?:odpowiedzieć|określić|ustalić"
        r"|stwierdzić)",
        r"\b(?:kontekst|dokumenty|fragmenty|źródła|teksty)(?: \w+)? nie (?:zawiera|podaj|wspomina|określa|dostarcza"
        r"|precyzuj)\w*",
        r"\bbrak (?:wystarczających )?informacji\b[^.]{0,40}\b(?:kontekście|dokumentach|fragmentach|źródłach"
        r"|odpowied)",
        r"\bnevím\b|\bnelze (?:\w+ )?(?:odpovědět|určit|zjistit)|\b(?:kontext|dokumenty|pasáže"
        r"|zdroje)(?: \w+)? (?:neobsahuj|neuvád|neposkytuj|nezmiňuj)\w*",
    ),
    # Swedish, Danish, Norwegian, Finnish
    _group(
        r"\binte\b|\bikke\b|\bing(?:en|a)\b|\bei(?:vät)?\b|\ben\b",
        r"\bjag vet inte\b|\bjeg (?:ved|vet) (?:det )?ikke\b|\b(?:jag|jeg) (?:kan) (?:inte|ikke) (?:besvara|svara"
        r"|svare|besvare)",
        r"\b(?:sammanhanget|kontexten|dokumenten|källorna|konteksten|dokumenterne|dokumentene|kilderne"
        r"|kildene)(?: \w+)? (?:innehåller|anger|nämner|ger|indeholder|nævner|angiver|giver|inneholder|nevner"
        r"|gir) (?:\w+ )?(?:inte|ingen|inga|ikke)\b",
        r"\ben tiedä\b|\b(?:asiakirjat|lähteet|konteksti)(?: \w+)? (?:eivät|ei) (?:sisällä|mainitse|anna|kerro)",
    ),
    # Romanian, Hungarian, Turkish
    _group(
        r"\bnu\b|\bnem\b|m[iıuü]yor|\byok\b|memiş",
        r"\bnu știu\b|\bnu (?:pot|se poate) (?:\w+ )?(?:răspunde|determina)|\b(?:contextul|documentele|sursele"
        r"|pasajele)(?: \w+)? nu (?:conțin|oferă|menționează|specifică)\w*",
        r"\bnem tudom\b|\b(?:a )?(?:kontextus|dokumentumok|források)(?: \w+)? nem (?:tartalmaz|említ|ad)\w*",
        r"\bbilmiyorum\b|\b(?:bağlam|belgeler|kaynaklar|metinler)\w*(?: \w+){0,6} (?:içermiyor|belirtmiyor|bilgi yok"
        r"|verilmemiş|yer almıyor)\w*",
    ),
)
_OTHER_SCRIPTS = (
    # Greek
    _group(
        r"δεν|απάντηση:",
        r"\bδεν (?:το )?γνωρίζω\b|\bδεν ξέρω\b|\bδεν (?:μπορώ|μπορούμε|είναι δυνατόν?"
        r"|δύναται) (?:να )?(?:\w+ )?(?:απαντ|προσδιορ|καθορ|πω|διαπιστ)\w*",
        r"\b(?:πλαίσιο|έγγραφα|αποσπάσματα|πηγές|κείμενα|πληροφορίες)(?: \w+){0,3}? δεν (?:\w+ )?(?:περιέχ|παρέχ"
        r"|αναφέρ|προσδιορίζ|περιλαμβάν|διευκριν|επαρκ)\w*",
        r"\bδεν (?:υπάρχουν|επαρκούν|διαθέτω) (?:\w+ )?πληροφορίες\b|^(?:τελική )?απάντηση: ?(?:ασαφής|άγνωστ\w+"
        r"|μη οριστική|αβέβαιη)",
        r"\bδεν (?:αναφέρεται|προσδιορίζεται|διευκρινίζεται)\b[^.]{0,80}\b(?:πλαίσιο|έγγραφα|αποσπάσματα|πηγές"
        r"|κείμενα)",
    ),
    # Russian, Ukrainian, Bulgarian
    _group(
        r"не|нет|няма",
        r"\bя не знаю\b|^не знаю\b|\bне (?:могу|можем|можна|можу|мога|може да се|удалось"
        r"|представляется возможным) (?:\w+ )?(?:ответить|определить|сказать|установить|відповісти|визначити|отговоря"
        r"|определи|да отговоря)",
        r"\b(?:контекст[еа]?|документ[аыіи]?(?:те)?|фрагмент[ыаи]?|источник[иа]|текст[ыае]?|отрывк[иа]|джерела|уривки"
        r"|източниците|откъсите|пасажите)(?: \w+){0,2}? не (?:\w+ )?(?:содерж|упомина|указыва|предоставля|сообща"
        r"|містить|містять|згаду|вказу|надають|съдържа|споменава|посочва|предоставя)\w*",
        r"\b(?:не указан|не упомина|не содержит|нет (?:достаточной )?информаци|недостаточно (?:информации"
        r"|данных))\w*[^.]{0,80}\b(?:контексте|документах|источниках|отрывках|тексте|ответ)\w*",
        r"\bнедостаточно (?:информации|данных)\b|\bнедостатньо інформації\b|\bняма достатъчно информация\b",
        r"^(?:окончательный |итоговый |остаточна |окончателен )?(?:ответ|відповідь|отговор): ?(?:неизвест|неопредел"
        r"|невідом|не определ)\w*",
    ),
    # Hindi
    _group(
        r"नहीं|उत्तर:",
        r"(?:मुझे|हमें) (?:यह |इसका )?(?:नहीं पता|पता नहीं|ज्ञात नहीं)|मैं (?:\S+ ){0,8}(?:उत्तर"
        r"|जवाब) (?:\S+ ){0,2}नहीं (?:दे|बता)",
        r"(?:संदर्भ|दस्तावेज़ों|दस्तावेजों|दस्तावेज़|दस्तावेज|अनुच्छेदों|अंशों|स्रोतों|पाठ|परिच्छेदों) (?:में"
        r"|से) (?:\S+ ){0,12}(?:नहीं|उपलब्ध नहीं|उल्लेख नहीं)",
        r"पर्याप्त जानकारी (?:उपलब्ध )?नहीं|जानकारी उपलब्ध नहीं|(?:अंतिम )?उत्तर: ?(?:अनिर्णायक|अज्ञात|अनिश्चित)",
    ),
    # Chinese
    _group(
        r"[不未无無沒没]",
        r"我(?:们)?(?:不知道|不清楚|无法(?:回答|确定|判断|提供)|不能(?:回答|确定)|無法(?:回答|確定|判斷|提供)|沒有足夠|没有足够)",
        r"(?:上下文|文档|文件|段落|资料|資料|文本|来源|來源|信息|資訊|文檔|检索结果|檢索結果|材料|语境)(?:中|里|裡|内容)?(?:并|並|都|均)?(?:没有|未|沒有|不)(?:明确|明確|具体"
        r"|具體|直接)?(?:提及|提到|提供|说明|說明|包含|给出|給出|涉及|指出|足以|含有|規定|规定|任何)",
        r"(?:信息|資訊|资料|資料|证据|證據)不足|(?:无法|無法|不能)(?:从|從|根据|根據|依据)[^。]{0,30}(?:确定|確定|得出|判断|判斷|回答)|^(?:根据|根據"
        r"|依据)[^。]{0,40}(?:无法|無法|不能)(?:确定|確定|得出|判断|判斷|回答)",
        r"^(?:最终|最終)?(?:答案|回答|结论|結論)[:：] ?(?:不确定|不確定"
        r"|无法确定|無法確定|未知|尚无定论|無定論|没有结论)",
    ),
    # Japanese, Korean
    _group(
        r"ません|ない|不|結論|없|않|모르|부족|불확실",
        r"(?:わかりません|分かりません|知りません|お答えできません|回答できません|答えられません|判断できません|特定できません)[。.]?$",
        r"(?:文脈|文書|資料|情報源|コンテキスト|テキスト|抜粋|ドキュメント)(?:に|から|では|の中)(?:は|も)?[^。]{0,40}(?:記載されていません|含まれていません|言及されていません|ありません"
        r"|示されていません|書かれていません|ない)[。.]?$",
        r"情報が(?:不足|不十分|足りません)|^(?:最終)?(?:回答|答え)[:：] ?(?:不明|結論なし|判断できない)",
        r"(?:모르겠습니다|알 수 없습니다|답변할 수 없습니다|확인할 수 없습니다|판단할 수 없습니다)",
        r"(?:문맥|문서|자료|출처|컨텍스트|본문|지문)[^.]{0,40}"
        r"(?:언급되지 않|포함되어 있지 않|나와 있지 않|정보가 없|명시되지 않|제공하지 않)",
        r"정보가 (?:부족|충분하지)|^(?:최종 )?(?:답변|답)[:：] ?(?:불확실|알 수 없음|결론 없음)",
    ),
    # Arabic, Persian, Urdu, Hebrew
    _group(
        r"لا|لم|ليس|غير|ن[یم]|نشده|نہیں|לא|אינ",
        r"لا (?:أعرف|أعلم|أدري)\b|لا (?:يمكنني|أستطيع|يمكن) (?:\S+ )?(?:الإجابة|تحديد|الجزم|القول)",
        r"(?:السياق|النصوص?|المستندات|الوثائق|المقاطع|المصادر|الفقرات|المعلومات)(?: \S+){0,3}? (?:لا|لم"
        r"|ليس[ت]?) ?(?:ت|ي)?(?:ذكر|حتوي|حدد|وفر|قدم|شر|شير|تضمن|وضح|تناول|كفي|تطرق|كافية)",
        r"لا (?:ي|ت)(?:ذكر|حتوي|حدد|وفر|قدم|تضمن|وضح|شير|تناول|وجد)\S* (?:\S+ ){0,3}?(?:السياق|النصوص?|المستندات"
        r"|الوثائق|المقاطع|المصادر|الفقرات)",
        r"لا توجد معلومات|معلومات (?:غير )?كافية للإجابة|^(?:الإجابة|الجواب)(?: النهائية?)?: ?(?:غير (?:حاسمة?"
        r"|معروفة?|محددة?)|لا يمكن)",
        r"نمی‌?دانم|نمی‌?توانم (?:\S+ ){0,5}(?:پاسخ|تعیین)|(?:متن|اسناد|منابع)(?: \S+){0,6} (?:ذکر نشده|نیامده"
        r"|وجود ندارد)",
        r"(?:مجھے|ہمیں) (?:یہ )?(?:نہیں معلوم|معلوم نہیں)|(?:سیاق|دستاویزات|متن|حوالوں) میں (?:\S+ ){0,10}نہیں",
        r"(?:אני )?לא יודעת?\b|אינני יודע|(?:ההקשר|המסמכים|הקטעים|המקורות)(?: \S+){0,3}? (?:לא|אינם|אינו) (?:מציי"
        r"|מזכיר|מכיל|כולל|מספק)",
    ),
    # Armenian, Thai, Vietnamese
    _group(
        r"չ|ไม่|\bkhông\b",
        r"(?:ես )?չգիտեմ|(?:համատեքստ|փաստաթղթ|աղբյուր)\S*(?: \S+){0,8} (?:չի|չեն) (?:պարունակ|նշ|տրամադր)\S*",
        r"ไม่ทราบ|ไม่สามารถ(?:ตอบ|ระบุ)|(?:บริบท|เอกสาร|ข้อความ|แหล่งข้อมูล)\S{0,40}ไม่(?:ได้)?(?:ระบุ|กล่าวถึง"
        r"|มีข้อมูล|ให้ข้อมูล)",
        r"\btôi không (?:biết|thể trả lời|thể xác định)\b|\b(?:ngữ cảnh|tài liệu|đoạn văn"
        r"|nguồn)(?: \w+){0,3} không (?:\w+ )?(?:cung cấp|đề cập|nêu|chứa)",
    ),
)


def abstains_elsewhere(sentence: str) -> bool:
    """Whether a plain sentence holds a phrase that abstains in one of the languages above."""
    groups = _LATIN if sentence.isascii() else (*_LATIN, *_OTHER_SCRIPTS)
    return any(denial.search(sentence) and phrases.search(sentence) for denial, phrases in groups)
