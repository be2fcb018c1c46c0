#!/usr/bin/env python3
"""Measures the lens: gathering, loading, dialogues against a server that answers after 200 ms, the embedded chain."""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build/release/bin"
DOMAINS = ["Alarm", "Books", "Buses", "Calendar", "Events", "Finance", "Flights", "Games", "Hotels", "Media", "Messaging",
           "Movies", "Music", "Rental Cars", "Restaurants", "Services", "Shopping", "Sports", "Train", "Travel"]


def timed(*words, **rest):
    """Seconds, peak memory in MB, and the output."""
    start = time.perf_counter()
    process = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, **rest)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words} ended with {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024, out.decode()


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
        plain, _, out = timed(sys.executable, ROOT / "perf/lens/plain_gather.py", folder / "evaluation", "a", "personalization", "j")
        read, _, _ = timed(BIN / "perf_lens_files", "read", folder / "evaluation")
        ours, peak, document = timed(BIN / "personascope", "lens", "gather", folder, "--json")
        count, mean = out.split()
        found = json.loads(document)["reference"]
        assert (found["count"], found["mean"]) == (int(count), float(mean)), "not the same numbers"
        memory = max(memory, peak)
        for name, value in (("plain", plain), ("ours", ours), ("read", read)):
            times[name].append(value)
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"gather {users * files} files: {median['ours']:.2f} s and {memory:.0f} MB; plain Python {median['plain']:.2f} s, "
          f"{median['plain'] / median['ours']:.1f} times; only reading them, two threads, {median['read']:.2f} s, "
          f"{median['ours'] / median['read']:.1f} times that")


def measure_load(folder, rounds):
    took, peak, _ = timed(BIN / "personascope", "lens", "profiles", "-o", folder)
    size = sum(path.stat().st_size for path in folder.rglob("*.json"))
    print(f"draw and write 1,500 users, {size / 1e6:.0f} MB: {took:.2f} s, {peak:.0f} MB")
    times = [timed(BIN / "perf_lens_files", "load", folder)[0] for _ in range(rounds)]
    print(f"load them: {statistics.median(times):.2f} s")


def measure_generate(folder, dialogues, turns, latency, in_flight):
    port_file = folder / "port"
    server = subprocess.Popen([BIN / "personascope_loopback", "--port-file", port_file, "--latency-ms", str(latency)],
                              stdout=subprocess.DEVNULL)
    try:
        while not port_file.exists() or not port_file.read_text().strip():
            time.sleep(0.05)
        url = f"http://127.0.0.1:{port_file.read_text().strip()}/v1"
        env = {"PATH": os.environ["PATH"], "PERSONASCOPE_HOME": str(folder / "home"), "VLLM_BASE_URL": url,
               "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url}
        took, peak, out = timed(
            BIN / "personascope", "lens", "generate", "--users", "0-99", "--limit", dialogues, "--max-turns", turns,
            "--model", "openai/gpt-4o", "--user-model", "openai/gpt-4o", "--max-connections", in_flight,
            "--output", folder / "out", "--json", "--quiet", env=env)
        ideal = turns * 2 * latency / 1000 * dialogues / in_flight
        report = json.loads(out)
        print(f"generate {dialogues} dialogues of {turns} turns at {latency} ms, {in_flight} in flight: {took:.2f} s, "
              f"ideal {ideal:.2f} s, {ideal / took:.2f} of it, {peak:.0f} MB, {report['dialogues']}")
    finally:
        server.terminate()
        server.wait()


def measure_embedded(folder):
    """The whole chain without a server: four dialogues, and every dimension of each."""
    env = {"PATH": os.environ["PATH"], "PERSONASCOPE_HOME": str(folder / "home")}
    busy = os.getloadavg()[0]
    before = os.times().children_user
    took, peak, out = timed(
        BIN / "personascope", "lens", "run", "--limit", 4, "--max-turns", 4, "--max-output-tokens", 96, "--model",
        "embedded/smollm2-135m", "--dimension", "all", "--json", "--quiet", env=env)
    report = json.loads(out)
    scored = sum(dimension["outcomes"]["scored"] for dimension in report["dimensions"].values())
    print(f"4 dialogues on the embedded model, 4 turns of 96 tokens, judged in {len(report['dimensions'])} dimensions: "
          f"{took:.0f} s, {os.times().children_user - before:.0f} s of processor time, {peak:.0f} MB, {scored} verdicts, {report['dialogues']}; load before it {busy:.1f}")


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
