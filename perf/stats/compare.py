"""Times perf_stats against scipy and krippendorff on the same data, both in this run.

    python3 -m venv /tmp/compare && /tmp/compare/bin/pip install numpy scipy krippendorff
    /tmp/compare/bin/python perf/stats/compare.py build/release/bin/perf_stats
"""

import random
import subprocess
import sys
import time

import krippendorff
import numpy as np
import scipy.stats

PERSONAS, ROWS, REPLICATES, RATERS, ITEMS = 200, 10_000, 10_000, 5, 100_000


def score(key):
    hashed = (np.asarray(key, dtype=np.uint64) * np.uint64(2654435761)) & np.uint64(0xFFFFFFFF)
    return 1.0 + ((hashed >> np.uint64(16)) % np.uint64(5)).astype(float)


def bootstrap(method):
    scores = score(np.arange(ROWS)).reshape(PERSONAS, -1)
    sums, sizes = scores.sum(axis=1), np.full(PERSONAS, scores.shape[1])

    def mean(totals, counts, axis=-1):
        return totals.sum(axis=axis) / counts.sum(axis=axis)

    scipy.stats.bootstrap((sums, sizes), mean, paired=True, n_resamples=REPLICATES, method=method,
                          vectorized=True, rng=np.random.default_rng(0))
    return mean(sums, sizes)


def bootstrap_in_python(replicates=200):
    """The plain way, a loop over replicates; scaled up, since all of them would take minutes."""
    scores = [float(x) for x in score(np.arange(ROWS))]
    size = ROWS // PERSONAS
    personas = [scores[i : i + size] for i in range(0, ROWS, size)]
    generator = random.Random(0)
    start = time.perf_counter()
    for _ in range(replicates):
        drawn = [score for _ in personas for score in generator.choice(personas)]
        sum(drawn) / len(drawn)
    return (time.perf_counter() - start) * REPLICATES / replicates


def ratings():
    items = np.arange(ITEMS)
    return np.array([np.where((items + rater) % 4 == 0, score(items * RATERS + rater + 7),
                              score(items)) for rater in range(RATERS)])


def main():
    table = ratings()
    references = {
        "bootstrap_percentile": lambda: bootstrap("percentile"),
        "bootstrap_bca": lambda: bootstrap("BCa"),
        "krippendorff_ordinal":
            lambda: krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal"),
        "krippendorff_nominal":
            lambda: krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"),
        "kendall_tau_b": lambda: scipy.stats.kendalltau(table[0], table[1]).statistic,
    }
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    ours = {name: (float(seconds), float(value))
            for name, seconds, value in (line.split() for line in lines.splitlines())}
    print(f"{'statistic':24}{'ours s':>10}{'Python s':>10}{'ratio':>8}  values differ by")
    for name, reference in references.items():
        best = min(timed(reference) for _ in range(3))
        seconds, value = ours[name]
        print(f"{name:24}{seconds:10.4f}{best[0]:10.4f}{best[0] / seconds:8.1f}"
              f"  {abs(value - best[1]):.1e}")
    seconds = bootstrap_in_python()
    print(f"{'plain Python bootstrap':24}{'':>10}{seconds:10.1f}{seconds / ours['bootstrap_percentile'][0]:8.0f}")


def timed(work):
    start = time.perf_counter()
    value = work()
    return time.perf_counter() - start, float(value)


if __name__ == "__main__":
    main()
