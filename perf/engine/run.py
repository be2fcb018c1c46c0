#!/usr/bin/env python3
"""Measures the engine beside a bare client, the ideal and, if asked, Inspect AI.

    cmake --preset release
    cmake --build --preset release --target personascope personascope_loopback perf_bare_client
    perf/engine/run.py [--inspect] [--rounds 3]

Everything runs against one loopback server in this run, in turn, round after round: compare the
ratios, not the seconds of two machines. Prints a table in Markdown; ends with 1 if a target is missed.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
LATENCY_MS = 200
IN_FLIGHT = 1000
FEW, MANY = 20_000, 100_000
INSPECT_PACKAGES = ["inspect-ai==0.3.285", "openai"]
INSPECT_IN_FLIGHT = 256
INSPECT_CALLS = 2_000
START_UPS = 15
MODEL = "openai-api/loopback/gpt-4o"
PROMPT = ("Which season do you like best, and why? " +
          "Think of the weather, the food and the feasts, and of what you did as a child. " * 5)


def write_requests(path, calls):
    """About 600 bytes a line, no two alike."""
    with open(path, "w", encoding="utf-8") as file:
        for index in range(calls):
            file.write(json.dumps({
                "id": f"call-{index:06}",
                "messages": [{"role": "system", "content": "You are a careful respondent."},
                             {"role": "user", "content": f"Question {index}. {PROMPT}"}],
                "temperature": 0,
                "max_tokens": 64}) + "\n")


class Child:
    """A finished process: its output, and what it cost as the kernel counts it."""

    def __init__(self, command, **options):
        started = time.monotonic()
        with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                              cwd=ROOT, **options) as process:
            self.output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.wall_s = time.monotonic() - started
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.rss_mb = usage.ru_maxrss * 1024 / 1e6
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: ended with {process.returncode}\n{self.output}")


class Bench:
    def __init__(self, binaries, folder):
        self.binaries = binaries
        self.folder = folder
        self.url = ""

    @contextlib.contextmanager
    def server(self):
        with subprocess.Popen([self.binaries / "personascope_loopback", "--latency-ms",
                               str(LATENCY_MS)], stdout=subprocess.PIPE, text=True) as process:
            self.url = process.stdout.readline().strip()
            try:
                yield
            finally:
                process.terminate()

    def requests(self, calls):
        path = self.folder / f"requests-{calls}.jsonl"
        if not path.exists():
            write_requests(path, calls)
        return path

    def remove_store(self):
        for path in self.folder.glob("store.db*"):
            path.unlink()

    def bare(self, calls, in_flight):
        child = Child([self.binaries / "perf_bare_client", f"{self.url}/v1/chat/completions", calls,
                       in_flight, LATENCY_MS])
        return {"wall": json.loads(child.output)["wall_seconds"], "process": child.wall_s,
                "cpu_us": child.cpu_s * 1e6 / calls, "rss": child.rss_mb}

    def batch_command(self, requests, in_flight, url=None):
        return [self.binaries / "personascope", "batch", requests, "--model", MODEL, "--base-url",
                f"{url or self.url}/v1", "--fixed-connections", in_flight, "--store",
                self.folder / "store.db", "-o", self.folder / "answers.jsonl", "--json", "--quiet"]

    def engine(self, calls, in_flight):
        self.remove_store()
        child = Child(self.batch_command(self.requests(calls), in_flight))
        session = json.loads(child.output)["session"]
        if session["sent"] != calls or session["outcomes"]["ok"] != calls:
            sys.exit(f"not every call was answered: {session}")
        return {"wall": session["elapsed_s"], "process": child.wall_s,
                "cpu_us": child.cpu_s * 1e6 / calls, "rss": child.rss_mb}

    def replay(self, calls):
        """Of the calls that engine() has just stored."""
        child = Child(self.batch_command(self.requests(calls), IN_FLIGHT) + ["--replay"])
        session = json.loads(child.output)["session"]
        if session["sent"] != 0 or session["from_journal"] != calls:
            sys.exit(f"the replay sent something: {session}")
        return {"process": child.wall_s, "cpu_us": child.cpu_s * 1e6 / calls}

    def start_up(self):
        """Seconds from the spawn to the first byte of the first request, with a new store."""
        self.remove_store()
        requests = self.requests(1)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            command = [str(word) for word in self.batch_command(requests, IN_FLIGHT, url)]
            started = time.monotonic()
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1)
                    elapsed = time.monotonic() - started
                    process.kill()
        return elapsed

    def inspect(self):
        python = self.inspect_python()
        logs = self.folder / "inspect-logs"
        shutil.rmtree(logs, ignore_errors=True)
        child = Child([python, ROOT / "perf/engine/inspect_work.py", self.requests(INSPECT_CALLS),
                       f"{self.url}/v1", INSPECT_IN_FLIGHT, logs])
        result = json.loads(child.output.splitlines()[-1])
        if result["status"] != "success" or result["answered"] != INSPECT_CALLS:
            sys.exit(f"Inspect AI did not answer every sample: {result}")
        return {"wall": result["elapsed_s"], "process": child.wall_s,
                "cpu_us": child.cpu_s * 1e6 / INSPECT_CALLS, "rss": child.rss_mb}

    def inspect_python(self):
        folder = self.folder / "inspect-venv"
        python = folder / "bin/python"
        if not (folder / "ready").exists():
            print("installing Inspect AI from PyPI ...", file=sys.stderr)
            venv.create(folder, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", *INSPECT_PACKAGES],
                           check=True)
            (folder / "ready").touch()
        return python


def ideal_s(calls, in_flight):
    return calls * LATENCY_MS / 1000 / in_flight


def measure(bench, rounds, with_inspect):
    """A list of samples for every name; what is compared runs one after the other."""
    samples = {}

    def note(name, sample):
        samples.setdefault(name, []).append(sample)
        print(f"{name}: " + ", ".join(f"{key} {value:.3f}" for key, value in sample.items()),
              file=sys.stderr)

    for number in range(rounds):
        print(f"round {number + 1} of {rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        for calls in (MANY, FEW):
            note(f"bare {calls}", bench.bare(calls, IN_FLIGHT))
            note(f"engine {calls}", bench.engine(calls, IN_FLIGHT))
        note("replay", bench.replay(FEW))
        if with_inspect:
            note("engine beside inspect", bench.engine(INSPECT_CALLS, INSPECT_IN_FLIGHT))
            if number == 0:
                note("inspect", bench.inspect())
        for _ in range(START_UPS):
            samples.setdefault("start", []).append({"process": bench.start_up()})
    return samples


class Report:
    def __init__(self, samples):
        self.samples = samples
        self.missed = 0
        print("| | measured | target | |\n|---|---|---|---|")

    def median(self, name, key):
        return statistics.median(sample[key] for sample in self.samples[name])

    def ratio(self, name, key, other):
        """The median over the rounds of the ratio within a round."""
        pairs = zip(self.samples[name], self.samples[other], strict=True)
        return statistics.median(ours[key] / theirs[key] for ours, theirs in pairs)

    def row(self, label, value, unit, most=None):
        verdict = ""
        if most is not None:
            verdict = "met" if value <= most else "**missed**"
            self.missed += value > most
        target = "" if most is None else f"≤ {most:g}{unit}"
        print(f"| {label} | {render(value)}{unit} | {target} | {verdict} |")


def render(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value < 10 else f"{value:.1f}"


def report_calls(report, calls):
    ideal = ideal_s(calls, IN_FLIGHT)
    bare, engine = f"bare {calls}", f"engine {calls}"
    many = calls == MANY
    what = f"{calls:,} calls"
    report.row(f"{what}: ideal", ideal, " s")
    report.row(f"{what}: bare client", report.median(bare, "wall"), " s")
    report.row(f"{what}: engine", report.median(engine, "wall"), " s")
    report.row(f"{what}: engine, whole process", report.median(engine, "process"), " s")
    report.row(f"{what}: bare client ÷ ideal", report.median(bare, "wall") / ideal, "")
    report.row(f"{what}: engine ÷ ideal", report.median(engine, "wall") / ideal, "",
               1.08 if many else None)
    report.row(f"{what}: whole process ÷ ideal", report.median(engine, "process") / ideal, "")
    report.row(f"{what}: engine ÷ bare client", report.ratio(engine, "wall", bare), "",
               1.05 if many else None)
    report.row(f"{what}: CPU a call, bare client", report.median(bare, "cpu_us"), " µs")
    report.row(f"{what}: CPU a call, engine with journal", report.median(engine, "cpu_us"), " µs",
               200)
    report.row(f"{what}: peak memory, engine", report.median(engine, "rss"), " MB", 200)


def report_inspect(report):
    ideal = INSPECT_CALLS / ideal_s(INSPECT_CALLS, INSPECT_IN_FLIGHT)
    for who, name in (("Inspect AI 0.3.285", "inspect"), ("engine", "engine beside inspect")):
        rate = INSPECT_CALLS / report.median(name, "wall")
        what = f"{INSPECT_CALLS:,} calls, {INSPECT_IN_FLIGHT} in flight: {who}"
        report.row(f"{what}, calls a second", rate, "")
        report.row(f"{what}, of the ideal", 100 * rate / ideal, " %")
        report.row(f"{what}, CPU a call", report.median(name, "cpu_us"), " µs")
        report.row(f"{what}, peak memory", report.median(name, "rss"), " MB")


def describe_machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
             if line.startswith("model name")]
    return (f"{os.cpu_count()} × {names[0] if names else platform.machine()}, "
            f"Linux {platform.release().split('-')[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--inspect", action="store_true", help="measure Inspect AI too, from PyPI")
    arguments = parser.parse_args()
    folder = ROOT / "build/perf-engine"
    folder.mkdir(parents=True, exist_ok=True)

    bench = Bench(arguments.binaries, folder)
    load_before = os.getloadavg()[0]
    with bench.server():
        samples = measure(bench, arguments.rounds, arguments.inspect)
    print(f"{describe_machine()}; medians of {arguments.rounds} rounds; load {load_before:.1f} "
          f"before, {os.getloadavg()[0]:.1f} after.\n")
    report = Report(samples)
    for calls in (FEW, MANY):
        report_calls(report, calls)
    # To the per cent: two runs of the same work differ by that much.
    report.row(f"peak memory, {MANY:,} ÷ {FEW:,} calls, to the per cent",
               round(report.ratio(f"engine {MANY}", "rss", f"engine {FEW}"), 2), "", 1)
    report.row(f"replay of {FEW:,} calls, whole process", report.median("replay", "process"), " s", 1)
    report.row("start-up to the first request", 1000 * report.median("start", "process"), " ms", 50)
    if arguments.inspect:
        report_inspect(report)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
