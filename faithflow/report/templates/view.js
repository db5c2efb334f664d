// Answers as elements. Everything from the data goes in as text, never as markup.

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

const spaced = (word) => word.replaceAll("_", " ");

function judgeName(judge) {
  return judge.baseline ? `${judge.name} (baseline)` : judge.name;
}

function signOf(ruling, data) {
  if (ruling.status === "scored") return data.verdicts[ruling.verdict] || { words: ruling.verdict || "scored", mark: "•", style: "unscored" };
  return data.states[ruling.status] || data.states.unscored;
}

// how a statement is coloured: by the chosen judge, else by what the judges say together
function stateOf(claim, filters, data) {
  const first = new Map();
  for (const ruling of claim.rulings) {
    const chosen = !filters.judge || data.judges[ruling.judge].name === filters.judge;
    if (chosen && !first.has(ruling.judge)) first.set(ruling.judge, signOf(ruling, data));
  }
  const signs = [...first.values()];
  const scored = signs.filter((sign) => sign !== data.states.unscored && sign !== data.states.not_applicable);
  if (new Set(scored).size > 1) return data.states.split;
  return scored[0] || signs.find((sign) => sign === data.states.unscored) || signs[0] || null;
}

function badge(sign, ...more) {
  return h("span", { class: `badge ${sign.style}` }, h("span", { class: "mark", "aria-hidden": "true" }, sign.mark), ` ${sign.words}`, ...more);
}

// the answer's text with each statement's span marked; offsets count code points, as Python does
function marked(answer, filters, data, open) {
  const points = Array.from(answer.answer);
  const anchored = answer.claims.filter((claim) => claim.start != null && claim.end != null);
  const cuts = new Set([0, points.length]);
  for (const claim of anchored) cuts.add(Math.min(claim.start, points.length)).add(Math.min(claim.end, points.length));
  const edges = [...cuts].sort((a, b) => a - b);
  const box = h("div", { class: "quoted answer-text", dir: "auto" });
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const text = points.slice(edges[i], edges[i + 1]).join("");
    const here = anchored.filter((claim) => claim.start <= edges[i] && claim.end >= edges[i + 1]);
    box.append(...here.filter((claim) => claim.start === edges[i]).map((claim) => numberOf(claim, filters, data, open)).filter(Boolean));
    const signs = [...new Set(here.map((claim) => stateOf(claim, filters, data)).filter(Boolean))];
    const sign = signs.length > 1 ? data.states.split : signs[0];
    box.append(sign ? h("mark", { class: sign.style }, text) : text);
  }
  return box;
}

function numberOf(claim, filters, data, open) {
  const sign = stateOf(claim, filters, data);
  if (!sign) return null;
  const label = `Statement ${claim.number}: ${sign.words}`;
  return h("button", { type: "button", class: `number ${sign.style}`, "aria-label": label, title: label, onclick: () => open(claim) }, `${claim.number}${sign.mark}`);
}

function rulingView(ruling, data, evidence) {
  const facts = [];
  if (ruling.confidence != null) facts.push(`confidence ${ruling.confidence.toFixed(2)}`);
  if (ruling.score != null) facts.push(`score ${ruling.score}`);
  if (ruling.attribution) facts.push(`attributed to ${ruling.attribution}`);
  if (ruling.model && ruling.model !== data.judges[ruling.judge].name) facts.push(ruling.model);
  const reason = ruling.reason && `${ruling.reason}${data.reasons[ruling.reason] ? `: ${data.reasons[ruling.reason]}` : ""}`;
  return h("li", { class: "ruling" },
    h("p", { class: "said" },
      h("b", {}, judgeName(data.judges[ruling.judge])), ruling.repeat ? ` repeat ${ruling.repeat} ` : " ", badge(signOf(ruling, data)),
      ...flagsOf(ruling).map((flag) => h("span", { class: "flag" }, `⚑ ${spaced(flag)}`)),
      facts.length > 0 && h("span", { class: "aside" }, facts.join(" · "))),
    reason && h("p", { class: "aside" }, reason),
    ruling.justification && h("p", { class: "quoted", dir: "auto" }, ruling.justification),
    ruling.evidence && h("p", { class: "aside" }, "Evidence named: ", ruling.evidence.flatMap((id, i) => [i ? ", " : "", evidence(id)])));
}

