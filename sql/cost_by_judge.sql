-- What each judge's calls took. The cost is null (unknown, not zero) where a call used tokens that have no price.
SELECT
    embedder, judging_date, judge, model, purpose,
    count(*) AS calls,
    count(*) FILTER (status = 'failed') AS failed,
    CAST(sum(prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(sum(completion_tokens) AS BIGINT) AS completion_tokens,
    count(*) FILTER (estimated) AS calls_with_estimated_tokens,
    CASE
        WHEN count(*) FILTER (cost IS NULL AND prompt_tokens + completion_tokens > 0) = 0 THEN coalesce(sum(cost), 0)
    END AS cost,
    quantile_cont(latency_s, 0.5) AS latency_s_median,
    quantile_cont(latency_s, 0.95) AS latency_s_p95
FROM calls
GROUP BY ALL
ORDER BY ALL
