#!/usr/bin/env python3
"""Measures the embedded model beside llama-server and the rates of llama-batched-bench.

    scripts/setup-model --tools
    cmake --preset release && cmake --build --preset release --target perf_dialogues
    perf/embedded/run.py [--small] [--rounds 1] [--cores 2] [--cpu]

One program, perf_dialogues, asks both sides the same, one after the other: compare the ratios, not
the seconds of two machines. On a busy machine `--cores 1 --cpu` compares seconds of CPU instead.
Prints a table in Markdown; ends with 1 if a target is missed.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import work

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = sorted((ROOT / ".cache").glob("llama-*/build-tools/bin"))[-1:]
ORIGINAL = ROOT / ".cache/models/smollm2-135m-q4_1.gguf"
FAST = ROOT / ".cache/models/smollm2-135m.gguf"
# How many answers llama-batched-bench computes together: all dialogues; the 50 questions in two even
# waves, since no more than 32 have room at once.
AT_ONCE = {"dialogues": 16, "interviews": 25}
CONTEXT_A_SLOT = 1536


class LlamaServer:
    """llama-server on one file of weights; `url` and `pid` while it runs."""

    def __init__(self, folder, weights, slots, cores):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        self.root = f"http://127.0.0.1:{port}"
        self.url = self.root + "/v1"
        started = time.monotonic()
        with open(folder / "llama-server.log", "ab") as log:
            self.process = subprocess.Popen(
                [TOOLS[0] / "llama-server", "-m", weights, "--host", "127.0.0.1", "--port",
                 str(port), "--no-webui", "-np", str(slots), "-c", str(slots * CONTEXT_A_SLOT),
                 "-t", str(cores), "-fa", "on"],
                stdout=log, stderr=log)
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > started + 120:
                sys.exit(f"llama-server did not start: see {folder}/llama-server.log")
            time.sleep(0.005)
        self.load_s = time.monotonic() - started

    def is_ready(self):
        try:
            return self.fetch("/health")["status"] == "ok"
        except (urllib.error.URLError, ConnectionError):
            return False

    def fetch(self, path, body=None):
        request = urllib.request.Request(
            self.root + path, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as reply:
            return json.load(reply)

    def tokens(self, messages):
        prompt = self.fetch("/apply-template", {"messages": messages})["prompt"]
        return self.fetch("/tokenize", {"content": prompt, "parse_special": True})["tokens"]

    def peak_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Bench:
    def __init__(self, binaries, folder, cores):
        self.driver = binaries / "perf_dialogues"
        self.folder = folder
        self.cores = cores

    def write(self, lines):
        path = self.folder / "dialogues.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    def drive(self, lines, model, *server):
        """The driver's report, with the sums of its tokens and its own peak of memory."""
        command = [self.driver, model, self.write(lines), *map(str, server)]
        started = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: ended with {process.returncode}")
        report = json.loads(output)
        turns = [turn for dialogue in report["dialogues"] for turn in dialogue]
        for name in ("input", "cached", "output"):
            report[name] = sum(turn[name] for turn in turns)
        report["turns"] = len(turns)
        report["whole"] = sum(turn["output"] >= work.ANSWER_TOKENS for turn in turns)
        report["rss"] = usage.ru_maxrss * 1024 / 1e6
        report["process"] = time.monotonic() - started
        return report

    def ours(self, lines, weights):
        report = self.drive(lines, f"embedded/{weights}")
        report["load"] = report["first_answer_seconds"]
        return report

    @contextlib.contextmanager
    def server(self, weights, slots):
        server = LlamaServer(self.folder, weights, slots, self.cores)
        try:
            yield server
        finally:
            server.stop()

    def theirs(self, lines, weights, slots):
        with self.server(weights, slots) as server:
            report = self.drive(lines, "llama-server/default", server.url, server.process.pid)
            report["load"] = server.load_s + report["first_answer_seconds"]
            report["rss"] = server.peak_mb()
            return report

    def rates(self, weights, report, at_once):
        """Tokens a second of prompts, and how long the answers of the report take at the rates of
        their turns: each begins as deep as that turn's on average."""
        turns = list(zip(*report["dialogues"]))
        depths = [max(32, sum(answer["input"] for answer in turn) // len(turn)) for turn in turns]
        cells = at_once * (-(-(depths[-1] + work.ANSWER_TOKENS) // 256) * 256)
        started_cpu = os.times()
        output = subprocess.run(
            [TOOLS[0] / "llama-batched-bench", "-m", weights, "-c", str(cells), "-b", "512", "-ub",
             "512", "-npp", ",".join(map(str, depths)), "-ntg", str(work.ANSWER_TOKENS),
             "-npl", str(at_once), "-fa", "on", "-t", str(self.cores), "--output-format", "jsonl"],
            capture_output=True, text=True, check=True).stdout
        ended_cpu = os.times()
        rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        cpu = (ended_cpu.children_user + ended_cpu.children_system
               - started_cpu.children_user - started_cpu.children_system)
        answers = sum(sum(answer["output"] for answer in turn) / row["speed_tg"]
                      for turn, row in zip(turns, rows, strict=True))
        return {"prompt": max(row["speed_pp"] for row in rows), "answers_seconds": answers,
                "answer": report["output"] / answers, "busy": cpu / sum(row["t"] for row in rows)}

    def needed_prompt(self, server, lines, report):
        """The tokens of all prompts that must be computed: beginnings in common once, and what was
        generated not again."""
        beginnings = set()
        generated = 0
        for line, answers in zip(lines, report["dialogues"], strict=True):
            messages = list(line["messages"])
            for user, answer in zip(line["users"], answers, strict=True):
                messages += [{"role": "user", "content": user},
                             {"role": "assistant", "content": answer["text"]}]
            generated += sum(answer["output"] for answer in answers[:-1])
            path = 0
            for token in server.tokens(messages[:-1]):
                path = hash((path, token))
                beginnings.add(path)
        return len(beginnings) - generated


def measure(bench, sizes, rounds):
    """A list of samples for every name; what is compared runs one after the other."""
    samples = {}

    def note(name, sample):
        samples.setdefault(name, []).append(sample)
        shown = {key: value for key, value in sample.items() if not isinstance(value, list)}
        print(f"{name}: " + ", ".join(f"{key} {value:.3g}" for key, value in shown.items()),
              file=sys.stderr)
        return sample

    by_schema = work.make_judgements(sizes["judgements"], response_format=work.SCORE)
    by_choice = work.make_judgements(sizes["judgements"], choices=work.LABELS)
    for line in by_choice:
        del line["max_tokens"]
    sets = {"dialogues": work.make_dialogues(sizes["dialogues"], sizes["turns"]),
            "interviews": work.make_interviews(5, sizes["questions"])}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
        note("judge theirs", bench.theirs(by_schema, ORIGINAL, 8))
        note("judge ours", bench.ours(by_schema, ORIGINAL))
        note("judge fast", bench.ours(by_choice, FAST))
        for name, lines in sets.items():
            ours = note(f"{name} ours", bench.ours(lines, FAST))
            note(f"{name} rates", bench.rates(FAST, ours, AT_ONCE[name]))
            for slots in (8, 16):
                note(f"{name} theirs {slots}", bench.theirs(lines, FAST, slots))
            with bench.server(FAST, 1) as server:
                note(f"{name} needed", {"prompt": bench.needed_prompt(server, lines, ours)})
    return samples


class Report:
    def __init__(self, samples, clock):
        self.samples = samples
        self.clock = clock
        self.missed = 0
        print("| | measured | target | |\n|---|---|---|---|")

    def median(self, name, key):
        return statistics.median(sample[key] for sample in self.samples[name])

    def ratio(self, name, other):
        """How many times faster `name` is than `other`: the median over the rounds."""
        pairs = zip(self.samples[name], self.samples[other], strict=True)
        return statistics.median(theirs[self.clock] / ours[self.clock] for ours, theirs in pairs)

    def of_bound(self, name):
        """The least time that the rates allow, in shares of the time taken."""
        shares = []
        for ours, rates, needed in zip(self.samples[f"{name} ours"], self.samples[f"{name} rates"],
                                       self.samples[f"{name} needed"], strict=True):
            least = needed["prompt"] / rates["prompt"] + rates["answers_seconds"]
            if self.clock == "cpu_seconds":
                least *= rates["busy"]
            shares.append(least / ours[self.clock])
        return statistics.median(shares)

    def rate(self, name):
        return statistics.median(sample["output"] / sample[self.clock]
                                 for sample in self.samples[name])

    def row(self, label, value, unit="", least=None):
        verdict = ""
        if least is not None:
            verdict = "met" if value >= least else "**missed**"
            self.missed += value < least
        target = "" if least is None else f"≥ {least:g}{unit}"
        print(f"| {label} | {render(value)}{unit} | {target} | {verdict} |")


def render(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value < 10 else f"{value:.1f}"


def report_judgements(report, count):
    what = f"{count} judgements"
    theirs, ours, fast = "judge theirs", "judge ours", "judge fast"
    report.row(f"{what}: tokens a prompt", report.median(theirs, "input") / count)
    report.row(f"{what}: llama-server, Q4_1, JSON schema", report.median(theirs, report.clock), " s")
    report.row(f"{what}: embedded, Q4_1, JSON schema", report.median(ours, report.clock), " s")
    report.row(f"{what}: embedded, Q8_0, expected scores", report.median(fast, report.clock), " s")
    report.row(f"{what}: embedded, same weights: times as fast", report.ratio(ours, theirs), "", 1.5)
    report.row(f"{what}: embedded, fast weights and expected scores: times as fast",
               report.ratio(fast, theirs), "", 4)


def report_answers(report, name, what):
    ours, rates = f"{name} ours", f"{name} rates"
    first = report.samples[ours][0]
    report.row(f"{what}: answers with all {work.ANSWER_TOKENS} tokens",
               100 * first["whole"] / first["turns"], " %")
    report.row(f"{what}: embedded", report.median(ours, report.clock), " s")
    report.row(f"{what}: embedded, answer tokens a second", report.rate(ours))
    for slots in (8, 16):
        theirs = f"{name} theirs {slots}"
        report.row(f"{what}: llama-server with {slots} slots, answer tokens a second",
                   report.rate(theirs))
    best = max((8, 16), key=lambda slots: report.rate(f"{name} theirs {slots}"))
    report.row(f"{what}: embedded ÷ llama-server's best, answer tokens a second",
               report.rate(ours) / report.rate(f"{name} theirs {best}"))
    report.row(f"{what}: prompt tokens computed ÷ needed",
               (first["input"] - first["cached"]) / report.median(f"{name} needed", "prompt"))
    report.row(f"{what}: llama-batched-bench, prompt tokens a second", report.median(rates, "prompt"))
    report.row(f"{what}: llama-batched-bench, answer tokens a second", report.median(rates, "answer"))
    report.row(f"{what}: embedded, of the bound", report.of_bound(name), "", 0.85)


def report_delays(report):
    ours, theirs = "interviews ours", "interviews theirs 16"
    for who, name in (("embedded", ours), ("llama-server", theirs)):
        report.row(f"{who}: start to the first answer of one token",
                   1000 * report.median(name, "load"), " ms")
        report.row(f"{who}: first token after a prompt of 500 tokens",
                   1000 * report.median(name, "first_token_seconds"), " ms")
        report.row(f"{who}: peak memory", report.median(name, "rss"), " MB")


def describe_machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), platform.machine())
    return f"{cpu}, Linux {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="a few of each, to try it out")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--cpu", action="store_true", help="compare seconds of CPU")
    arguments = parser.parse_args()
    if not TOOLS or not FAST.exists():
        sys.exit("no llama-server and weights: run scripts/setup-model --tools")
    if not (arguments.binaries / "perf_dialogues").exists():
        sys.exit(f"no {arguments.binaries}/perf_dialogues: build it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # stops the server too
    # The children inherit it, and take a thread a core.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.cores])
    sizes = {"judgements": 48, "dialogues": 16, "turns": 6, "questions": 50}
    if arguments.small:
        sizes = {"judgements": 8, "dialogues": 4, "turns": 2, "questions": 8}
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PERSONASCOPE_HOME"] = folder
        bench = Bench(arguments.binaries, pathlib.Path(folder), arguments.cores)
        samples = measure(bench, sizes, arguments.rounds)
    clock = "cpu_seconds" if arguments.cpu else "seconds"
    print(f"{arguments.cores} cores of {describe_machine()}; {arguments.rounds} rounds; "
          f"{'seconds of CPU; ' if arguments.cpu else ''}load {load_before:.1f} before, "
          f"{os.getloadavg()[0]:.1f} after.\n")
    report = Report(samples, clock)
    report_judgements(report, sizes["judgements"])
    report_answers(report, "dialogues", f"{sizes['dialogues']} dialogues of {sizes['turns']} turns")
    report_answers(report, "interviews", f"{sizes['questions']} questions for 5 personas")
    report_delays(report)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
