"""Models that think before they answer: what they are sent, and what is kept of what they write."""

import json

import pytest

from fake_openai import JsonServer
from harness import answers_of, chat


class Thinker(JsonServer):
    """Of the OpenAI kind: refuses what OpenAI's reasoning models refuse, and writes its thoughts."""

    def __init__(self, message):
        self.asked = []

        def answer(_path, body):
            self.asked.append(body)
            if {"temperature", "top_p", "max_tokens", "stop"} & body.keys():
                return {"error": {"code": 400, "message": "Unsupported parameter"}}
            return {
                "model": body["model"],
                "choices": [{"finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 40, "total_tokens": 50,
                          "completion_tokens_details": {"reasoning_tokens": 30}},
            }

        super().__init__(answer)
        self.env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": self.url}


@pytest.fixture
def thinker():
    servers = []

    def start(message):
        servers.append(Thinker(message))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.mark.parametrize("message", [
    {"content": "Yes.", "reasoning_content": "Hm, let me see."},
    {"content": "Yes.", "reasoning": "Hm, let me see."},
    {"content": "<think>Hm, let me see.</think>\n\nYes."},
])
def test_thinking_is_kept_apart_and_paid_for(personascope, thinker, message):
    server = thinker(message)
    prices = personascope.folder / "prices.yaml"
    prices.write_text("models:\n  openai/gpt-5: {input: 1, output: 10}\n")
    requests = personascope.write("r.jsonl", [chat("a", "Well?", temperature=0, max_tokens=50)])
    words = ["batch", requests, "--model", "openai/gpt-5", "--reasoning-effort", "low",
             "--prices", prices, "-o", "a.jsonl"]
    ended = personascope(*words, env=server.env)
    assert ended.code == 0, ended.err
    sent = server.asked[0]
    assert sent["reasoning_effort"] == "low"
    assert sent["max_completion_tokens"] == 50 + 1024
    line = answers_of(personascope.folder / "a.jsonl")[0]
    assert line["text"] == "Yes." and line["thinking"] == "Hm, let me see."
    assert line["usage"]["thinking_tokens"] == 30 and line["usage"]["output_tokens"] == 40
    run = personascope("show", "1", "--json").json()
    assert json.dumps(run).count("0.00041") >= 1, run
    # From the store it is the same, and nothing is sent.
    again = personascope(*words[:-1], "b.jsonl", "--replay", env=server.env)
    assert again.code == 0, again.err
    assert (personascope.folder / "b.jsonl").read_text() == (personascope.folder / "a.jsonl").read_text()
    assert len(server.asked) == 1


def test_the_effort_is_part_of_the_key_only_if_it_is_given(personascope, thinker):
    server = thinker({"content": "Yes."})
    words = ("ask", "Well?", "--model", "openai/o3")
    for more, sent in ((), 1), ((), 1), (("--reasoning-effort", "high"), 2), ((), 2), (
        ("--thinking-budget", "2000"), 3):
        ended = personascope(*words, *more, env=server.env)
        assert ended.code == 0, ended.err
        assert len(server.asked) == sent, more


def test_a_model_that_cannot_be_told_is_named_and_nothing_is_sent(personascope, thinker):
    server = thinker({"content": "Yes."})
    requests = personascope.write("r.jsonl", [chat(str(i), f"Well {i}?") for i in range(5)])
    ended = personascope("batch", requests, "--model", "openai/gpt-4o", "--reasoning-effort", "low",
                         env=server.env)
    assert ended.code == 1
    assert "cannot be told how much to think" in ended.err and "--reasoning-effort" in ended.err
    assert server.asked == []
    wrong = personascope("ask", "x", "--model", "openai/o3", "--reasoning-effort", "huge", env=server.env)
    assert wrong.code == 2 and "high" in wrong.err
