// The filters' form, the pages of answers, and the start.

const PAGE = 50;
const NAMES = { judges: "judges differ", people: "a judge differs from people", itself: "a judge differs from itself" };
const $ = (id) => document.getElementById(id);

function option(value, text) {
  return h("option", { value }, text);
}

function fillForm(form, data) {
  const found = choices(data);
  const verdictWords = (verdict) => (data.verdicts[verdict] ? data.verdicts[verdict].words : verdict);
  const statusWords = (status) => (status.includes(":") ? `${spaced(status.split(":")[0])}: ${spaced(status.slice(status.indexOf(":") + 1))}` : `${spaced(status)}${found.status.some((other) => other.startsWith(`${status}:`)) ? ", all" : ""}`);
  const lists = {
    pipeline: found.pipeline.map((name) => option(name, name)),
    stratum: found.stratum.map((name) => option(name, name)),
    judge: data.judges.map((judge) => option(judge.name, judgeName(judge))),
    verdict: [option("rated", "any verdict on a statement"), ...found.verdict.map((verdict) => option(verdict, verdictWords(verdict)))],
    status: found.status.map((status) => option(status, statusWords(status))),
    disagreement: Object.keys(NAMES).filter((name) => found.differ[name]).map((name) => option(name, NAMES[name])),
    kind: found.kind.map((kind) => option(kind, spaced(kind))),
    flag: found.flag.map((flag) => option(flag, spaced(flag))),
  };
  for (const [name, options] of Object.entries(lists)) {
    form.elements[name].replaceChildren(option("", "all"), ...options);
    form.elements[name].disabled = options.length === 0;
  }
  $("legend").replaceChildren(...[...Object.entries(data.verdicts).filter(([name]) => found.verdict.includes(name)).map(([, sign]) => sign), data.states.split, data.states.unscored].map((sign) => h("li", {}, badge(sign))));
}

function setForm(form, filters) {
  for (const element of form.elements) {
    if (!element.name) continue;
    const value = filters[element.name] || "";
    // a link may name what is not among the statements that the page holds: it then shows none, and says why
    if (element.tagName === "SELECT" && ![...element.options].some((own) => own.value === value)) element.append(option(value, `${value} (none here)`));
    element.disabled = element.tagName === "SELECT" && element.options.length < 2;
    element.value = value;
  }
}

function pagers(page, pages, go) {
  for (const box of document.querySelectorAll(".pager")) {
    box.hidden = pages < 2;
    box.replaceChildren(
      h("button", { type: "button", disabled: page === 0, onclick: () => go(page - 1) }, "Previous"),
      h("span", {}, `Page ${page + 1} of ${pages}`),
      h("button", { type: "button", disabled: page + 1 >= pages, onclick: () => go(page + 1) }, "Next"));
  }
}

function start(data) {
  prepare(data);
  const form = $("filters");
  const unfold = $("unfold");
  fillForm(form, data);
  let found = [];
  let filters = {};
  let all = false;

  function show(page, focus) {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const here = found.slice(page * PAGE, (page + 1) * PAGE);
    const claims = found.reduce((sum, one) => sum + one.claims.length, 0);
    const range = found.length > PAGE ? `, answers ${page * PAGE + 1} to ${page * PAGE + here.length} here` : "";
    $("status").textContent = found.length
      ? `${claims.toLocaleString("en")} ${claims === 1 ? "statement" : "statements"} in ${found.length.toLocaleString("en")} of ${data.answers.length.toLocaleString("en")} answers${range}.`
      : data.answers.length ? "No statement passes these filters." : "There is no answer to show.";
    $("answers").replaceChildren(...here.map((one) => answerView(one, filters, data, all || Boolean(filters.verdict || filters.status || filters.disagreement || filters.flag))));
    pagers(page, pages, (next) => show(next, true));
    if (focus) { $("statements-title").focus(); $("status").scrollIntoView(); }
  }

  function apply() {
    filters = Object.fromEntries([...form.elements].filter((element) => element.name).map((element) => [element.name, element.value]));
    found = select(data, filters);
    show(0, false);
  }

  function changed() {
    apply();
    history.replaceState(null, "", addressOf(filters));
  }

  function follow() {
    if (!location.hash.startsWith(PREFIX)) return;
    setForm(form, filtersOf(location.hash));
    apply();
    $("statements").scrollIntoView();
  }

  let timer = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(changed, event.target.name === "text" ? 200 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); setForm(form, {}); changed(); });
  unfold.addEventListener("click", () => {
    all = !all;
    unfold.setAttribute("aria-pressed", String(all));
    apply();
  });
  addEventListener("hashchange", follow);
  form.hidden = false;
  setForm(form, {});
  apply();
  follow();
}

function explain(text) {
  $("message").textContent = text;
  $("message").hidden = false;
  $("status").textContent = "";
}

if (typeof DecompressionStream === "undefined") {
  explain("This browser cannot unpack the statements: it lacks DecompressionStream, which Chrome and Edge have since version 80, Firefox since 113 and Safari since 16.4. The tables above are complete.");
} else {
  $("status").textContent = "Unpacking the statements…";
  unpack($("data").textContent).then(start).catch((error) => {
    explain(`The statements could not be shown (${error.message}). The tables above are complete.`);
    throw error;
  });
}
