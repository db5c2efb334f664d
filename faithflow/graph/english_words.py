"""The English words that the pattern extractor knows, by class. Lists written for official and encyclopaedic prose and
for requirements; what they lack is decided by endings and neighbours (`english_chunks`)."""

from faithflow.text.languages import word_set

DETERMINERS = word_set(
    "the a an this that these those each every any all some no both several many most few other such another either "
    "neither more fewer less"
)
POSSESSIVES = word_set("its their his her whose our my your")
PRONOUNS = word_set("it they he she we i you this these that those them him us me one everyone nobody there")
SPEAKERS = word_set("we i you our my your us me ours")
PREPOSITIONS = word_set(
    "in on at by for with from to of into under over between among through throughout during since until till within "
    "across against about after before around near outside inside towards toward upon via as per including regarding "
    "concerning despite without beyond above below behind along alongside amid based like unlike than worth onto off up "
    "down out"
)
CONJUNCTIONS = word_set("and or as-well-as & plus")
SUBORDINATORS = word_set(
    "because while although though if when whereas unless once whether so but however where how why what yet nor "
    "therefore thereby hence thus then whenever wherever"
)
RELATIVES = word_set("which who whom that")
BE = word_set("is are was were be been being 's 're")
HAVE = word_set("has have had having")
DO = word_set("does do did")
MODALS = word_set("will would shall should can could may might must")
NEGATIONS = word_set("not never no-longer n't cannot")
ADVERBS = word_set(
    "also already still now today soon often only just even always currently formerly previously later first twice "
    "again together further instead well too very much ever once then here there yesterday tomorrow moreover "
    "furthermore meanwhile overall almost nearly approximately about roughly over around some up next last ago"
)
NOT_ADVERBS = word_set(
    "family assembly monthly daily weekly yearly early supply reply ally italy july anomaly assembly monopoly butterfly "
    "only elderly likely friendly costly timely quarterly bully fly rally"
)

_VERBS = """
abolish accelerate accept accompany account achieve acquire act add address adjust administer admit adopt advance advise
affect agree align allocate allow amend analyse announce annul appeal apply appoint approve argue arise arrange ask assess
assign assist attend authorise authorize award ban begin belong bind borrow boost bring build buy calculate cancel
carry cause cease celebrate certify chair challenge check choose clarify classify close co-finance collaborate collect
combine commit communicate compare compensate compete compile complement complete comply compose comprise compute conclude
conduct confirm connect consider consist constitute construct consult consume contain continue contribute convene
convert convey count cover filter rank connect cooperate coordinate correct correspond create cut decide declare decline decrease dedicate defeat defend
define delegate delete deliver demonstrate deny depend deploy derive describe designate detect determine develop
dedicate differ direct disburse disclose discover discuss dismiss dissolve distribute divide donate double draft
draw drive drop earn elect eliminate employ enable encourage end endorse enforce enhance enjoy ensure enter entitle
equip establish estimate evaluate exceed exclude execute exempt exist expand expect expire explain explore express
extend face facilitate fail fall feature fight file finance find finish fix focus follow forbid form foster found fulfil
fund generate get give go govern grant grow guarantee handle happen harmonise head help hire hold host identify implement
impose improve include increase incur inform inherit initiate inspect install integrate intend interact introduce invest
investigate invite involve issue join judge keep kill know lack last launch lay lead learn leave lend let license limit
link list live locate log lose lower maintain make manage manufacture mark marry match measure meet merge migrate
minimise mobilise modernise modify monitor move name negotiate nominate note notify obtain occupy occur offer open operate
oppose orbit order organise organize originate overrule oversee own participate pass pay perform permit place plan play
pledge point possess prepare present preserve preside prevent process produce prohibit promote propose protect prove
provide publish purchase pursue put qualify raise range ratify reach read receive recognise recognize recommend record
recover recruit reduce refer reflect reform refuse regard register regulate reinforce reject relate release rely remain
remove rename renew repair repay repeal replace report represent request require resign resolve respect respond restore
restrict result retain retire return reveal review revise rise rule run sail save say secure see seek select sell send
separate serve set settle share show sign simplify solve span speak specialise specialize specify spend sponsor stand
start state stay stem stimulate stipulate stop store strengthen stretch study submit succeed suffer suggest supersede
supervise supply support surround suspend take target teach tell terminate test total trace trade train transfer
transform translate transmit transport travel treat trigger turn undergo undertake unite unveil update upgrade urge
use validate value vary verify veto visit vote warn waive weigh welcome win withdraw withhold work write yield
affiliate associate base situate headquarter bear educate play sack sell overrule label punish fine admit gather lie
""".split()  # noqa: SIM905

