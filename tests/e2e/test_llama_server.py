"""A real server as peer: llama-server, spoken to as OpenAI's API and as Anthropic's."""

import json
import os
import pathlib
import re

import pytest

from harness import answers_of, chat
from llama_server import WEIGHTS, LlamaServer, find_tool

pytestmark = pytest.mark.skipif(
    not find_tool(), reason="llama-server is not built: run scripts/setup-model --server"
)

GREETING = [{"role": "user", "content": "Say hello."}]
CONVERSATION = [
    {"role": "system", "content": "You are a lighthouse keeper named Edda."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Good evening."},
    {"role": "user", "content": "What is your name?"},
]
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 99},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
PROMPTS = [
    "What is the capital of France?",
    "Name three colours.",
    "Write a sentence about the sea.",
    "Why do leaves fall in autumn?",
    "Tell me about your morning.",
]


class Peer:
    """One way to speak to the server."""

    def __init__(self, name, model, key_variable):
        self.name, self.model, self.key_variable = name, model, key_variable

    def url(self, server):
        return server.url if self.name == "openai" else server.root


PEERS = [
    Peer("openai", "llama-server/default", "LLAMA_SERVER_API_KEY"),
    Peer("anthropic", "anthropic/default", "ANTHROPIC_API_KEY"),
]


@pytest.fixture(scope="session")
def llama(tmp_path_factory):
    server = LlamaServer(tmp_path_factory.mktemp("llama"))
    yield server
    server.stop()


@pytest.fixture
def own_llama(tmp_path):
    """Starts a server for one test: own_llama("--api-key", "k")."""
    servers = []

    def start(*flags):
        servers.append(LlamaServer(tmp_path, *flags))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(params=PEERS, ids=lambda peer: peer.name)
def peer(request):
    return request.param


OPENAI = PEERS[0]


def words(peer, server, *args):
    return ["--model", peer.model, "--base-url", peer.url(server), *args]


def sent_by(ended):
    """How many requests the session sent, tries again included."""
    return int(re.search(r"(\d+) sent", ended.err)[1])


def run_batch(personascope, peer, server, lines, *args, **rest):
    """How many requests were sent, and the answers."""
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope("batch", requests, *words(peer, server, *args), timeout=120, **rest)
    assert ended.out, ended.err
    return sent_by(ended), answers_of(ended.out)


def ask_one(personascope, peer, server, messages, *args, **members):
    line = {"id": "x", "messages": messages, "temperature": 0, "max_tokens": 12, **members}
    _, (answer,) = run_batch(personascope, peer, server, [line], *args)
    assert answer["outcome"] == "ok", answer
    return answer


def json_format(schema):
    return {"type": "json_schema", "json_schema": {"name": "person", "schema": schema}}


def test_a_plain_answer(personascope, llama, peer):
    answer = ask_one(personascope, peer, llama, GREETING)
    assert "hello" in answer["text"].lower()
    assert answer["model"] == str(WEIGHTS)  # the server's own name, not the one we asked for
    assert answer["finish"] == "length"  # 12 tokens are not enough
    assert answer["usage"]["output_tokens"] == 12


def test_a_system_message_and_earlier_turns_reach_the_model(personascope, llama, peer):
    answer = ask_one(personascope, peer, llama, CONVERSATION, max_tokens=30)
    assert "lighthouse" in answer["text"].lower()
    assert answer["usage"]["input_tokens"] == llama.count_tokens(CONVERSATION)


def test_both_interfaces_give_the_same_greedy_answer(personascope, llama):
    openai, anthropic = (ask_one(personascope, peer, llama, CONVERSATION) for peer in PEERS)
    assert openai["text"] == anthropic["text"]
    assert openai["usage"]["input_tokens"] == anthropic["usage"]["input_tokens"]


def test_temperature_0_repeats_itself(personascope, llama, peer):
    # The server computes a prompt that it remembers in other pieces, so the first answer may differ in a near tie.
    _, first, again = (ask_one(personascope, peer, llama, CONVERSATION, "--fresh") for _ in range(3))
    assert first["text"] == again["text"]


def test_a_seed_repeats_a_draw_and_another_seed_does_not(personascope, llama):
    def draw(seed):
        return ask_one(
            personascope, OPENAI, llama, GREETING, "--fresh", temperature=1.5, seed=seed
        )["text"]

    assert draw(7) == draw(7)
    assert len({draw(7), draw(8), draw(9)}) > 1


def test_usage_is_what_the_server_counts(personascope, llama, peer):
    first, again = (ask_one(personascope, peer, llama, CONVERSATION, "--fresh") for _ in range(2))
    count = llama.count_tokens(CONVERSATION)
    assert first["usage"]["input_tokens"] == again["usage"]["input_tokens"] == count
    # The second time its slot still holds all but the last token of the prompt.
    assert again["usage"]["cached_input_tokens"] == count - 1


