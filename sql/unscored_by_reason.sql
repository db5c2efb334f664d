-- Why verdicts are missing: unscored rows by reason, and their share of the judge's rows of that date.
WITH judged AS (
    SELECT embedder, judging_date, judge, count(*) AS claims
    FROM verdicts
    GROUP BY ALL
)
SELECT
    v.embedder, v.judging_date, v.judge, v.reason,
    count(*) AS unscored,
    any_value(judged.claims) AS claims,
    unscored / any_value(judged.claims) AS share
FROM verdicts AS v
JOIN judged USING (embedder, judging_date, judge)
WHERE v.status = 'unscored'
GROUP BY v.embedder, v.judging_date, v.judge, v.reason
ORDER BY v.embedder, v.judging_date, v.judge, unscored DESC, v.reason
