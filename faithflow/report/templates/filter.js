// Which answers and statements pass the filters. Filters are plain text by name; an empty one passes everything.

const PREFIX = "#statements?";

function filtersOf(hash) {
  return hash.startsWith(PREFIX) ? Object.fromEntries(new URLSearchParams(hash.slice(PREFIX.length))) : {};
}

function addressOf(filters) {
  const set = Object.entries(filters).filter(([, value]) => value);
  return set.length ? PREFIX + new URLSearchParams(set) : "#statements";
}

function rulingPasses(ruling, filters, data) {
  if (filters.judge && data.judges[ruling.judge].name !== filters.judge) return false;
  if (filters.verdict === "rated" ? saysSupported(ruling.verdict) === null : filters.verdict && ruling.verdict !== filters.verdict) return false;
  if (filters.status && filters.status !== ruling.status && filters.status !== `${ruling.status}:${ruling.reason}`) return false;
  if (filters.flag && !flagsOf(ruling).includes(filters.flag)) return false;
  return true;
}

function claimPasses(claim, filters, data) {
  if (filters.kind && claim.kind !== filters.kind) return false;
  if (filters.disagreement) {
    const who = claim.disagreements[filters.disagreement];
    if (!who || !(filters.judge ? [...who].some((i) => data.judges[i].name === filters.judge) : who.size)) return false;
  }
  if (filters.judge || filters.verdict || filters.status || filters.flag) {
    return claim.rulings.some((ruling) => rulingPasses(ruling, filters, data));
  }
  return true;
}

// the answers to show, each with the statements that pass
function select(data, filters) {
  const text = (filters.text || "").trim().toLowerCase();
  const onClaims = ["judge", "verdict", "status", "flag", "kind", "disagreement"].some((name) => filters[name]);
  const found = [];
  for (const answer of data.answers) {
    if (filters.pipeline && answer.pipeline !== filters.pipeline) continue;
    if (filters.stratum && answer.stratum !== filters.stratum) continue;
    const whole = !text || answer.words.includes(text);
    const claims = answer.claims.filter((claim) => (whole || claim.words.includes(text)) && claimPasses(claim, filters, data));
    if (claims.length || (whole && !onClaims)) found.push({ answer, claims });
  }
  return found;
}

// the values that occur, for the choices of each filter
function choices(data) {
  const seen = { pipeline: new Set(), stratum: new Set(), kind: new Set(), verdict: new Set(), status: new Set(), flag: new Set() };
  const differ = { judges: false, people: false, itself: false };
  for (const answer of data.answers) {
    seen.pipeline.add(answer.pipeline);
    seen.stratum.add(answer.stratum);
    for (const claim of answer.claims) {
      seen.kind.add(claim.kind);
      for (const name of Object.keys(differ)) differ[name] ||= claim.disagreements[name].size > 0;
      for (const ruling of claim.rulings) {
        if (ruling.verdict) seen.verdict.add(ruling.verdict);
        seen.status.add(ruling.status);
        if (ruling.reason) seen.status.add(`${ruling.status}:${ruling.reason}`);
        flagsOf(ruling).forEach((flag) => seen.flag.add(flag));
      }
    }
  }
  return { ...Object.fromEntries(Object.entries(seen).map(([name, set]) => [name, [...set].sort()])), differ };
}
