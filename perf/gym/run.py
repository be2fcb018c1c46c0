#!/usr/bin/env python3
"""Measures `gym run` on a benchmark of 200 personas x 50 questions beside the ideal, and beside one
call at a time with a new client for each, as the published program asks.

    cmake --preset release
    cmake --build --preset release --target personascope personascope_loopback
    perf/gym/run.py [--published] [--embedded]

Everything runs against one loopback server in this run. Prints a table in Markdown; ends with 1 if
a target is missed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measuring import BIN, ROOT, Loopback, Table, timed  # noqa: E402

PERSONAS, QUESTIONS, LATENCY_S, IN_FLIGHT = 200, 10, 0.2, 256
TASKS = ["Expected Action", "Toxicity", "Linguistic Habits", "Persona Consistency", "Action Justification"]
PUBLISHED_CALLS, PUBLISHED_LATENCY_MS = 100, 20
# The loopback server answers with it: as an answer it is as good as another, as a reply of a judge it
# has five grades.
REPLY = " ".join(f"({i}) Evaluation: It fits. Therefore, the final score is {i}" for i in range(1, 6))


def write_questions(folder):
    for person in range(PERSONAS):
        persona = f"A {20 + person % 60}-year-old weaver, number {person}, who keeps a diary and doubts it"
        questions = {
            task: [f"Question {i} of {task} for {person}: what do you do when the loom breaks? [[say {REPLY}]]"
                   for i in range(QUESTIONS)]
            for task in TASKS
        }
        (folder / f"{persona}.json").write_text(json.dumps(questions))


def run_gym(url, folder, questions):
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PERSONASCOPE_HOME": str(folder / "home"),
           "LOOPBACK_BASE_URL": url, "LOOPBACK_API_KEY": "k"}
    words = [BIN / "personascope", "gym", "run", "--questions", questions, "--protocol", "reference",
             "--model", "openai-api/loopback/gpt-tested", "--judge", "openai-api/loopback/gpt-judge",
             "--judge", "openai-api/loopback/llama-judge", "--fixed-connections", str(IN_FLIGHT),
             "-o", folder / "items.jsonl", "--json", "--quiet"]
    run = timed(words, env, folder)
    result = json.loads(run["out"])
    assert result["reference"]["PersonaScore"] == 3.0, result["reference"]["PersonaScore"]
    return {**run, "calls": result["usage"]["calls"], "engine": result["session"]["elapsed_s"]}


def run_published_way(url, folder):
    """One call after the other, each with a client of its own, by the published program's library."""
    place = folder / "venv"
    venv.create(place, with_pip=True)
    subprocess.run([place / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "openai"],
                   check=True)
    script = f"""
import time
from openai import OpenAI
started = time.monotonic()
for i in range({PUBLISHED_CALLS}):
    OpenAI(api_key="k", base_url={url + "/v1" if not url.endswith("/v1") else url!r}).chat.completions.create(
        model="gpt-tested", messages=[{{"role": "user", "content": f"Question {{i}}"}}], temperature=0.9)
print({PUBLISHED_CALLS} / (time.monotonic() - started))
"""
    done = subprocess.run([place / "bin" / "python", "-c", script], check=True, capture_output=True, text=True)
    return float(done.stdout)


def run_embedded(folder):
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PERSONASCOPE_HOME": str(folder / "home2")}
    words = [BIN / "personascope", "gym", "run", "--persona", "a high school physics teacher",
             "--persona", "a retired con artist who keeps bees in Naples", "--questions-per-task", "2",
             "--max-output-tokens", "96", "--quiet", "--json", "--fail-on-error", "20"]
    started = time.monotonic()
    done = subprocess.run(list(map(str, words)), env=env, cwd=ROOT, capture_output=True, text=True)
    wall = time.monotonic() - started
    if done.returncode:
        sys.exit(done.stderr)
    return wall, json.loads(done.stdout)["outcomes"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--published", action="store_true", help="beside the published program's way")
    parser.add_argument("--embedded", action="store_true", help="a small run on the embedded model too")
    arguments = parser.parse_args()
    table = Table()
    row = table.row
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "questions").mkdir()
        write_questions(folder / "questions")
        with Loopback(LATENCY_S * 1000) as server:
            ours = run_gym(server.url, folder, folder / "questions")
        answers = PERSONAS * len(TASKS) * QUESTIONS
        # Answers and grades have slots of their own: the answers are the longer queue, and behind the
        # last of them its examples and its grades still have to come.
        ideal = answers * LATENCY_S / IN_FLIGHT + 2 * LATENCY_S
        together = ours["calls"] * LATENCY_S / IN_FLIGHT
        row("calls", f"{ours['calls']:,}", "16,000", ours["calls"] == 16000)
        row("ideal, 256 in flight a role", f"{ideal:.2f} s")
        row("ideal, 256 in flight in all", f"{together:.2f} s")
        row("engine", f"{ours['engine']:.2f} s")
        row("whole process", f"{ours['wall']:.2f} s")
        row("ideal (a role) ÷ engine", f"{ideal / ours['engine']:.2f}", "≥ .95", ideal / ours["engine"] >= 0.95)
        row("ideal (in all) ÷ whole process", f"{together / ours['wall']:.2f}", "≥ .95",
            together / ours["wall"] >= 0.95)
        row("CPU a call", f"{ours['cpu'] / ours['calls'] * 1e6:.0f} µs")
        row("peak memory", f"{ours['mb']:.0f} MB", "≤ 200 MB", ours["mb"] <= 200)
        if arguments.published:
            with Loopback(PUBLISHED_LATENCY_MS) as server:
                rate = run_published_way(server.url, folder)
            row(f"one call at a time, a client each, {PUBLISHED_LATENCY_MS} ms", f"{rate:.1f} calls/s")
            row("ours at 200 ms", f"{ours['calls'] / ours['wall']:,.0f} calls/s")
        if arguments.embedded:
            wall, outcomes = run_embedded(folder)
            row("embedded: 2 personas × 5 tasks × 2 questions", f"{wall:.0f} s", "≤ 120 s", wall <= 120)
            row("its outcomes", json.dumps(outcomes).replace('"', ""))
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
