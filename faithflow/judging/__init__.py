"""From claims and evidence to verdicts: rubric, prompt, reply, re-ask, windows, panel."""
