// The packed statements, and what is worked out once from them.

async function unpack(packed) {
  const binary = atob(packed.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const ABSTENTIONS = ["justified_abstention", "unjustified_abstention"];

// true or false for a verdict on a statement; null where there is none
function saysSupported(verdict) {
  return !verdict || ABSTENTIONS.includes(verdict) ? null : verdict === "supported";
}

// the judges (by number) who differ: with each other, with people, with themselves
function disagreements(claim) {
  const said = new Map();
  const itself = new Set();
  for (const ruling of claim.rulings) {
    const says = saysSupported(ruling.verdict);
    if (says === null) continue;
    if (!said.has(ruling.judge)) said.set(ruling.judge, says);
    else if (said.get(ruling.judge) !== says) itself.add(ruling.judge);
  }
  const differ = new Set(said.values()).size > 1;
  const people = new Set();
  for (const [, verdict] of claim.people) {
    const truth = saysSupported(verdict);
    if (truth === null) continue;
    for (const [judge, says] of said) if (says !== truth) people.add(judge);
  }
  return { judges: differ ? new Set(said.keys()) : new Set(), people, itself };
}

function flagsOf(ruling) {
  return ruling.late ? ["late", ...(ruling.flags || [])] : ruling.flags || [];
}

function prepare(data) {
  for (const answer of data.answers) {
    answer.words = [answer.question, answer.answer, answer.id].join("\n").toLowerCase();
    answer.claims.forEach((claim, i) => {
      claim.number = i + 1;
      claim.disagreements = disagreements(claim);
      claim.words = [claim.text, claim.id, ...claim.rulings.map((r) => r.justification || "")].join("\n").toLowerCase();
    });
  }
}
