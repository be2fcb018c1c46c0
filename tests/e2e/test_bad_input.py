"""Bad input: one sentence with file, line and remedy, exit 2, before anything is spent."""

import json

import pytest

from harness import MODEL, chat

GOOD = [json.dumps(chat(f"g{i}", f"Question {i}?")) for i in range(10)]


def assert_wrong_use(ended, server, *words):
    assert ended.code == 2, f"exit {ended.code}: {ended.err}"
    assert ended.out == ""
    assert ended.err.count("\n") == 1, "one sentence, not: " + ended.err
    for word in words:
        assert word in ended.err, f"{word!r} is not in: {ended.err}"
    assert server.requests() == 0


LINE_7 = [
    ('{"id": "x", "messages": [', ["not valid JSON", "character"]),
    ("hello", ["not valid JSON"]),
    ("[1, 2]", ["JSON object"]),
    ("null", ["JSON object"]),
    ('{"messages": [{"role": "user", "content": "x"}]}', ['"id"']),
    ('{"id": "", "messages": [{"role": "user", "content": "x"}]}', ['"id"']),
    ('{"id": 1.5, "messages": [{"role": "user", "content": "x"}]}', ['"id"']),
    ('{"id": {}, "messages": [{"role": "user", "content": "x"}]}', ['"id"']),
    ('{"id": "x"}', ['"messages"']),
    ('{"id": "x", "messages": []}', ['"messages"']),
    ('{"id": "x", "messages": "hello"}', ['"messages"']),
    ('{"id": "x", "messages": [{"role": "robot", "content": "x"}]}', ["message 1", "assistant"]),
    ('{"id": "x", "messages": [{"role": "user"}]}', ["message 1", '"content"']),
    ('{"id": "x", "messages": [{"role": "user", "content": 7}]}', ["message 1", "text"]),
    (
        '{"id": "x", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}',
        ["message 1", "not text"],
    ),
    (json.dumps(chat("x", "x", temprature=0.5)), ["temprature", "temperature"]),
    (json.dumps(chat("x", "x", tools=[])), ["unknown member", "tools"]),
    (json.dumps(chat("x", "x", temperature=7)), ["temperature", "0 to 2"]),
    (json.dumps(chat("x", "x", temperature="hot")), ["temperature"]),
    (json.dumps(chat("x", "x", max_tokens=0)), ["max_tokens", "at least 1"]),
    (json.dumps(chat("x", "x", max_completion_tokens="many")), ["max_completion_tokens"]),
    (json.dumps(chat("x", "x", stop=7)), ["stop"]),
    (json.dumps(chat("x", "x", n=3)), ['"n"', "one line for each"]),
    (json.dumps(chat("x", "x", top_logprobs=99)), ["top_logprobs", "20"]),
    (json.dumps(chat("x", "x", response_format={"type": "xml"})), ["response_format"]),
    (json.dumps(chat("x", "x", role="wizard")), ['"role"', "judge"]),
    (json.dumps(chat("x", "x", role=7)), ['"role"', "judge"]),
    ('{"custom_id": "x", "body": {"messages": []}}', ['"messages"']),
    ('{"custom_id": "x", "body": 7}', ["JSON object"]),
    ('{"id": "x", "messages": ' + "[" * 100_000 + "]" * 100_000 + "}", ["nested deeper"]),
    ('{"id": "x", "seed": 1e999, "messages": [{"role": "user", "content": "x"}]}', ["number"]),
]


@pytest.mark.parametrize("line, words", LINE_7, ids=[line[:50] for line, _ in LINE_7])
def test_line_7_is_wrong(personascope, server, line, words):
    path = personascope.folder / "requests.jsonl"
    path.write_text("\n".join(GOOD[:6] + [line] + GOOD[6:]) + "\n")
    ended = personascope.batch(path, server)
    assert_wrong_use(ended, server, "requests.jsonl, line 7: ", *words)
    assert len(ended.err) < 500


BYTES_7 = {
    "invalid UTF-8": b'{"id": "x", "messages": [{"role": "user", "content": "\xff\xfe"}]}',
    "an overlong character": b'{"id": "\xc0\xaf", "messages": [{"role": "user", "content": "x"}]}',
    "NUL bytes": b"\0\0\0\0",
    "a NUL byte in text": b'{"id": "x", "messages": [{"role": "user", "content": "a\0b"}]}',
    "half a surrogate": b'{"id": "x", "messages": [{"role": "user", "content": "\\ud800"}]}',
}


@pytest.mark.parametrize("name", BYTES_7)
def test_line_7_holds_bytes_that_are_no_text(personascope, server, name):
    path = personascope.folder / "requests.jsonl"
    path.write_bytes(b"\n".join([*(line.encode() for line in GOOD[:6]), BYTES_7[name], b""]))
    ended = personascope.batch(path, server)
    assert_wrong_use(ended, server, "requests.jsonl, line 7: ", "not valid JSON")


