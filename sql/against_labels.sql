-- Claims that a judge and a person rated differently, supported against not.
SELECT
    v.embedder, v.judging_date, t.pipeline, t.stratum, v.trace_id, v.claim_id, v.repeat, v.claim,
    v.judge, v.verdict, v.confidence, v.justification, l.annotator, l.verdict AS label
FROM verdicts AS v
JOIN labels AS l USING (trace_id, claim_id)
LEFT JOIN judged_answers AS t ON t.trace_id = v.trace_id AND t.embedder = v.embedder
WHERE
    v.status = 'scored'
    AND v.kind = 'statement'
    AND (v.verdict = 'supported') <> (l.verdict = 'supported')
ORDER BY v.embedder, v.judging_date, v.trace_id, v.claim_id, v.repeat, v.judge, l.annotator
