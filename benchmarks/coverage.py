"""How often a 95% interval holds the true rate when claims come in answers: `python benchmarks/coverage.py`.

Answers have 3 to 13 claims (8 on average) and their own rate, beta distributed about the true one so that two claims of
an answer correlate by the given amount. Prints a Markdown table; seeded, about 20 seconds.
"""

import itertools

import numpy as np

from faithflow.stats.intervals import clustered_rate, wilson

RUNS = 1_000


def coverage(answers: int, correlation: float, rate: float) -> tuple[float, float]:
    """The shares of runs in which Wilson's interval and the clustered one hold the rate."""
    rng = np.random.default_rng(7)
    naive = clustered = 0
    for _ in range(RUNS):
        sizes = rng.integers(3, 14, answers)
        own = np.full(answers, rate)
        if correlation:
            spread = (1 - correlation) / correlation
            own = rng.beta(rate * spread, (1 - rate) * spread, answers)
        hits = rng.random(sizes.sum()) < np.repeat(own, sizes)
        plain = wilson(int(hits.sum()), hits.size)
        aware = clustered_rate(hits, np.repeat(np.arange(answers), sizes))
        naive += plain.low <= rate <= plain.high
        clustered += aware.low <= rate <= aware.high
    return naive / RUNS, clustered / RUNS


if __name__ == "__main__":
    print("| answers | correlation | true rate | Wilson, claims as independent | clustered |")
    print("| --- | --- | --- | --- | --- |")
    for answers, correlation, rate in itertools.product((10, 50, 400), (0.0, 0.1, 0.4), (0.8, 0.95)):
        plain, aware = coverage(answers, correlation, rate)
        print(f"| {answers} | {correlation} | {rate} | {100 * plain:.1f}% | {100 * aware:.1f}% |")