def test_a_line_without_end(personascope, server):
    path = personascope.folder / "requests.jsonl"
    path.write_text(GOOD[0] + "\n" + "x" * (33 << 20))
    assert_wrong_use(personascope.batch(path, server), server, "line 2", "longer than")


@pytest.mark.parametrize(
    "lines", [[chat("same", "a"), chat("b", "b"), chat("same", "c")], [chat(1, "a"), chat("1", "b")]]
)
def test_duplicate_ids(personascope, server, lines):
    ended = personascope.batch(personascope.write("requests.jsonl", lines), server)
    last = len(lines)
    assert_wrong_use(
        ended, server, f"requests.jsonl, line {last}: ", "same id as line 1", "must differ"
    )


@pytest.mark.parametrize("content", ["", "\n\n  \n", "\ufeff"])
def test_an_empty_file(personascope, server, content):
    path = personascope.folder / "requests.jsonl"
    path.write_text(content)
    ended = personascope.batch(path, server)
    assert_wrong_use(ended, server, "requests.jsonl", "no requests", "one JSON object per line")


def test_a_directory_and_a_missing_file(personascope, server):
    ended = personascope.batch(personascope.folder, server)
    assert_wrong_use(ended, server, str(personascope.folder), "is a folder", "name a file")
    ended = personascope.batch("nowhere.jsonl", server)
    assert_wrong_use(ended, server, "nowhere.jsonl", "no such file")


@pytest.mark.parametrize(
    "model, words",
    [
        ("gpt-4o", ["provider/model", "personascope models"]),
        ("opnai/gpt-4o", ["opnai/gpt-4o", "did you mean openai"]),
        ("openai/", ["provider/model"]),
        ("/", ["provider/model"]),
        ("scripted/nowhere.yaml", ["nowhere.yaml", "no such file"]),
        ("openai-api/justaname", ["openai-api/<name>/<model>"]),
    ],
)
def test_an_unknown_model(personascope, server, model, words):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    assert_wrong_use(personascope.batch(requests, server, model=model), server, *words)


