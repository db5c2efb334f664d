-- One judge's verdicts on one answer, counted, for one embedder and judging date.
-- A statement is supported or not; abstentions have no part in `rate` and `faithful`.
WITH counted AS (
    SELECT
        v.embedder, v.judging_date, v.trace_id, t.pipeline, t.stratum, v.judge, v.repeat,
        count(*) AS claims,
        count(*) FILTER (v.status = 'scored') AS scored,
        count(*) FILTER (v.status = 'scored' AND NOT ends_with(v.verdict, '_abstention')) AS rated,
        count(*) FILTER (v.verdict = 'supported') AS supported,
        count(*) FILTER (v.verdict = 'contradicted') AS contradicted,
        count(*) FILTER (v.status = 'unscored') AS unscored,
        count(*) FILTER (v.kind = 'abstention') AS abstentions,
        count(*) FILTER (v.kind = 'statement') AS statements
    FROM verdicts AS v
    LEFT JOIN judged_answers AS t USING (embedder, trace_id)
    WHERE v.embedder = $embedder AND v.judging_date = CAST($judging_date AS DATE)
    GROUP BY ALL
)
SELECT
    embedder, judging_date, trace_id, pipeline, stratum, judge, repeat,
    claims, scored, rated, supported, contradicted, unscored, abstentions,
    CASE WHEN rated > 0 THEN CAST(supported AS DOUBLE) / rated END AS rate,
    CASE WHEN supported < rated THEN false WHEN rated > 0 AND rated = statements THEN true END AS faithful
FROM counted
ORDER BY trace_id, judge, repeat