_IRREGULAR = {
    "arise": "arose arisen", "bear": "bore born", "begin": "began begun", "bind": "bound bound",
    "bring": "brought brought", "build": "built built", "buy": "bought bought", "choose": "chose chosen",
    "cut": "cut cut", "draw": "drew drawn", "drive": "drove driven", "fall": "fell fallen", "fight": "fought fought",
    "find": "found found", "forbid": "forbade forbidden", "get": "got got", "give": "gave given", "go": "went gone",
    "grow": "grew grown", "hold": "held held", "keep": "kept kept", "know": "knew known", "lay": "laid laid",
    "lead": "led led", "leave": "left left", "lend": "lent lent", "let": "let let", "lie": "lay lain",
    "lose": "lost lost", "make": "made made", "meet": "met met", "overrule": "overruled overruled",
    "oversee": "oversaw overseen", "pay": "paid paid", "put": "put put", "read": "read read", "repay": "repaid repaid",
    "rise": "rose risen", "run": "ran run", "say": "said said", "see": "saw seen", "seek": "sought sought",
    "sell": "sold sold", "send": "sent sent", "set": "set set", "show": "showed shown", "speak": "spoke spoken",
    "spend": "spent spent", "stand": "stood stood", "take": "took taken", "teach": "taught taught",
    "tell": "told told", "undergo": "underwent undergone", "undertake": "undertook undertaken", "win": "won won",
    "withdraw": "withdrew withdrawn", "withhold": "withheld withheld", "write": "wrote written",
    "become": "became become",
}  # fmt: skip

NOUN_AND_VERB = word_set(
    "account accounts act acts address addresses advance advances aim aims appeal award awards ban bans base bases boost "
    "benefit benefits call calls cause causes chair chairs challenge challenges check checks close contact cost costs count counts cover covers "
    "cut cuts decline decrease draft drafts drop drops end ends estimate estimates face faces feature features file filter filters "
    "files finance fine fines fix focus form forms fund funds grant grants guarantee guarantees head heads help host "
    "hosts increase increases issue issues judge judges label labels lack last lead leads lie license limit limits link "
    "links list lists log logs lower mark marks match matches measure measures monitor monitors name names note notes "
    "offer offers open order orders pass pay place places plan plans play plays pledge pledges point points present "
    "process processes produce purchase purchases range ranges rank ranks reach read record records reform reforms refuse release "
    "releases repair repairs report reports request requests respect result results return returns review reviews rise "
    "rule rules run runs sail say set sets share shares show shows sign signs sponsor sponsors stand stands start "
    "starts state states stay stays stem stems stop store stores study studies supply supplies support supports target "
    "targets test tests total totals trace traces trade trades train trains transfer transfers transport travel "
    "trigger triggers turn turns update updates upgrade upgrades use uses value values veto visit visits vote votes "
    "welcome work works yield yields separate complete direct express found live correct like left"
)

