#!/usr/bin/env python3
"""Measures the lens: gathering, loading, dialogues against a server that answers after 200 ms, the embedded chain."""

import argparse
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measuring import BIN, ROOT, Loopback, timed  # noqa: E402

DOMAINS = ["Alarm", "Books", "Buses", "Calendar", "Events", "Finance", "Flights", "Games", "Hotels", "Media", "Messaging",
           "Movies", "Music", "Rental Cars", "Restaurants", "Services", "Shopping", "Sports", "Train", "Travel"]


def make_tree(folder, users, files):
    generator = random.Random(0)
    words = "the assistant offered a table by the window and asked about nothing that it knew already".split()
    for user in range(users):
        place = folder / f"evaluation/user{user}/a/personalization/j"
        place.mkdir(parents=True)
        for number in range(files):
            text = " ".join(generator.choices(words, k=90))
            task = f"SD-{DOMAINS[number % 20]}-task-{number // 20 + 1}"
            (place / f"{task}.txt").write_text(f"Justification: {text}\nPersonalization Score: {generator.randint(1, 4)}")


def measure_gather(folder, users, files, rounds):
    make_tree(folder, users, files)
    times = {"plain": [], "ours": [], "read": []}
    memory = 0
    for _ in range(rounds):
        plain = timed([sys.executable, ROOT / "perf/lens/plain_gather.py", folder / "evaluation", "a", "personalization",
                       "j"])
        read = timed([BIN / "perf_lens_files", "read", folder / "evaluation"])
        ours = timed([BIN / "personascope", "lens", "gather", folder, "--json"])
        count, mean = plain["out"].split()
        found = json.loads(ours["out"])["reference"]
        assert (found["count"], found["mean"]) == (int(count), float(mean)), "not the same numbers"
        memory = max(memory, ours["mb"])
        for name, value in (("plain", plain), ("ours", ours), ("read", read)):
            times[name].append(value["wall"])
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"gather {users * files} files: {median['ours']:.2f} s and {memory:.0f} MB; plain Python {median['plain']:.2f} s, "
          f"{median['plain'] / median['ours']:.1f} times; only reading them, two threads, {median['read']:.2f} s, "
          f"{median['ours'] / median['read']:.1f} times that")


def measure_load(folder, rounds):
    drawn = timed([BIN / "personascope", "lens", "profiles", "-o", folder])
    size = sum(path.stat().st_size for path in folder.rglob("*.json"))
    print(f"draw and write 1,500 users, {size / 1e6:.0f} MB: {drawn['wall']:.2f} s, {drawn['mb']:.0f} MB")
    times = [timed([BIN / "perf_lens_files", "load", folder])["wall"] for _ in range(rounds)]
    print(f"load them: {statistics.median(times):.2f} s")


def measure_generate(folder, dialogues, turns, latency, in_flight):
    with Loopback(latency) as server:
        env = {"PATH": os.environ["PATH"], "PERSONASCOPE_HOME": str(folder / "home"), "OPENAI_API_KEY": "k",
               "OPENAI_BASE_URL": f"{server.url}/v1"}
        run = timed([
            BIN / "personascope", "lens", "generate", "--users", "0-99", "--limit", dialogues, "--max-turns", turns,
            "--model", "openai/gpt-4o", "--user-model", "openai/gpt-4o", "--fixed-connections", in_flight,
            "--output", folder / "out", "--json", "--quiet"], env)
    ideal = turns * 2 * latency / 1000 * dialogues / in_flight
    report = json.loads(run["out"])
    print(f"generate {dialogues} dialogues of {turns} turns at {latency} ms, {in_flight} in flight: {run['wall']:.2f} s, "
          f"ideal {ideal:.2f} s, {ideal / run['wall']:.2f} of it, {run['mb']:.0f} MB, {report['dialogues']}")


def measure_embedded(folder):
    """The whole chain without a server: four dialogues, and every dimension of each."""
    env = {"PATH": os.environ["PATH"], "PERSONASCOPE_HOME": str(folder / "home")}
    busy = os.getloadavg()[0]
    run = timed([
        BIN / "personascope", "lens", "run", "--limit", 4, "--max-turns", 4, "--max-output-tokens", 96, "--model",
        "embedded/smollm2-135m", "--dimension", "all", "--json", "--quiet"], env)
    report = json.loads(run["out"])
    scored = sum(dimension["outcomes"]["scored"] for dimension in report["dimensions"].values())
    print(f"4 dialogues on the embedded model, 4 turns of 96 tokens, judged in {len(report['dimensions'])} dimensions: "
          f"{run['wall']:.0f} s, {run['cpu']:.0f} s of processor time, {run['mb']:.0f} MB, {scored} verdicts, "
          f"{report['dialogues']}; load before it {busy:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=1500)
    parser.add_argument("--only", choices=["gather", "load", "generate", "embedded"])
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if wanted.only in (None, "gather"):
            measure_gather(folder / "tree", wanted.users, 65, wanted.rounds)
        if wanted.only in (None, "load"):
            measure_load(folder / "data", wanted.rounds)
        if wanted.only in (None, "generate"):
            measure_generate(folder, 1000, 6, 200, 256)
        if wanted.only in (None, "embedded"):
            measure_embedded(folder)


main()
