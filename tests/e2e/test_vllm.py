"""How likely a text is, read by vLLM's server: a fake that answers as vLLM 0.32 does."""

import pathlib
import re
import threading

import pytest

from fake_openai import JsonServer
from harness import answers_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPLIES = f"scripted/{ROOT}/examples/bench-replies.yaml"
MODEL = "vllm/tiny"


class FakeVllm(JsonServer):
    """A token is a word with the blank before it. One that stood in the prompt has the
    log-probability -1, another -3. `change(path, answer)` makes what is sent of an answer."""

    def __init__(self, change=lambda path, answer: answer):
        self.words, self.paths = [], []
        lock = threading.Lock()

        def answer(path, body):
            with lock:
                self.paths.append(path)
                return change(path, self.answer(path, body))

        super().__init__(answer)

    def tokenize(self, text):
        tokens = []
        for word in re.findall(r"\s*\w+|\s*\W", text):
            if word not in self.words:
                self.words.append(word)
            tokens.append(self.words.index(word))
        return tokens

    def answer(self, path, body):
        if path == "/tokenize":
            text = body.get("prompt")
            if text is None:
                assert body["add_generation_prompt"] is True
                text = "".join(f"<{m['role']}> {m['content']}\n" for m in body["messages"])
            else:
                assert body["add_special_tokens"] is False
            tokens = self.tokenize(text)
            return {"count": len(tokens), "max_model_len": 4096, "tokens": tokens}
        assert path == "/v1/completions" and body["prompt_logprobs"] == 0
        tokens = body["prompt"]
        scores = [None]
        for i in range(1, len(tokens)):
            logprob = -1.0 if tokens[i] in tokens[:i] else -3.0
            word = self.words[tokens[i]]
            scores.append({str(tokens[i]): {"logprob": logprob, "rank": 1, "decoded_token": word}})
        return {
            "model": body["model"],
            "choices": [{"index": 0, "text": "x", "prompt_logprobs": scores}],
            "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1},
        }


@pytest.fixture
def vllm():
    servers = []

    def start(*change):
        servers.append(FakeVllm(*change))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


LINE = {
    "id": "a",
    "messages": [{"role": "user", "content": "Who hums?"}],
    "continuation": "The hive hums.",
}


def read(personascope, server, line, *args):
    requests = personascope.write("requests.jsonl", [line])
    words = ("--model", MODEL, "--base-url", server.url, "--max-retries", 0, *args)
    ended = personascope("batch", requests, *words)
    (answer,) = answers_of(ended.out)
    return answer


def test_a_text_is_read_token_by_token_and_only_once(personascope, vllm):
    server = vllm()
    answer = read(personascope, server, LINE)
    assert answer["outcome"] == "ok", answer
    assert [(t["token"], t["logprob"]) for t in answer["logprobs"]] == [
        ("The", -3), (" hive", -3), (" hums", -1), (".", -3),
    ]
    assert answer["text"] == LINE["continuation"]
    assert answer["model"] == "tiny"
    assert server.paths == ["/tokenize", "/tokenize", "/v1/completions"]
    again = read(personascope, server, LINE)
    assert again["logprobs"] == answer["logprobs"]
    assert len(server.paths) == 3, "the journal has it"


def test_lift_is_read_by_vllm(personascope, vllm):
    people = {"bees": "a keeper of bees", "ships": "a builder of ships", "bread": "a baker of bread"}
    lines = [{"id": i, "persona": text, "question": "What?", "answer": f"Always {i} ."}
             for i, text in people.items()]
    path = personascope.write("answers.jsonl", lines)
    ended = personascope("lift", path, "--model", MODEL, "--json", "-o", "readings.jsonl",
                         env={"VLLM_BASE_URL": vllm().url})
    assert ended.code == 0, ended.err
    results = ended.json()["results"]
    assert results["reader"] == MODEL
    # Of an answer's three tokens its persona makes one likelier, by two nats; and it is the
    # persona's own word.
    for line in answers_of(personascope.folder / "readings.jsonl"):
        assert line["tokens"] == 3
        assert line["lift"] == pytest.approx(2 / 3)
        assert line["parroted"] == pytest.approx(2 / 3)
    assert results["answers"]["identification"]["accuracy"]["value"] == 1


def test_the_benchmarks_take_it_as_reader(personascope, vllm):
    server = vllm()
    ended = personascope("bench", "main", "--model", REPLIES, "--judge", REPLIES, "-n", 3,
                         "--controls", 2, "--reader", MODEL, "--json",
                         env={"VLLM_BASE_URL": server.url}, timeout=60)
    assert ended.code == 0, ended.err
    controls = ended.json()["controls"]
    assert controls["reader"] == MODEL
    assert [row["lift"]["n"] for row in controls["answers"]] == [2, 2, 2]


def with_scores(change):
    """What is sent where the scores are changed."""

    def make(path, answer):
        if path == "/v1/completions":
            choice = answer["choices"][0]
            choice["prompt_logprobs"] = change(choice["prompt_logprobs"])
        return answer

    return make


def with_last(score):
    return with_scores(lambda scores: scores[:-1] + [{key: {**scores[-1][key], **score}
                                                      for key in scores[-1]}])


@pytest.mark.parametrize(
    "change, kind, said",
    [
        (with_scores(lambda scores: None), "unsupported", "gave no prompt_logprobs"),
        (with_scores(lambda scores: scores[1:]), "unparsable", "was sent 11 tokens and scored 10"),
        (with_scores(lambda scores: scores[:-1] + [None]), "unparsable", "did not score token 4 of the text's 4"),
        (with_scores(lambda scores: scores[:-1] + [{"77": {"logprob": -1}}]), "unparsable",
         "did not score token 4 of the text's 4"),
        (with_last({"logprob": None}), "unparsable", "no log-probability for token 4"),
        (with_last({"logprob": -9999.0}), "invalid", "token 4 of the text's 4 is impossible"),
        (with_last({"logprob": float("-inf")}), "transient", "is not valid JSON"),
        (lambda path, answer: None if path == "/tokenize" else answer, "not_found", "vLLM's /tokenize"),
        (lambda path, answer: {**answer, "max_model_len": 11}, "context_too_long", "have 11 tokens"),
    ],
)
def test_a_server_that_cannot_is_told_in_one_sentence(personascope, vllm, change, kind, said):
    answer = read(personascope, vllm(change), LINE)
    assert answer["outcome"] == "failed"
    assert answer["error"]["kind"] == kind
    assert said in answer["error"]["message"]
    assert "\n" not in answer["error"]["message"]
