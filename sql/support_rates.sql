-- Rates by date, judge, pipeline and stratum, with their n and the bounds that the unscored claims leave:
-- all of them not supported (low_bound), all of them supported (high_bound).
SELECT
    v.embedder, v.judging_date, v.judge, t.pipeline, t.stratum,
    count(*) AS claims,
    count(*) FILTER (v.status = 'scored' AND v.kind = 'statement') AS rated,
    count(*) FILTER (v.verdict = 'supported') AS supported,
    count(*) FILTER (v.status = 'unscored' AND v.kind = 'statement') AS unscored,
    supported / nullif(rated, 0) AS rate,
    supported / nullif(rated + unscored, 0) AS low_bound,
    (supported + unscored) / nullif(rated + unscored, 0) AS high_bound
FROM verdicts AS v
LEFT JOIN judged_answers AS t USING (embedder, trace_id)
GROUP BY ALL
ORDER BY ALL