def test_a_missing_key_names_its_variable(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    for model, variable in [
        (MODEL, "OPENAI_API_KEY"),
        ("anthropic/claude-3-5-sonnet-20241022", "ANTHROPIC_API_KEY"),
        ("bedrock/some-model", "AWS_ACCESS_KEY_ID"),
        ("azure/my-deployment", "AZURE_OPENAI_API_KEY"),
    ]:
        ended = personascope("batch", requests, "--model", model)
        assert_wrong_use(ended, server, variable)


@pytest.mark.parametrize("address", ["127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", ""])
def test_an_address_that_is_none(personascope, server, address):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope("batch", requests, "--model", MODEL, "--base-url", address)
    assert ended.code == 2
    assert "base" in ended.err.lower()


@pytest.mark.parametrize(
    "words",
    [
        ["--max-connections", "0"],
        ["--fixed-connections", "0"],
        ["--max-connections", "many"],
        ["--max-calls", "-1"],
        ["--max-cost", "free"],
        ["--rpm", "0"],
        ["--timeout", "-1"],
        ["--timeout", "nan"],
        ["--max-retries", "1.5"],
        ["--fail-on-error", "x"],
        ["--no-such-flag"],
        ["unexpected"],
        ["--prices", "nowhere.yaml"],
    ],
)
def test_a_wrong_flag(personascope, server, words):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope.batch(requests, server, *words)
    assert ended.code == 2, ended.err
    assert words[0].lstrip("-") in ended.err or words[-1] in ended.err
    assert ended.err.count("\n") == 1, "one sentence, not: " + ended.err
    assert server.requests() == 0


def test_an_empty_value_is_no_default(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    for flag in ("--model", "--output", "--store"):
        ended = personascope("batch", requests, flag, "")
        assert_wrong_use(ended, server, flag, "empty")
        assert_wrong_use(personascope("batch", flag + "=", requests), server, flag, "empty")
    for words in (["batch", ""], ["explain-miss", "1", ""], ["compare", requests, "--id", ""],
                  ["compare", requests, "--columns", ""], ["calibrate", requests, "--score", ""],
                  ["agreement", requests, "--level", ""], ["plan", "--half-width", ""], ["card", "gym", "--run", ""],
                  ["gym", "run", "--save_name", ""], ["lens", "run", "-i", ""], ["lens", "gather", "-i", ""]):
        assert_wrong_use(personascope(*words), server, "empty")


def test_a_wrong_variable(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope.batch(requests, server, env={"PERSONASCOPE_MAX_CALLS": "many"})
    assert ended.code == 2
    assert "MAX_CALLS" in ended.err.upper().replace("-", "_")
    assert server.requests() == 0


def test_no_command_and_an_unknown_one(personascope, server):
    assert personascope().code == 2
    assert_wrong_use(personascope("batsh"), server, "batsh", "did you mean batch?")
    alone = personascope("estimate")
    assert alone.code == 2 and alone.out == "" and "estimate batch" in alone.err
    assert_wrong_use(personascope("estimate", "nothing"), server, "can be estimated")


def test_fresh_and_replay_exclude_each_other(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope.batch(requests, server, "--fresh", "--replay")
    assert ended.code == 2
    assert "--fresh" in ended.err and "--replay" in ended.err


def test_a_run_that_is_not_there(personascope, server):
    personascope.write("one.jsonl", [chat("a", "Hi?")])
    assert personascope.batch("one.jsonl", server, "-o", "one-answer.jsonl").code == 0
    server.reset()
    for command in ("show", "resume", "rescore", "explain-miss"):
        ended = personascope(command, "42")
        assert_wrong_use(ended, server, "42")
        assert personascope(command, "x").code == 2


def test_resume_notices_that_the_input_has_changed(personascope, server):
    requests = personascope.write("requests.jsonl", [chat(str(i), f"{i}?") for i in range(5)])
    assert personascope.batch(requests, server, "--max-calls", "2", "-o", "a.jsonl").code == 1
    server.reset()
    personascope.write("requests.jsonl", [chat(str(i), f"{i}!") for i in range(5)])
    ended = personascope("resume", "1")
    assert_wrong_use(ended, server, "requests.jsonl", "has changed", "start a new batch")
    requests.unlink()
    assert_wrong_use(personascope("resume", "1"), server, "requests.jsonl", "no such file")


@pytest.mark.parametrize(
    "content, words",
    [
        ("models: [1]", ["models"]),
        ("models:\n  openai/gpt-4o: {input: 1}", ["openai/gpt-4o", "output"]),
        ("models: {", ["prices.yaml"]),
        ("just text", ["models"]),
    ],
)
def test_a_price_file_that_is_wrong(personascope, server, content, words):
    (personascope.folder / "prices.yaml").write_text(content)
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope.batch(requests, server, "--prices", "prices.yaml")
    assert_wrong_use(ended, server, "prices.yaml", *words)


def test_an_env_file_that_is_wrong(personascope, server):
    (personascope.folder / ".env").write_text("GOOD=1\nthis is no assignment\n")
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    assert_wrong_use(personascope.batch(requests, server), server, ".env", "line 2", "NAME=value")


def test_an_error_is_a_json_document_too(personascope, server):
    path = personascope.folder / "requests.jsonl"
    path.write_text("nonsense\n")
    ended = personascope.batch(path, server, "-o", "answers.jsonl", "--json")
    assert ended.code == 2
    error = ended.json()["error"]
    assert error["kind"] == "invalid" and "line 1" in error["message"]
    assert not (personascope.folder / "answers.jsonl").exists()


def test_wrong_use_is_a_json_document_too(personascope, server):
    for words in (["batch", "--no-such-flag", "--json"], ["batsh", "--json"], ["batch", "--json"]):
        ended = personascope(*words)
        assert ended.code == 2
        assert ended.json()["error"]["kind"] == "invalid"
        assert ended.json()["error"]["message"] in ended.err


def test_an_estimate_needs_neither_key_nor_address(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    for model in (MODEL, "anthropic/claude-3-5-sonnet-20241022", "azure/mine", "openai-api/mine/x"):
        ended = personascope("estimate", "batch", requests, "--model", model, "--json")
        assert ended.code == 0, ended.err
        assert ended.json()["calls"] == 1
    ended = personascope("estimate", "gym", "run", "--model", MODEL, "--judge", MODEL, "--limit", "1", "--json")
    assert ended.code == 0, ended.err


def test_the_output_may_not_be_the_input(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ended = personascope.batch(requests, server, "-o", "requests.jsonl")
    assert_wrong_use(ended, server, "requests.jsonl")
    assert requests.read_text() == json.dumps(chat("x", "Hello")) + "\n"


def test_nor_when_its_judge_is_asked_again(personascope):
    line = chat("q/judge", "Score this.") | {"role": "judge"}
    requests = personascope.write("requests.jsonl", [line])
    (personascope.folder / "replies.yaml").write_text("rules:\n  - reply: '4'\n")
    assert personascope("batch", requests, "--model", "scripted/replies.yaml", "-o", "answers.jsonl").code == 0
    ended = personascope("rescore", "1", "-o", "requests.jsonl")
    assert ended.code == 2 and "name another file with --output" in ended.err
    assert json.loads(requests.read_text()) == line