// one chip for each rater and verdict; equal repeats are counted in one
function chipsOf(claim, data) {
  const said = claim.people.map(([who, verdict]) => [`${who} (person)`, data.verdicts[verdict]]);
  const times = new Map();
  for (const [name, sign] of [...said, ...claim.rulings.map((ruling) => [judgeName(data.judges[ruling.judge]), signOf(ruling, data)])]) {
    const label = `${name}: ${sign.words}`;
    times.set(label, { sign, count: (times.get(label)?.count || 0) + 1 });
  }
  return [...times].map(([label, { sign, count }]) => h("span", { class: `chip ${sign.style}` }, h("span", { "aria-hidden": "true" }, sign.mark), ` ${label}${count > 1 ? ` ×${count}` : ""}`));
}

function claimView(claim, data, evidence, unfolded) {
  const line = [h("span", { class: "count" }, `${claim.number}`), h("span", { class: "quoted", dir: "auto" }, claim.text)];
  const kind = claim.kind === "statement" ? null : h("span", { class: "tag" }, spaced(claim.kind));
  const lost = claim.start == null && h("span", { class: "tag" }, "no place in the answer");
  const people = claim.people.map(([who, verdict]) => h("li", { class: "ruling" }, h("p", { class: "said" }, h("b", {}, `${who} (person)`), " ", badge(data.verdicts[verdict]))));
  if (!claim.rulings.length && !people.length) return h("li", { class: "claim plain" }, ...line, " ", kind, lost, h("span", { class: "tag" }, "not judged"));
  const chips = chipsOf(claim, data);
  const fold = h("details", { class: "claim", open: unfolded }, h("summary", {}, ...line, " ", kind, lost, h("span", { class: "chips" }, ...chips)));
  const fill = () => fold.childElementCount > 1 || fold.append(h("ul", {}, people, ...claim.rulings.map((ruling) => rulingView(ruling, data, evidence))));
  if (unfolded) fill();
  fold.addEventListener("toggle", () => fold.open && fill());
  claim.unfold = () => { fill(); fold.open = true; return fold.firstElementChild; };
  return h("li", {}, fold);
}

function passageView(passage, number) {
  const address = [passage.id, passage.source].find((text) => text && /^https?:\/\/[^\s]+$/i.test(text));
  const fold = h("details", { class: "passage" }, h("summary", {}, h("b", {}, `Passage ${number}`), " ", h("span", { class: "aside" }, [passage.source, passage.id].filter(Boolean).join(" · "))));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.childElementCount > 1) return;
    if (address) fold.append(h("p", { class: "aside" }, h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, address)));
    fold.append(passage.text.trim() ? h("p", { class: "quoted", dir: "auto" }, passage.text) : h("p", { class: "aside" }, "This passage is empty."));
  });
  return fold;
}

function answerView({ answer, claims }, filters, data, unfolded) {
  const passages = answer.evidence.map((i) => data.passages[i]);
  const folds = passages.map((passage, i) => passageView(passage, i + 1));
  const evidence = (id) => {
    const i = passages.findIndex((passage) => passage.id === id);
    if (i < 0) return `${id} (not among the passages)`;
    return h("button", { type: "button", class: "go", onclick: () => { folds[i].open = true; folds[i].firstElementChild.focus(); folds[i].scrollIntoView({ block: "nearest" }); } }, `passage ${i + 1}`);
  };
  const view = (claim) => claimView(claim, data, evidence, unfolded);
  const shown = new Set(claims);
  const others = answer.claims.filter((claim) => !shown.has(claim));
  const rest = h("details", { class: "rest" }, h("summary", {}, `${others.length} other ${others.length === 1 ? "statement" : "statements"} of this answer`));
  const fillRest = () => rest.childElementCount > 1 || rest.append(h("ol", {}, ...others.map(view)));
  rest.addEventListener("toggle", () => rest.open && fillRest());
  const open = (claim) => {
    if (!shown.has(claim)) { fillRest(); rest.open = true; }
    const target = claim.unfold();
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  };
  const tags = [answer.pipeline, answer.stratum, answer.repeat ? `repeat ${answer.repeat}` : null, answer.labelled ? "labelled by people" : null];
  const partly = answer.covered != null && answer.covered < 0.9995 && h("p", { class: "aside" }, `The statements cover ${(100 * answer.covered).toFixed(1)}% of the answer's text.`);
  return h("article", { class: "trace" },
    h("header", {}, h("h3", { class: "quoted", dir: "auto" }, answer.question || "(no question)"), h("p", { class: "tags" }, ...tags.filter(Boolean).map((tag) => h("span", { class: "tag" }, tag)), h("span", { class: "aside" }, answer.id))),
    answer.answer.trim() ? marked(answer, filters, data, open) : h("p", { class: "aside" }, "The answer is empty."),
    partly,
    h("ol", { class: "claims" }, ...claims.map(view)),
    others.length > 0 && rest,
    h("div", { class: "evidence" }, passages.length ? folds : h("p", { class: "aside" }, "The answer came with no evidence.")));
}
