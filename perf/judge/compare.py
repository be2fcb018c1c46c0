"""Reads a million verdicts with perf_verdicts and the plain Python way, both in this run.

    cmake --build --preset release --target perf_verdicts
    python3 perf/judge/compare.py build/release/bin/perf_verdicts
"""

import pathlib
import re
import subprocess
import sys
import time

REPLIES = pathlib.Path(__file__).parent / "replies.txt"
TEXTS = 1_000_000
# What people write: no quoting, no fences, no invisible characters, no abstention.
VERDICT = re.compile(r"^\W*verdict\W*[:=]\W*(\d+)\b", re.I | re.M)


def read(text):
    found = VERDICT.findall(text)
    if not found:
        return None
    score = int(found[-1])
    return score if 1 <= score <= 5 else None


def main():
    replies = REPLIES.read_text(encoding="utf-8").split("===\n")
    name, seconds, texts, size, total = subprocess.run(
        [sys.argv[1], REPLIES], check=True, capture_output=True, text=True).stdout.split()
    start = time.perf_counter()
    sum_read = sum(read(replies[i % len(replies)]) or 0 for i in range(TEXTS))
    taken = time.perf_counter() - start
    print(f"{int(texts):,} replies, {int(size) / int(texts):.0f} bytes each on average")
    print(f"ours    {float(seconds):.2f} s, scores sum to {total}")
    print(f"Python  {taken:.2f} s, scores sum to {sum_read} ({taken / float(seconds):.1f} times as long)")


if __name__ == "__main__":
    main()
