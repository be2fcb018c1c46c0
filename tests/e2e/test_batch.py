"""`batch`: requests in, answers out, each call paid once."""

import json
import time

import pytest

from harness import MODEL, answers_of, chat

TWELVE = [chat(f"line-{i}", f"Question {i}?") for i in range(12)]
PERSON = {
    "type": "json_schema",
    "json_schema": {
        "name": "person",
        "schema": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name", "age"],
            "additionalProperties": False,
        },
    },
}


def test_answers_come_in_the_order_of_the_input(personascope, server):
    delays = [300, 0, 200, 0, 100, 0, 50, 0]
    lines = [chat(f"n{i}", f"[[delay {delay}]] Question {i}?") for i, delay in enumerate(delays)]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(requests, server, "-o", "answers.jsonl")
    assert ended.code == 0, ended.err
    answers = answers_of(personascope.folder / "answers.jsonl")
    assert [answer["id"] for answer in answers] == [line["id"] for line in lines]


def test_a_line_of_output_has_the_documented_members_in_order(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a1", "[[say Hello, world]]")])
    ended = personascope.batch(requests, server)
    assert ended.code == 0, ended.err
    assert ended.out.endswith("\n") and ended.out.count("\n") == 1
    answer = json.loads(ended.out)
    assert list(answer)[:6] == ["id", "outcome", "text", "model", "usage", "error"]
    assert answer["id"] == "a1"
    assert answer["outcome"] == "ok"
    assert answer["text"] == "Hello, world"
    assert answer["model"] == "gpt-4o"
    assert answer["usage"]["input_tokens"] > 0 and answer["usage"]["output_tokens"] > 0
    assert answer["error"] is None
    assert answer["finish"] == "stop"


def test_a_failed_line_says_why_and_the_others_are_answered(personascope, server):
    lines = [chat("good", "Hello"), chat("bad", "[[status 400]]"), chat("also", "Hello again")]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(requests, server, "-o", "answers.jsonl")
    assert ended.code == 1
    good, bad, also = answers_of(personascope.folder / "answers.jsonl")
    assert good["outcome"] == also["outcome"] == "ok"
    assert bad["outcome"] == "failed" and bad["text"] is None and bad["model"] is None
    assert bad["error"]["kind"] == "invalid" and "HTTP 400" in bad["error"]["message"]
    assert personascope.batch(requests, server, "--fail-on-error", "1").code == 0
    assert personascope.batch(requests, server, "--fail-on-error", "0.5").code == 0


def test_many_are_asked_at_a_time(personascope, loopback):
    server = loopback(latency_ms=200)
    requests = personascope.write(
        "requests.jsonl", [chat(str(i), f"Question {i}?") for i in range(200)]
    )
    start = time.monotonic()
    ended = personascope.batch(requests, server, "--fixed-connections", 100)
    assert ended.code == 0, ended.err
    assert time.monotonic() - start < 10  # one at a time would be 40 s
    stats = server.stats()
    assert stats["in_flight_peak"] == 100
    assert stats["requests"] == stats["distinct"] == 200


def test_max_connections_holds(personascope, loopback):
    server = loopback(latency_ms=20)
    requests = personascope.write(
        "requests.jsonl", [chat(str(i), f"Question {i}?") for i in range(30)]
    )
    assert personascope.batch(requests, server, "--max-connections", 3).code == 0
    assert server.stats()["in_flight_peak"] <= 3


def test_standard_output_and_a_file_get_the_same_bytes(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    to_file = personascope.batch(requests, server, "-o", "answers.jsonl")
    to_output = personascope.batch(requests, server)
    to_dash = personascope.batch(requests, server, "-o", "-")
    assert to_file.code == to_output.code == to_dash.code == 0
    assert to_file.out == ""
    assert (personascope.folder / "answers.jsonl").read_text() == to_output.out == to_dash.out
    assert not list(personascope.folder.glob(".*")), "a temporary file is left"


def test_standard_output_that_is_full_is_not_a_success(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    with open("/dev/full", "w") as full:
        ended = personascope.batch(requests, server, stdout=full)
    assert ended.code == 1
    assert "standard output" in ended.err


def test_json_summarises_the_run(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE + [chat("no", "[[refuse]]")])
    ended = personascope.batch(requests, server, "-o", "answers.jsonl", "--json")
    assert ended.code == 0, ended.err
    summary = ended.json()
    assert summary["run"] == 1 and summary["command"] == "batch" and summary["state"] == "done"
    assert summary["items"] == 13
    assert summary["outcomes"] == {"ok": 12, "answered": 12, "scored": 0, "abstained": 0, "refused": 1, "empty": 0,
                                   "failed": 0}
    assert summary["spending"]["calls"] == 13
    assert summary["spending"]["cost_usd"] > 0
    assert summary["error"] is None


def test_json_needs_a_file_for_the_answers(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    ended = personascope.batch(requests, server, "--json")
    assert ended.code == 2 and "-o" in ended.err
    assert ended.json()["error"]["kind"] == "invalid"
    assert server.requests() == 0


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    first = personascope.batch(requests, server)
    again = personascope.batch(requests, server)
    assert first.code == again.code == 0
    assert first.out == again.out
    assert server.requests() == 12
    assert "0 sent, 12 from the journal" in again.err


def test_only_a_new_line_is_asked(personascope, server):
    personascope.batch(personascope.write("requests.jsonl", TWELVE), server)
    more = personascope.write("requests.jsonl", TWELVE + [chat("new", "A new question?")])
    assert personascope.batch(more, server).code == 0
    assert server.requests() == 13


def test_fresh_asks_everything_again(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    personascope.batch(requests, server)
    assert personascope.batch(requests, server, "--fresh").code == 0
    assert server.requests() == 24
    assert personascope.batch(requests, server, "--fresh").code == 0
    assert server.requests() == 36
    assert personascope.batch(requests, server).code == 0
    assert server.requests() == 36


def test_equal_requests_at_temperature_0_are_asked_once_and_draws_above_it_each(
    personascope, loopback
):
    server = loopback(latency_ms=50)
    same = [chat(f"same{i}", "One question", temperature=0) for i in range(5)]
    draws = [chat(f"draw{i}", "One question", temperature=0.9) for i in range(5)]
    requests = personascope.write("requests.jsonl", same + draws)
    ended = personascope.batch(requests, server)
    assert ended.code == 0, ended.err
    assert server.requests() == 6
    assert len({answer["text"] for answer in answers_of(ended.out)[:5]}) == 1


def test_two_addresses_do_not_share_answers(personascope, loopback):
    here, there = loopback(), loopback()
    requests = personascope.write("requests.jsonl", TWELVE)
    personascope.batch(requests, here)
    personascope.batch(requests, there)
    assert here.requests() == there.requests() == 12


def test_roles_have_slots_of_their_own(personascope, loopback):
    server = loopback(latency_ms=100)
    lines = [
        chat(f"{role}{i}", f"Question {i} to the {role}", role=role)
        for role in ("model", "user", "judge")
        for i in range(4)
    ]
    requests = personascope.write("requests.jsonl", lines)
    assert personascope.batch(requests, server, "--max-connections", 2).code == 0
    assert server.stats()["in_flight_peak"] == 6
    assert all("role" not in body for body in server.bodies())


def test_openai_batch_form_is_understood(personascope, server):
    lines = [
        {
            "custom_id": f"request-{i}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {
                "model": "gpt-3.5-turbo",
                "messages": [{"role": "user", "content": f"Question {i}"}],
                "max_tokens": 10,
            },
        }
        for i in range(3)
    ]
    ended = personascope.batch(personascope.write("requests.jsonl", lines), server)
    assert ended.code == 0, ended.err
    assert [answer["id"] for answer in answers_of(ended.out)] == [
        "request-0",
        "request-1",
        "request-2",
    ]
    assert {body["model"] for body in server.bodies()} == {"gpt-4o"}


def test_sampling_reaches_the_provider(personascope, server):
    line = {
        "id": "all",
        "messages": [
            {"role": "system", "content": "You are a lighthouse keeper."},
            {"role": "user", "content": "Good morning"},
            {"role": "assistant", "content": "Is it?"},
            {"role": "user", "content": [{"type": "text", "text": "It is."}]},
        ],
        "temperature": 0.5,
        "top_p": 0.75,
        "max_tokens": 64,
        "stop": ["END"],
        "seed": 7,
        "logprobs": True,
        "top_logprobs": 3,
    }
    ended = personascope.batch(personascope.write("requests.jsonl", [line]), server)
    assert ended.code == 0, ended.err
    (body,) = server.bodies()
    assert [message["role"] for message in body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert body["messages"][3]["content"] == "It is."
    assert body["temperature"] == 0.5 and body["top_p"] == 0.75 and body["seed"] == 7
    assert body["max_completion_tokens"] == 64 and body["stop"] == ["END"]
    (answer,) = answers_of(ended.out)
    assert all(len(token["top"]) == 3 for token in answer["logprobs"])


@pytest.mark.parametrize("model", [MODEL, "anthropic/claude-3-5-sonnet-20241022"])
def test_structured_output_uses_the_provider_form(personascope, server, model):
    requests = personascope.write("requests.jsonl", [chat("p", "A person", response_format=PERSON)])
    address = server.url if model == MODEL else server.root
    ended = personascope("batch", requests, "--model", model, "--base-url", address)
    assert ended.code == 0, ended.err
    (answer,) = answers_of(ended.out)
    person = json.loads(answer["text"])
    assert set(person) == {"name", "age"} and isinstance(person["age"], int)
    (body,) = server.bodies()
    assert ("response_format" in body) or ("tools" in body)


def test_structured_output_by_instruction(personascope, server):
    said = '[[say Sure! ```json {"name": "Ada", "age": 36}``` ]]'
    requests = personascope.write("requests.jsonl", [chat("p", said, response_format=PERSON)])
    ended = personascope.batch(requests, server, model="groq/llama-3.3-70b-versatile")
    assert ended.code == 0, ended.err
    (answer,) = answers_of(ended.out)
    assert json.loads(answer["text"]) == {"name": "Ada", "age": 36}
    (body,) = server.bodies()
    assert "response_format" not in body
    assert body["messages"][0]["role"] == "system" and '"age"' in body["messages"][0]["content"]


def test_an_answer_of_the_wrong_form_is_repaired_a_bounded_number_of_times(personascope, server):
    # The directive stands in the system text, so every repair meets it again.
    line = chat("p", "A person", response_format=PERSON)
    line["messages"].insert(0, {"role": "system", "content": '[[say {"name": "Ada"}]]'})
    requests = personascope.write("requests.jsonl", [line])
    ended = personascope.batch(requests, server)
    assert ended.code == 1
    (answer,) = answers_of(ended.out)
    assert answer["outcome"] == "failed" and answer["error"]["kind"] == "unparsable"
    assert "age" in answer["error"]["message"]
    assert server.requests() == 3
    assert personascope.batch(requests, server).out == ended.out
    assert server.requests() == 3


def test_anthropic_and_bedrock_answer_too(personascope, server):
    requests = personascope.write("requests.jsonl", TWELVE)
    for model, address, env in [
        ("anthropic/claude-3-5-sonnet-20241022", server.root, {"CLAUDE_API_KEY": "k"}),
        (
            "bedrock/anthropic.claude-3-sonnet-20240229-v1:0",
            server.root,
            {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"},
        ),
        ("openai-api/myserver/some-model", server.url, {}),
    ]:
        ended = personascope(
            "batch", requests, "--model", model, "--base-url", address, env=env
        )
        assert ended.code == 0, ended.err
        assert len(answers_of(ended.out)) == 12
    assert server.requests() == 36


def test_scripted_model_needs_no_server(personascope):
    script = personascope.folder / "replies.yaml"
    script.write_text(
        'rules:\n  - when: "*secret*"\n    refuse: I keep that to myself.\n'
        '  - when: "*busy*"\n    error: rate_limited\n    times: 1\n'
        '  - reply: "You said: {prompt}"\n'
    )
    lines = [chat("a", "Hello"), chat("b", "A secret?"), chat("c", "Are you busy?")]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope("batch", requests, "--model", f"scripted/{script}")
    assert ended.code == 0, ended.err
    answers = answers_of(ended.out)
    assert [answer["outcome"] for answer in answers] == ["ok", "refused", "ok"]
    assert answers[0]["text"] == "You said: Hello"


def test_a_scripted_run_is_resumed_from_any_folder(personascope):
    (personascope.folder / "replies.yaml").write_text('rules:\n  - reply: "You said: {prompt}"\n')
    requests = personascope.write("requests.jsonl", TWELVE)
    words = ("batch", "requests.jsonl", "--model", "scripted/replies.yaml", "-o", "a.jsonl")
    assert personascope(*words, "--max-calls", "5").code == 1
    personascope.folder = personascope.home
    ended = personascope("resume", "1", "--max-calls", "100", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["session"]["from_journal"] == 5
    answers = answers_of(requests.parent / "a.jsonl")
    assert len(answers) == 12 and answers[0]["model"] == "replies.yaml"


def test_ids_come_back_as_they_were(personascope, server):
    requests = personascope.write("requests.jsonl", [chat(7, "Hello"), chat("8", "Hello")])
    assert [answer["id"] for answer in answers_of(personascope.batch(requests, server).out)] == [7, "8"]
    replay = personascope.batch(requests, server, "--replay")
    assert [answer["id"] for answer in answers_of(replay.out)] == [7, "8"]


def test_bedrock_s_answers_name_the_model(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    keys = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"}
    ended = personascope(
        "batch", requests, "--model", "bedrock/claude-3-haiku-v1", "--base-url", server.root, env=keys
    )
    (answer,) = answers_of(ended.out)
    assert answer["model"] == "us.anthropic.claude-3-haiku-20240307-v1:0"


def test_text_survives_as_it_is(personascope, server):
    said = "Zoë said: „żółw“ 🐢 \u2028 end\\ \"quoted\" \t tab"
    requests = personascope.write("requests.jsonl", [chat("ü/1", f"[[say {said}]]")])
    ended = personascope.batch(requests, server)
    (answer,) = [json.loads(line) for line in ended.out.split("\n") if line]
    assert answer["id"] == "ü/1" and answer["text"] == said


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_do_no_harm(personascope, server):
    path = personascope.folder / "requests.jsonl"
    lines = [json.dumps(line) for line in TWELVE[:3]]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(lines).encode())
    ended = personascope.batch(path, server)
    assert ended.code == 0, ended.err
    assert len(answers_of(ended.out)) == 3


@pytest.mark.parametrize("command", ["batch", "name"])
def test_an_error_while_the_output_is_written_is_in_the_json(personascope, loopback, command):
    server = loopback(latency_ms=700)
    if command == "batch":
        words = personascope.batch_words(personascope.write("requests.jsonl", [chat("a", "Hello")]), server)
    else:
        words = ("name", "run", "--model", MODEL, "--base-url", server.url)
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}
    process = personascope.start(*words, "-o", "out.jsonl", "--json", env=env)
    server.wait_for_requests(1)
    (personascope.folder / "out.jsonl").mkdir()  # so that the finished file cannot take its place
    ended = personascope.end(process)
    assert ended.code == 1, ended.err
    told = ended.json()
    assert told["state"] == "failed" and "out.jsonl" in told["error"]["message"], told
    assert told["error"]["message"] in ended.err
    (personascope.folder / "out.jsonl").rmdir()
    before = server.requests()
    again = personascope("resume", "1", "--json", env=env)
    assert again.code == 0 and again.json()["error"] is None, again.err
    assert (personascope.folder / "out.jsonl").is_file() and server.requests() == before, "all was answered"
