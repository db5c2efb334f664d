-- Support rates date by date for one embedder: one row a judging date, judge and pipeline.
-- `answers`, `answer_rated` and `answer_supported` list the answers behind a row with their counts: the interval, which
-- is clustered by answer, is computed from them (faithflow.metrics.trends).
SELECT
    v.judging_date, v.judge, v.pipeline,
    CAST(sum(v.claims) AS BIGINT) AS claims,
    CAST(sum(v.scored) AS BIGINT) AS scored,
    CAST(sum(v.rated) AS BIGINT) AS rated,
    CAST(sum(v.supported) AS BIGINT) AS supported,
    CAST(sum(v.unscored) AS BIGINT) AS unscored,
    list(v.trace_id ORDER BY v.trace_id, v.repeat) AS answers,
    list(v.rated ORDER BY v.trace_id, v.repeat) AS answer_rated,
    list(v.supported ORDER BY v.trace_id, v.repeat) AS answer_supported,
    v.embedder
FROM answer_verdicts AS v
WHERE v.embedder = $embedder
GROUP BY v.judging_date, v.judge, v.pipeline, v.embedder
ORDER BY v.judging_date, v.judge, v.pipeline
