#!/usr/bin/env python3
"""Measures the bench: leave-one-out with 33 attributes x 100 personas beside the ideal, matching
1,000 population expressions against 100,000 personas, and drawing 10,000 personas.

    cmake --preset release
    cmake --build --preset release --target personascope personascope_loopback perf_populations
    perf/bench/run.py [--rounds N]

Leave-one-out runs against one loopback server in this run. Prints a table in Markdown with medians;
ends with 1 if a target is missed.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measuring import BIN, ROOT, Loopback, Table, timed  # noqa: E402

PAIRS, ATTRIBUTES, LATENCY_S, IN_FLIGHT = 100, 33, 0.2, 256
CRITIQUE = {"chain_of_thought": "c", "personalization_critic": "p", "helpfulness_critic": "h", "conclusion": "e",
            "needs_revision": False}


def run_loo(folder, number):
    """Answers are made by the server to the schema, each another; critics are told what to say."""
    data = folder / "data"
    if not data.exists():
        shutil.copytree(ROOT / "data" / "bench", data / "bench")
        with open(data / "bench" / "prompts" / "critic.md", "a") as prompt:
            prompt.write(f"\n[[say {json.dumps(CRITIQUE)}]]\n")
    with Loopback(LATENCY_S * 1000) as server:
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PERSONASCOPE_HOME": str(folder / f"home{number}"),
               "PERSONASCOPE_DATA": str(data), "LOOPBACK_BASE_URL": server.url, "LOOPBACK_API_KEY": "k"}
        words = [BIN / "personascope", "bench", "loo", "-n", PAIRS, "--controls", "none", "--canaries", 0,
                 "--model", "openai-api/loopback/tested", "--judge", "openai-api/loopback/critic",
                 "--fixed-connections", IN_FLIGHT, "--json", "--quiet"]
        run = timed(words, env, folder)
    result = json.loads(run["out"])
    assert len(result["attributes"]) == ATTRIBUTES and result["score"]["mean"] == 1, result["outcomes"]
    run["calls"], run["engine"] = result["usage"]["calls"], result["session"]["elapsed_s"]
    # The same answer for the same user is judged once.
    assert 0.98 <= run["calls"] / (2 * PAIRS * (ATTRIBUTES + 2)) <= 1, run["calls"]
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    table = Table()
    row = table.row

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runs = [run_loo(folder, number) for number in range(rounds)]
        middle = sorted(runs, key=lambda run: run["engine"])[len(runs) // 2]
        # An answer and its verdict follow each other, whatever is in flight.
        ideal = max(middle["calls"] * LATENCY_S / IN_FLIGHT, 2 * LATENCY_S)
        label = f"loo, {middle['calls']:,} calls"
        row(f"{label}: ideal", f"{ideal:.2f} s")
        row(f"{label}: engine", f"{middle['engine']:.2f} s")
        row(f"{label}: ideal ÷ engine", f"{ideal / middle['engine']:.2f}", "0.95", ideal / middle["engine"] >= 0.95)
        row(f"{label}: whole process", f"{middle['wall']:.2f} s")
        row(f"{label}: CPU, memory", f"{middle['cpu']:.2f} s, {middle['mb']:.0f} MB")

        matched = [subprocess.run([BIN / "perf_populations", ROOT / "data/bench/personas.jsonl", "334", "1000"],
                                  check=True, capture_output=True, text=True).stdout.split() for _ in range(rounds)]
        took = statistics.median(float(words[3]) for words in matched)
        row(f"{int(matched[0][1]):,} expressions × {int(matched[0][0]):,} personas", f"{took:.2f} s", "1 s", took < 1)

        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PERSONASCOPE_HOME": str(folder / "home")}
        words = [BIN / "personascope", "bench", "personas", "--count", 10000, "--seed", 1, "-q", "-o"]
        drawn = [timed([*words, folder / f"{i}.jsonl"], env, folder)["wall"] for i in range(rounds)]
        took = statistics.median(drawn)
        row("10,000 personas drawn and written", f"{took:.2f} s", "2 s", took < 2)
    sys.exit(1 if table.missed else 0)


main()