ROLES = word_set(
    "president vice-president chancellor premier minister secretary chairman chairwoman chairperson chair director "
    "commissioner ambassador mayor governor king queen emperor prince princess head leader founder co-founder ceo cfo "
    "coo spokesperson spokesman spokeswoman member rapporteur representative chief commander general deputy "
    "manager dean rector professor senator judge prosecutor ombudsman envoy administrator coordinator treasurer "
    "captain coach editor author owner fellow delegate politician speaker vice-chancellor successor predecessor "
    "president-elect operator manufacturer supplier capital currency language headquarters seat location campus "
    "subsidiary branch part parent winner recipient organiser"
)
PERSON_ROLES = word_set(
    "president vice-president chancellor premier minister secretary chairman chairwoman chairperson chair director "
    "commissioner ambassador mayor governor king queen emperor prince princess leader founder co-founder ceo cfo coo "
    "spokesperson spokesman spokeswoman member rapporteur representative commander deputy manager dean rector "
    "professor senator judge prosecutor ombudsman envoy administrator treasurer captain coach politician speaker "
    "vice-chancellor fellow secretary-general director-general economist lawyer scientist"
)
TITLES = word_set(
    "president vice-president executive chancellor minister commissioner dr mr mrs ms prof professor sir lady lord king "
    "queen prince princess senator judge ambassador mayor governor general captain commodore high representative prime "
    "dr. mr. mrs. ms. prof. director chairman pope saint"
)
ORGANISATIONS = word_set(
    "commission council parliament agency authority bank university institute college union ministry committee court "
    "office party company inc inc. ltd ltd. gmbh corp corp. association federation organisation organization centre "
    "center group board service department school academy society foundation consortium corporation bureau directorate "
    "directorate-general chamber assembly senate government eurogroup team club network alliance league nations "
    "states observatory operator firm employer provider institution cabinet presidency secretariat police army "
    "republic laboratory hospital museum airline plc llc ag sa se"
)
PROGRAMMES = word_set(
    "programme program plan scheme initiative facility strategy mechanism package deal pact partnership fund project "
    "mission platform framework agenda campaign instrument reserve loan prize award"
)
DOCUMENTS = word_set(
    "regulation directive act decision treaty agreement report communication recommendation charter code convention law "
    "paper proposal article annex requirement specification standard guideline guidelines constitution declaration "
    "resolution protocol statute opinion bill amendment contract"
)
PLACES = word_set(
    "kingdom islands island county region province river sea road street city town village district square bay lake "
    "mountain mountains valley coast peninsula state country capital avenue airport port harbour"
)
COUNTRIES = frozenset(
    name.strip()
    for name in (
        "afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria, azerbaijan, bahrain, "
        "bangladesh, barbados, belarus, belgium, belize, benin, bhutan, bolivia, bosnia and herzegovina, botswana, "
        "brazil, brunei, bulgaria, burkina faso, burundi, cambodia, cameroon, canada, cape verde, chad, chile, china, "
        "colombia, comoros, congo, costa rica, croatia, cuba, cyprus, czechia, czech republic, denmark, djibouti, "
        "dominica, ecuador, egypt, el salvador, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon, "
        "gambia, georgia, germany, ghana, greece, grenada, guatemala, guinea, guyana, haiti, honduras, hungary, iceland, "
        "india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, jordan, kazakhstan, kenya, "
        "kiribati, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, "
        "luxembourg, madagascar, malawi, malaysia, maldives, mali, malta, mauritania, mauritius, mexico, moldova, monaco, "
        "mongolia, montenegro, morocco, mozambique, myanmar, namibia, nauru, nepal, netherlands, new zealand, nicaragua, "
        "niger, nigeria, north macedonia, norway, oman, pakistan, palau, panama, paraguay, peru, philippines, poland, "
        "portugal, qatar, romania, russia, rwanda, samoa, san marino, saudi arabia, senegal, serbia, seychelles, "
        "singapore, slovakia, slovenia, somalia, south africa, south korea, north korea, spain, sri lanka, sudan, "
        "suriname, sweden, switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tonga, tunisia, turkey, "
        "türkiye, turkmenistan, tuvalu, uganda, ukraine, united arab emirates, united kingdom, united states, uruguay, "
        "uzbekistan, vanuatu, venezuela, vietnam, yemen, zambia, zimbabwe, europe, asia, africa, america, oceania, "
        "brussels, paris, berlin, rome, madrid, lisbon, vienna, warsaw, prague, budapest, bucharest, sofia, athens, "
        "dublin, helsinki, stockholm, copenhagen, riga, tallinn, vilnius, ljubljana, zagreb, bratislava, valletta, "
        "nicosia, amsterdam, strasbourg, london, kyiv, geneva"
    ).split(",")
)


def _forms() -> dict[str, tuple[str, frozenset[str]]]:
    """Every form of every verb: its lemma, and which forms it may be (base, s, past, part, ing)."""
    forms: dict[str, tuple[str, set[str]]] = {}

    def add(form: str, lemma: str, kind: str) -> None:
        forms.setdefault(form, (lemma, set()))[1].add(kind)

    for lemma in sorted({*_VERBS, "become"}):
        irregular = _IRREGULAR.get(lemma)
        past, part = irregular.split() if irregular else (_past(lemma), _past(lemma))
        add(lemma, lemma, "base")
        add(_third(lemma), lemma, "s")
        add(past, lemma, "past")
        add(part, lemma, "part")
        add(_ing(lemma), lemma, "ing")
    return {form: (lemma, frozenset(kinds)) for form, (lemma, kinds) in forms.items()}


_DOUBLING = word_set(
    "admit ban begin commit cut drop get incur let log occur permit plan put refer run set sit stem stop submit transfer "
    "transmit win equip forbid"
)


def _past(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in _DOUBLING else "") + "ed"


def _third(lemma: str) -> str:
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _ing(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe")):
        return lemma[:-1] + "ing"
    return lemma + (lemma[-1] if lemma in _DOUBLING else "") + "ing"


VERB_FORMS = _forms()
"""From a form to its lemma and the kinds of form that it may be."""

ING_NOUNS = word_set(
    "building funding housing engineering meeting training spending planning processing banking manufacturing marketing "
    "hearing reporting monitoring opening setting ruling lending understanding farming fishing shipping mining learning "
    "testing findings warning being beginning ending"
)