def test_an_end_of_its_own_is_a_stop(personascope, llama, peer):
    answer = ask_one(personascope, peer, llama, GREETING, max_tokens=300)
    assert answer["finish"] == "stop"
    assert answer["usage"]["output_tokens"] < 300


def test_a_stop_string_ends_the_answer_and_is_not_in_it(personascope, llama, peer):
    whole = ask_one(personascope, peer, llama, GREETING)["text"]
    stop = whole.split()[3]
    answer = ask_one(personascope, peer, llama, GREETING, stop=[stop])
    assert answer["text"] == whole[: whole.index(stop)]
    assert answer["finish"] == "stop"


def test_the_server_holds_an_answer_to_a_schema(personascope, llama):
    lines = [
        chat(str(i), f"{prompt} Answer with a person.", response_format=json_format(PERSON),
             temperature=1, seed=i, max_tokens=60)
        for i, prompt in enumerate(PROMPTS)
    ]
    sent, answers = run_batch(personascope, OPENAI, llama, lines)
    assert sent == len(lines), "an answer had to be mended"
    for answer in answers:
        person = json.loads(answer["text"])
        assert sorted(person) == ["age", "name"]
        assert isinstance(person["name"], str) and len(person["name"]) <= 12
        assert isinstance(person["age"], int) and 0 <= person["age"] <= 99


def test_a_server_that_calls_no_tool_is_asked_again_and_then_given_up(personascope, llama):
    # The template of these weights knows no tools, which is how Anthropic's API holds to a schema.
    lines = [chat("x", "Say hello.", response_format=json_format(PERSON), max_tokens=8)]
    sent, (answer,) = run_batch(personascope, PEERS[1], llama, lines)
    assert answer["outcome"] == "failed" and answer["error"]["kind"] == "unparsable"
    assert sent == 3


def test_log_probabilities_of_every_token(personascope, llama):
    answer = ask_one(personascope, OPENAI, llama, GREETING, logprobs=True, top_logprobs=4)
    tokens = answer["logprobs"]
    assert "".join(token["token"] for token in tokens) == answer["text"]
    assert len(tokens) == answer["usage"]["output_tokens"]
    for token in tokens:
        alternatives = [entry["logprob"] for entry in token["top"]]
        assert len(alternatives) == 4 and alternatives == sorted(alternatives, reverse=True)
        assert token["logprob"] == alternatives[0] <= 0  # greedy takes the likeliest


def test_ask_streams_the_answer_piece_by_piece(personascope, llama, peer):
    # A slow reader would see all at once; this one takes what there is.
    process = personascope.start(
        "ask", "Tell me a long story about the sea.", "--temperature", "0",
        "--max-output-tokens", "80", *words(peer, llama),
    )
    pieces = []
    while piece := os.read(process.stdout.fileno(), 65536):
        pieces.append(piece)
    ended = personascope.end(process)
    assert ended.code == 0, ended.err
    assert len(pieces) > 5
    answer = ask_one(
        personascope, peer, llama,
        [{"role": "user", "content": "Tell me a long story about the sea."}], max_tokens=80,
    )
    assert b"".join(pieces).decode().strip() == answer["text"].strip()


def test_a_streamed_answer_has_usage_and_a_finish(personascope, llama, peer):
    ended = personascope(
        "ask", "Say hello.", "--temperature", "0", "--max-output-tokens", "12", "--json",
        *words(peer, llama),
    )
    answer = ended.json()
    assert answer["finish"] == "length"
    assert answer["usage"]["input_tokens"] == llama.count_tokens(GREETING)
    assert answer["usage"]["output_tokens"] == 12


def test_a_path_that_is_not_there_is_not_tried_again(personascope, llama, peer):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope(
        "batch", requests, "--model", peer.model, "--base-url", llama.root + "/elsewhere"
    )
    assert ended.code == 1
    (answer,) = answers_of(ended.out)
    assert answer["error"]["kind"] == "not_found"
    assert sent_by(ended) == 1


def test_a_wrong_key_is_not_tried_again_and_the_right_one_is_let_in(personascope, own_llama, peer):
    server = own_llama("--api-key", "sesame")
    for key, outcome in (("barley", "failed"), ("sesame", "ok")):
        sent, (answer,) = run_batch(
            personascope, peer, server, [chat("x", "Hello", max_tokens=4)],
            env={peer.key_variable: key},
        )
        assert answer["outcome"] == outcome, answer
        assert sent == 1
        if outcome == "failed":
            assert answer["error"]["kind"] == "unauthorized"
            assert key not in json.dumps(answer)


def test_a_prompt_beyond_the_context_is_an_outcome_of_its_own(personascope, llama, peer):
    lines = [chat("long", "word " * 3000, max_tokens=4), chat("short", "Hello", max_tokens=4)]
    sent, (long, short) = run_batch(personascope, peer, llama, lines)
    assert long["outcome"] == "failed" and long["error"]["kind"] == "context_too_long"
    assert short["outcome"] == "ok"
    assert sent == 2, "it was tried again"


