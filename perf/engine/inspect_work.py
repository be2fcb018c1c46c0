"""The engine's work, done by Inspect AI: one sample a request, one generate a sample.

    python inspect_work.py REQUESTS.jsonl BASE_URL IN_FLIGHT LOG_FOLDER

Run by run.py in a virtual environment of its own; prints a line of JSON.
"""

import json
import os
import sys
import time

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.solver import generate

MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser}


def make_sample(line):
    request = json.loads(line)
    messages = [MESSAGES[m["role"]](content=m["content"]) for m in request["messages"]]
    return Sample(id=request["id"], input=messages)


def main():
    requests, base_url, in_flight, log_folder = sys.argv[1:]
    os.environ["LOOPBACK_BASE_URL"] = base_url
    os.environ["LOOPBACK_API_KEY"] = "loopback"
    with open(requests, encoding="utf-8") as lines:
        samples = [make_sample(line) for line in lines]
    task = Task(dataset=MemoryDataset(samples), solver=generate(),
                config=GenerateConfig(temperature=0, max_tokens=64))
    started = time.monotonic()
    [log] = eval(task, model="openai-api/loopback/gpt-4o", max_connections=int(in_flight),
                 max_samples=int(in_flight), log_dir=log_folder, display="none")
    elapsed = time.monotonic() - started
    print(json.dumps({"elapsed_s": elapsed, "status": log.status,
                      "answered": log.results.completed_samples if log.results else 0}))


if __name__ == "__main__":
    main()
