-- Claims that two judges rated differently, supported against not, on one date and in one repeat.
SELECT
    a.embedder, a.judging_date, t.pipeline, t.stratum, a.trace_id, a.claim_id, a.repeat, a.claim,
    a.judge AS judge_a, a.verdict AS verdict_a, b.judge AS judge_b, b.verdict AS verdict_b,
    a.justification AS justification_a, b.justification AS justification_b
FROM verdicts AS a
JOIN verdicts AS b USING (embedder, judging_date, trace_id, claim_id, repeat)
LEFT JOIN judged_answers AS t USING (embedder, trace_id)
WHERE
    a.judge < b.judge
    AND a.status = 'scored' AND b.status = 'scored'
    AND a.kind = 'statement'
    AND (a.verdict = 'supported') <> (b.verdict = 'supported')
ORDER BY a.embedder, a.judging_date, a.trace_id, a.claim_id, a.repeat, judge_a, judge_b
