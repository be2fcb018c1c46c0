#!/usr/bin/env python3
"""Measures what each format of the embedded weights loses, and how fast it is.

    scripts/setup-model
    cmake --preset release && cmake --build --preset release --target personascope perf_dialogues
    perf/embedded/formats.py [--cores 2] [--small] [--rounds 1]

Every format is made from the same published file (Q4_1). Loss is the mean negative log-likelihood in
nats per token: of questions of the gym without a system prompt, and of the answers of examples/lift-*
under the persona that gave them; answers under two other personas are read as well. The difference of readings is that of the nats per token of the same
text, against BF16. Speeds are seconds of CPU, measured in turn, round after round; requests are computed
one at a time for the readings, so that only the weights differ, and together for the speeds.
Prints a table in Markdown.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import work

ROOT = pathlib.Path(__file__).resolve().parents[2]
LLAMA = sorted((ROOT / ".cache").glob("llama-*/lib"))[-1:]
ORIGINAL = ROOT / ".cache/models/smollm2-135m-q4_1.gguf"
FORMATS = ("bf16", "f16", "q8_0", "q4_1", "q4_0")
BASELINE = "bf16"


def make_files(folder):
    """One file of weights for each format."""
    program = folder / "requantize"
    subprocess.run(["g++", "-std=c++20", "-O1", ROOT / "tools/requantize.cpp", "-I",
                    LLAMA[0].parent / "include", "-L", LLAMA[0], "-lllama", "-lggml", "-lggml-base",
                    f"-Wl,-rpath,{LLAMA[0]}", "-o", program], check=True)
    files = {}
    for name in FORMATS:
        files[name] = ORIGINAL if name == "q4_1" else folder / f"{name}.gguf"
        if name != "q4_1":
            subprocess.run([program, LLAMA[0] / "libggml-cpu-baseline.so", name, ORIGINAL, files[name]],
                           check=True)
    return files


def read_lines(path):
    return [json.loads(line) for line in (ROOT / path).read_text(encoding="utf-8").splitlines()]


def make_readings(count):
    """Requests whose continuation is read: questions without a persona, and each answer of the
    examples under every persona."""
    questions = read_lines("data/gym/questions.jsonl")
    step = max(1, len(questions) // count)
    lines = [{"id": f"neutral/{line['id']}", "continuation": line["question"],
              "messages": [{"role": "user", "content": "Describe a situation and ask about it."}]}
             for line in questions[::step][:count]]
    personas = read_lines("examples/lift-personas.jsonl")
    answers = read_lines("examples/lift-answers.jsonl")
    asked = {answer["id"]: answer["question"] for answer in answers}
    answers += [{"id": f"control-{line['id']}", "question": asked[line["id"]], "answer": line["answer"]}
                for line in read_lines("examples/lift-control.jsonl")]
    for place, answer in enumerate(answers):
        others = [persona for persona in personas if persona["id"] != answer.get("persona")]
        own = [persona for persona in personas if persona["id"] == answer.get("persona")]
        for persona in own + [others[(place + step) % len(others)] for step in range(2)]:
            kind = "own" if persona in own else "other"
            lines.append({"id": f"{kind}/{answer['id']}/{persona['id']}", "continuation": answer["answer"],
                          "messages": [{"role": "system", "content": persona["persona"]},
                                       {"role": "user", "content": answer["question"]}]})
    return lines


class Bench:
    def __init__(self, binaries, folder):
        self.binaries = binaries
        self.folder = folder

    def run(self, command):
        """Standard output and the seconds of CPU."""
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: ended with {process.returncode}")
        return output, usage.ru_utime + usage.ru_stime

    def write(self, lines):
        path = self.folder / "lines.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    def readings(self, lines, weights, parallel):
        """Nats per token by id, and the seconds of CPU."""
        output, seconds = self.run([
            self.binaries / "personascope", "batch", self.write(lines), "--model", f"embedded/{weights}",
            "--embedded-parallel", parallel, "--fresh", "--quiet", "--store", self.folder / "store.db"])
        found = {}
        for line in map(json.loads, output.splitlines()):
            logprobs = [token["logprob"] for token in line["logprobs"]]
            found[line["id"]] = -sum(logprobs) / len(logprobs)
        return found, seconds

    def dialogues(self, lines, weights):
        output, _ = self.run([self.binaries / "perf_dialogues", f"embedded/{weights}", self.write(lines)])
        return json.loads(output)["cpu_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="a few of each, to try it out")
    arguments = parser.parse_args()
    if not LLAMA or not ORIGINAL.exists():
        sys.exit("no llama.cpp and weights: run scripts/setup-model")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.cores])
    lines = make_readings(8 if arguments.small else 40)
    if arguments.small:
        lines = lines[:24]
    judgements = work.make_judgements(8 if arguments.small else 16, choices=work.LABELS)
    for line in judgements:
        del line["max_tokens"]
    dialogues = work.make_dialogues(*((2, 2) if arguments.small else (6, 2)))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["PERSONASCOPE_HOME"] = name
        bench = Bench(arguments.binaries, folder)
        files = make_files(folder)
        read = {}
        for format_name, weights in files.items():
            read[format_name], _ = bench.readings(lines, weights, 1)
            print(f"{format_name}: {len(read[format_name])} readings", file=sys.stderr)
        seconds = {key: [] for key in files}
        for number in range(arguments.rounds):
            for format_name, weights in files.items():
                seconds[format_name].append((bench.readings(lines, weights, 32)[1],
                                             bench.dialogues(judgements, weights),
                                             bench.dialogues(dialogues, weights)))
                print(f"round {number + 1}, {format_name}: {seconds[format_name][-1]}", file=sys.stderr)
        sizes = {key: path.stat().st_size / 1e6 for key, path in files.items()}

    def loss(values, kind):
        return statistics.mean(value for key, value in values.items() if key.startswith(kind + "/"))

    def ratio(format_name, place):
        return statistics.median(mine[place] / base[place] for mine, base in
                                 zip(seconds[format_name], seconds["q4_0"], strict=True))

    print(f"{arguments.cores} cores; {len(lines)} readings; load {os.getloadavg()[0]:.1f}.\n")
    print("| format | MB | loss, no persona | loss, own persona | difference of readings, mean | at most "
          "| readings ÷ Q4_0 | judgements ÷ Q4_0 | dialogues ÷ Q4_0 |\n|---|---|---|---|---|---|---|---|---|")
    for format_name in files:
        values = read[format_name]
        gaps = [abs(values[key] - read[BASELINE][key]) for key in values]
        print(f"| {format_name.upper()} | {sizes[format_name]:.0f} | {loss(values, 'neutral'):.3f} "
              f"| {loss(values, 'own'):.3f} | {statistics.mean(gaps):.4f} | {max(gaps):.3f} "
              f"| {ratio(format_name, 0):.2f} | {ratio(format_name, 1):.2f} | {ratio(format_name, 2):.2f} |")


if __name__ == "__main__":
    main()
