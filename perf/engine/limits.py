#!/usr/bin/env python3
"""Measures how the engine deals with limits, faults and outages, against the ideal.

    cmake --preset release
    cmake --build --preset release --target personascope personascope_loopback
    perf/engine/limits.py [--long] [--only WORD] [--binaries FOLDER]

A loopback server with limits answers `personascope batch`, one run each. Prints a table in Markdown with
the ratio to the ideal time, and how many requests were refused and how many calls failed; ends with 1 if
a target is missed. --long adds the outage of ten minutes.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = "Which season do you like best, and why? Think of the weather, the food and the feasts. "


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A loopback server on a port of its own, which can be stopped and started again."""

    def __init__(self, binaries, *flags):
        self.command = [binaries / "personascope_loopback", "--port", str(free_port()), *map(str, flags)]
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stats(self):
        with urllib.request.urlopen(f"{self.url}/stats", timeout=5) as reply:
            return json.load(reply)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Bench:
    def __init__(self, binaries, folder):
        self.binaries = binaries
        self.folder = folder
        self.missed = False
        print("| | ideal | measured | ratio | target | refused | failed | |\n|---|---|---|---|---|---|---|---|")

    def requests(self, calls, longest=1):
        path = self.folder / f"requests-{calls}-{longest}.jsonl"
        sizes = random.Random(1)
        with open(path, "w", encoding="utf-8") as file:
            for index in range(calls):
                text = f"Question {index}. " + WORDS * sizes.randint(1, longest)
                file.write(json.dumps({"id": f"call-{index:06}", "max_tokens": 64, "temperature": 0,
                                       "messages": [{"role": "user", "content": text}]}) + "\n")
        return path

    def start(self, requests, url, *flags):
        for path in self.folder.glob("store.db*"):
            path.unlink()
        command = [self.binaries / "personascope", "batch", requests, "--model", "openai-api/loopback/gpt-4o",
                   "--base-url", f"{url}/v1", "--store", self.folder / "store.db", "-o",
                   self.folder / "answers.jsonl", "--json", *flags]
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, cwd=ROOT)

    def run(self, server, calls, *flags, longest=1):
        process = self.start(self.requests(calls, longest), server.url, *flags)
        out, err = process.communicate()
        summary = json.loads(out)
        return summary["session"], summary["session"]["outcomes"], server.stats(), err

    def row(self, name, ideal, seconds, most, stats, failed, most_refused=None):
        refused = stats["by_status"].get("429", 0)
        share = refused / max(1, stats["requests"])
        ratio = seconds / ideal if ideal else 0
        met = failed == 0 and (most is None or ratio <= most) and (
            most_refused is None or share <= most_refused)
        self.missed = self.missed or not met
        target = "" if most is None else f"≤ {most}"
        if most_refused is not None:
            target += f", refused ≤ {100 * most_refused:g} %"
        print(f"| {name} | {ideal:.2f} s | {seconds:.2f} s | {ratio:.2f} | {target} | {refused} of "
              f"{stats['requests']} ({100 * share:.2f} %) | {failed} | {'met' if met else '**missed**'} |", flush=True)

    def concurrency(self, latency_ms, most, faults):
        flags = ["--latency-ms", latency_ms, "--concurrency-limit", 50, "--retry-after", 1]
        if faults:
            flags += ["--fail-share", 0.1, "--cut-share", 0.05]
        for ceiling in ((), ("--max-connections", "200")):
            with Server(self.binaries, *flags) as server:
                session, outcomes, stats, _ = self.run(server, 5000, *ceiling)
            name = f"50 at once, {latency_ms} ms{', 10 % of 500s, 5 % cut' if faults else ''}, {' '.join(ceiling) or 'no flag'}"
            self.row(name, 5000 * latency_ms / 1000 / 50, session["elapsed_s"], most, stats, outcomes["failed"], 0.01)

    def rate(self, per_second, latency_ms, seconds=20):
        calls = per_second * seconds
        for wait in ((), ("--retry-after", "1")):
            with Server(self.binaries, "--latency-ms", latency_ms, "--rate-limit", per_second, *wait) as server:
                session, outcomes, stats, _ = self.run(server, calls)
            name = f"{per_second} calls a second, {latency_ms} ms{', whole seconds in Retry-After' if wait else ''}"
            self.row(name, (calls - per_second) / per_second, session["elapsed_s"], 1.1, stats, outcomes["failed"])

    def tokens(self, per_minute, latency_ms, burst):
        with Server(self.binaries, "--latency-ms", latency_ms, "--tokens-per-minute", per_minute, "--burst", burst,
                    "--retry-after", 1) as server:
            session, outcomes, stats, _ = self.run(server, 3000, longest=20)
        ideal = stats["tokens"] / (per_minute / 60) - burst
        self.row(f"{per_minute:,} tokens a minute, {burst} s of them at once, {latency_ms} ms", ideal,
                 session["elapsed_s"], 1.1, stats, outcomes["failed"])

    def rpm(self, per_second):
        calls = per_second * 15
        with Server(self.binaries, "--latency-ms", 20, "--rate-limit", per_second) as server:
            session, outcomes, stats, _ = self.run(server, calls, "--rpm", str(round(per_second * 60 * 0.9)))
        self.row(f"{per_second} calls a second, --rpm at 90 % of it", calls / (0.9 * per_second), session["elapsed_s"],
                 None, stats, outcomes["failed"], 0)

    def fixed(self):
        with Server(self.binaries, "--latency-ms", 20, "--concurrency-limit", 50, "--retry-after", 1) as server:
            session, outcomes, stats, _ = self.run(server, 5000, "--fixed-connections", "200")
        self.row("50 at once, 20 ms, --fixed-connections 200", 2, session["elapsed_s"], None, stats, outcomes["failed"])

    def outage(self, seconds, kind):
        """A run of 50 at once that meets an outage after three seconds: the time to the full rate after it."""
        flags = ["--latency-ms", 200, "--concurrency-limit", 50, "--retry-after", 1]
        if kind == "503":
            flags += ["--outage", f"3:{seconds}"]
        calls = 4000
        with Server(self.binaries, *flags) as server:
            process = self.start(self.requests(calls), server.url)
            output = {}
            reader = threading.Thread(target=lambda: output.update(zip(("out", "err"), process.communicate())))
            reader.start()
            time.sleep(3)
            rate = 230  # calls a second: 50 at once at 200 ms allow 250
            if kind == "connection refused":
                server.stop()
                time.sleep(seconds)
                server.start()
                ended = time.monotonic()
            else:
                while server.stats()["requests"] == 0:
                    time.sleep(0.05)
                time.sleep(seconds - 1)
                while server.stats()["by_status"].get("503", 0) == 0:
                    time.sleep(0.01)
                ended = None
            recovered = self.wait_for_rate(server, rate, kind, ended, seconds)
            reader.join()
            stats = server.stats()
        summary = json.loads(output["out"])
        failed = summary["session"]["outcomes"]["failed"]
        met = failed == 0 and recovered <= 3 and summary["session"]["outcomes"]["ok"] == calls
        self.missed = self.missed or not met
        said = "paused" in output["err"]
        print(f"| outage of {seconds} s, {kind} | | full rate {recovered:.2f} s after its end | | ≤ 3 s | "
              f"{stats['by_status'].get('429', 0)} | {failed} | {'met' if met else '**missed**'}"
              f"{'' if said or seconds < 10 else ', **not said**'} |", flush=True)

    @staticmethod
    def wait_for_rate(server, rate, kind, ended, seconds):
        """Seconds from the outage's end to the first half second at nine tenths of the rate."""
        if ended is None:  # the server says no more of it than the first answer after it
            base = server.stats()["by_status"].get("200", 0)
            deadline = time.monotonic() + seconds + 30
            while server.stats()["by_status"].get("200", 0) == base and time.monotonic() < deadline:
                time.sleep(0.02)
            ended = time.monotonic() - 2.2  # a probe every two seconds, answered after 200 ms
        samples = []
        while time.monotonic() < ended + 60:
            samples.append((time.monotonic(), server.stats()["by_status"].get("200", 0)))
            old = [sample for sample in samples if sample[0] <= samples[-1][0] - 0.5]
            if old and (samples[-1][1] - old[-1][1]) / (samples[-1][0] - old[-1][0]) >= 0.9 * rate:
                return old[-1][0] - ended
            time.sleep(0.02)
        return 60

    def dead_server(self):
        started = time.monotonic()
        process = self.start(self.requests(5000), f"http://127.0.0.1:{free_port()}")
        _, err = process.communicate()
        seconds = time.monotonic() - started
        met = process.returncode == 1 and seconds < 3 and "no connection to" in err
        self.missed = self.missed or not met
        sentence = next((line for line in err.splitlines() if "no connection" in line), err[:100])
        print(f"| nobody listens: stops in {seconds:.2f} s: {sentence} | | | | ≤ 3 s | | | {'met' if met else '**missed**'} |",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--long", action="store_true", help="also an outage of ten minutes")
    parser.add_argument("--only", default="", help="only the groups whose name has this word in it")
    arguments = parser.parse_args()
    groups = {
        "concurrency": lambda bench: [bench.concurrency(ms, most, faults) for faults in (False, True)
                                      for ms, most in ((20, 1.3), (200, 1.15))],
        "rate": lambda bench: [bench.rate(rate, ms) for rate in (100, 500) for ms in (20, 500)],
        "tokens": lambda bench: [bench.tokens(2_000_000, ms, burst) for ms, burst in ((20, 1), (500, 6))],
        "rpm": lambda bench: [bench.rpm(rate) for rate in (100, 500)],
        "fixed": lambda bench: [bench.fixed()],
        "dead": lambda bench: [bench.dead_server()],
        "outage": lambda bench: [bench.outage(20, kind) for kind in ("connection refused", "503")],
        "long-outage": lambda bench: [bench.outage(600, "connection refused")] if arguments.long else [],
    }
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        print(f"load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        bench = Bench(arguments.binaries.resolve(), pathlib.Path(folder))
        for name, measure in groups.items():
            if arguments.only in name:
                measure(bench)
        print(f"load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