def test_forty_at_once_are_all_answered(personascope, llama, peer):
    lines = [
        chat(str(i), f"{PROMPTS[i % 5]} ({i})", temperature=0, max_tokens=8) for i in range(40)
    ]
    sent, answers = run_batch(personascope, peer, llama, lines, "--max-connections", 40)
    assert [answer["outcome"] for answer in answers] == ["ok"] * 40
    assert sent == 40


def test_a_killed_server_comes_back_and_resume_asks_only_what_is_missing(
    personascope, own_llama, peer
):
    server = own_llama()
    lines = [
        chat(str(i), f"{PROMPTS[i % 5]} ({i})", temperature=0, max_tokens=24) for i in range(40)
    ]
    requests = personascope.write("requests.jsonl", lines)
    process = personascope.start(
        "batch", requests, *words(peer, server, "--max-connections", 4, "--timeout", 10),
        bufsize=0,
    )
    early = [process.stdout.readline() for _ in range(3)]
    server.kill()
    ended = personascope.end(process)
    assert ended.code == 1
    answers = [json.loads(line) for line in early] + answers_of(ended.out)
    answered = [answer for answer in answers if answer["outcome"] == "ok"]
    lost = [answer for answer in answers if answer["outcome"] == "failed"]
    assert len(answered) >= 3 and not lost and len(answered) < 40
    assert re.search("no connection|from server", ended.err) and "--timeout" in ended.err

    server.start()
    ended = personascope("resume", "1", timeout=120)
    assert ended.code == 0, ended.err
    answers = answers_of(ended.out)
    assert [answer["outcome"] for answer in answers] == ["ok"] * 40
    assert sent_by(ended) <= 40 - len(answered)
    texts = {answer["id"]: answer["text"] for answer in answers}
    assert all(texts[answer["id"]] == answer["text"] for answer in answered)


def test_a_server_that_restarts_within_a_run_is_waited_for(personascope, own_llama):
    server = own_llama()
    lines = [
        chat(str(i), f"{PROMPTS[i % 5]} ({i})", temperature=0, max_tokens=24) for i in range(20)
    ]
    requests = personascope.write("requests.jsonl", lines)
    process = personascope.start(
        "batch", requests, *words(OPENAI, server, "--max-connections", 4), bufsize=0
    )
    early = process.stdout.readline()
    server.kill()
    server.start()
    ended = personascope.end(process, timeout=120)
    assert ended.code == 0, ended.err
    assert len(answers_of(early.decode() + ended.out)) == 20


def use_one_core():
    """The model takes a thread a core, and they would wait for one another on a busy machine."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def test_the_embedded_model_computes_what_the_server_does(personascope, own_llama):
    # What is computed together takes part in how sums are rounded. So one at a time, by a server whose
    # slots remember nothing. And short: of 32 tokens and more, attention is computed in tiles, unless
    # they follow a beginning that is known.
    llama = own_llama("-np", 1)
    system = {"role": "system", "content": "You are Edda."}
    lines = [
        {"id": prompt, "messages": [system, {"role": "user", "content": prompt}],
         "temperature": 0, "max_tokens": 8, "logprobs": True, "top_logprobs": 2}
        for prompt in PROMPTS
    ]
    _, theirs = run_batch(personascope, OPENAI, llama, lines, "--max-connections", 1)
    ended = personascope(
        "batch", "requests.jsonl", "--model", f"embedded/{WEIGHTS}", "--embedded-parallel", 1,
        timeout=120, preexec_fn=use_one_core,
    )
    for our, their in zip(answers_of(ended.out), theirs, strict=True):
        assert our["usage"]["input_tokens"] == their["usage"]["input_tokens"]
        assert our["finish"] == their["finish"]
        assert our["text"] == their["text"]
        for ours, server in zip(our["logprobs"], their["logprobs"], strict=True):
            assert ours["token"] == server["token"]
            assert ours["logprob"] == pytest.approx(server["logprob"], abs=0.01)


def test_a_bot_file_that_describes_the_server_gets_the_same_answer(personascope, llama):
    bot = pathlib.Path(__file__).parents[2] / "examples" / "bot.yaml"
    requests = personascope.write("requests.jsonl", [
        {"id": "x", "messages": CONVERSATION, "temperature": 0, "max_tokens": 12}])
    ended = personascope("batch", requests, "--model", f"http/{bot}", timeout=120,
                         env={"BOT_BASE_URL": llama.root})
    assert ended.code == 0, ended.err
    (answer,) = answers_of(ended.out)
    plain = ask_one(personascope, OPENAI, llama, CONVERSATION)
    assert answer["text"] == plain["text"]
    assert answer["usage"] == {name: plain["usage"][name] for name in ("input_tokens", "output_tokens")}


def test_the_server_takes_an_effort(personascope, llama):
    answer = ask_one(personascope, OPENAI, llama, GREETING, "--reasoning-effort", "none")
    assert "hello" in answer["text"].lower()
