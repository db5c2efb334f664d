"""Words that end in a dot without ending a sentence, in the languages of the EU and some more.

Abbreviations stand in lower case and without their last dot.
"""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Always followed by what they belong to.
NEVER_LAST = _words(
    """
    mr mrs ms mx dr drs prof hon rev rep gov gen lt sgt capt cmdr adm supt messrs mme mlle ft.lt st
    e.g eg i.e ie cf viz vs approx ca resp incl excl est dept assn bros
    gem z.b d.h bzw vgl ggf evtl sog zzgl hrsg dipl ing m.e i.d.r i.v.m i.s.v u.u sogen
    p.ex par.ex mgr me.m sra srta dra dña p.ej ej dott dott.ssa sigg sig.ra prof.ssa avv dhr mevr bijv d.w.z m.b.t m.n
    np tzn tj prof.dr inż hab ks św např tzv mj tj pozn bl.a t.ex d.v.s f.eks pl.ex
    т.е т.к т.н напр см ср им проф акад г-н г-жа т.нар
    π.χ βλ λ.χ δηλ κος δρ
    डॉ श्री प्रो
    """
)

# Abbreviations where a number or a roman numeral follows; else words of their own, or a sentence's last.
BEFORE_NUMBER = _words(
    """
    no nos nr nrs num art arts para paras par sec sect ch chap cl subpara vol vols pp p pg fig figs eq eqs ex tab rec
    reg dir ann app op ref refs abs ziff buchst lit anm aufl bd kap pkt poz str ust čl odst písm sb ld obr núm núms pág
    págs apdo tít cap lett sez comma n º blz art.os al ст п пп с стр гл рис табл № αρ άρθ παρ σελ αριθ κεφ सं
    सं० nb v s c r
    """
)

# May also be a sentence's last word: it ends one where a word follows that begins sentences.
MAY_BE_LAST = _words(
    """
    etc inc ltd co corp plc llc llp gmbh s.a s.p.a s.r.l n.v b.v jr sr esq phd ph.d m.d b.a m.a b.sc m.sc a.m p.m al
    u.s u.k u.n e.u u.s.a u.s.s.r d.c l.a b.c a.d b.c.e c.e u.a.e usw n.chr v.chr ecc itd itp atd apod o.ä u.a u.ä
    mio mrd bn hrs hr min sec kg km cm mm ft lb oz ibid approx jan feb mar apr jun jul aug sep sept oct nov dec
    др пр т.д т.п г гг в вв н.э тыс млн млрд руб κ.λπ κ.ά κλπ π.μ μ.μ stb kft
    """
)

# Capitalised words that begin sentences more often than they follow an abbreviation or an initial.
STARTERS = _words(
    """
    The It This That These Those He She They We You I A An In On At For From To With By Of As If When While Although
    Though Because Since After Before During However Therefore Moreover Additionally Furthermore Thus Hence Also But And
    Or So Yet Its His Her Their Our My Your There Here According Under Both Each All Some Many Most Few Such No Not What
    Who Whose How Why Where Which Once Then Instead Finally First Second Third Next Another Other Unlike Despite Overall
    Is Are Was Were Do Does Did Can Could Should Would Will Must Has Have Please Note Today Currently Only Based
    Der Die Das Den Dem Des Ein Eine Einen Einem Einer Es Er Sie Wir Ich Ihr Dies Diese Dieser Dieses Diesen Im Am Bei
    Nach Für Mit Auf Zu Zum Zur Und Aber Wenn Als Auch Da Doch Jedoch Damit Dabei Dazu Nur Seit Ab Bis Von Vom Laut
    Gemäß
    Le La Les Il Elle Ils Elles Ce Cette Ces Cela Un Une Dans En Pour Par Mais Et Si Selon Avec Sur Au Aux Depuis
    El Los Las Una Por Para Pero Y Este Esta Estos Estas Se Su Sus Según Con Desde Sin Lo
    Gli Nel Nella Per Ma Questo Questa Secondo Del Della Uma Os As Não Mas Segundo Ele Ela Isso
    De Het Een Dit Dat Deze Hij Zij Wij Maar Ook Volgens Voor Met Naar Op Sinds
    Ten Ta Te W Na Z Po Dla Jednak Według Jest Tento Tato Podle Však Det Detta Denna Och Men Enligt Han Hon
    Это Этот Эта Эти Он Она Они Мы В На По Но И Если Однако Также Согласно Для К От Как Так При После Цей Ця Він Вона
    Ο Η Το Οι Τα Αυτό Αυτή Αυτός Στο Στη Στην Σε Για Με Από Ωστόσο Και Αν Σύμφωνα Όμως Είναι Ένα Μια
    """
)

# Month names that follow a day's number and dot ("14. Dezember").
MONTHS = _words(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember january february march may
    june july october december jan feb mar apr jun jul aug sep sept okt nov dez dec
    ledna února března dubna května června července srpna září října listopadu prosince
    januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
    januara februara aprila maja junija julija avgusta oktobra decembra siječnja veljače ožujka travnja svibnja lipnja
    kolovoza rujna studenoga prosinca januari februari mars maj augusti marts
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta
    marraskuuta joulukuuta jaanuar veebruar märts aprill juuni juuli oktoober detsember
    janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī
    január február március április május június július augusztus szeptember október
    """
)

# Words before a number that make it an ordinal in German, Danish or Norwegian ("im 20. Jahrhundert").
ORDINAL_LEADS = _words("am im vom zum zur der den dem des die das beim seit bis ab jeder jede jedes jeden til fra på")
