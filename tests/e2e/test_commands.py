"""The other commands, and help."""

import json
import re

import pytest

from harness import MODEL, ask_words, chat

COMMANDS = [
    "batch", "ask", "models", "doctor", "runs", "show", "resume", "rescore", "explain-miss", "estimate",
    "compare", "agreement", "calibrate", "judge-card", "plan", "completion", "man", "help", "version",
]  # fmt: skip


def test_ask_prints_the_answer(personascope, server):
    ended = personascope(*ask_words(server, "[[say Hello, keeper of the light]]"))
    assert ended.code == 0, ended.err
    assert ended.out == "Hello, keeper of the light\n"
    (body,) = server.bodies()
    assert body["stream"] is True


def test_ask_streams(personascope, server):
    process = personascope.start(*ask_words(server, "[[say one two three]]"))
    assert personascope.end(process).out == "one two three\n"


def test_ask_uses_the_journal(personascope, server):
    first = personascope(*ask_words(server, "Hello"))
    again = personascope(*ask_words(server, "Hello"))
    assert again.out == first.out and server.requests() == 1
    assert "stored answer" in again.err
    quiet = personascope(*ask_words(server, "Hello", "--quiet"))
    assert quiet.err == "" and quiet.out == first.out
    assert personascope(*ask_words(server, "Hello", "--fresh")).code == 0
    assert server.requests() == 2
    assert personascope(*ask_words(server, "Hello", "--replay")).out == first.out
    missing = personascope(*ask_words(server, "Something else", "--replay"))
    assert missing.code != 0 and "not in the journal" in missing.err
    assert server.requests() == 2


def test_ask_as_json(personascope, server):
    words = ask_words(server, "[[say Hello]]", "--json", "--system", "Be brief.")
    ended = personascope(*words)
    answer = ended.json()
    assert answer["text"] == "Hello" and answer["outcome"] == "answered" and answer["finish"] == "stop"
    assert answer["from_journal"] is False and answer["cost_usd"] > 0
    assert answer["model"] == "gpt-4o" and answer["usage"]["output_tokens"] > 0
    again = personascope(*words).json()
    assert again["from_journal"] is True and again["cost_usd"] == 0 and again["text"] == "Hello"
    (body,) = server.bodies()
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}


def test_ask_reads_standard_input(personascope, server):
    process = personascope.start(*ask_words(server, "-"), stdin=-1)
    process.stdin.write("[[say from a pipe]]".encode())
    process.stdin.close()
    process.stdin = None
    assert personascope.end(process).out == "from a pipe\n"


def test_ask_for_a_form(personascope, server):
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    (personascope.folder / "person.json").write_text(json.dumps(schema))
    ended = personascope(*ask_words(server, "A person", "--schema", "person.json"))
    assert ended.code == 0, ended.err
    assert isinstance(json.loads(ended.out)["age"], int)
    assert personascope(*ask_words(server, "A person", "--schema", "nowhere.json")).code == 2


def test_ask_that_is_refused_or_fails(personascope, server):
    refused = personascope(*ask_words(server, "[[refuse]]", "--json"))
    assert refused.code == 0 and refused.json()["outcome"] == "refused"
    filtered = personascope(*ask_words(server, "[[filter]]", "--json"))
    assert filtered.code == 0 and filtered.json()["outcome"] == "refused"
    failed = personascope(*ask_words(server, "[[status 400]]", "--json"))
    assert failed.code == 1 and failed.json()["outcome"] == "failed"
    assert failed.json()["error"]["kind"] == "invalid"
    assert "HTTP 400" in failed.err


@pytest.mark.parametrize(
    "fault", ["Hello", "[[refuse]]", "[[filter]]", "[[status 400]]", "[[status 401]]", "[[status 404]]", "[[status 500]]"]
)  # fmt: skip
def test_ask_ends_with_the_code_of_a_batch_of_one_line(personascope, server, fault):
    requests = personascope.write("requests.jsonl", [chat("x", fault)])
    batch = personascope.batch(requests, server, "--max-retries", "0")
    ask = personascope(*ask_words(server, fault, "--max-retries", "0"))
    assert ask.code == batch.code, (ask.err, batch.err)


def test_a_stream_that_breaks_off_is_not_taken_for_an_answer(personascope, server):
    ended = personascope(*ask_words(server, "[[cut]] Hello", "--max-retries", "0"))
    assert ended.code == 1
    again = personascope(*ask_words(server, "[[cut]] Hello", "--max-retries", "0"))
    assert again.code == 1 and server.requests() == 2


def test_a_stream_that_breaks_off_and_is_tried_again_prints_the_answer_once(personascope, server):
    ended = personascope(*ask_words(server, "[[cut times=1]] [[say one two three four five six]]"))
    assert ended.code == 0, ended.err
    assert ended.out.count("six") == 1
    assert ended.out == "one two three four five six\n"


def test_models(personascope):
    ended = personascope("models", "--json", env={"CLAUDE_API_KEY": "k", "LLAMA_API_KEY": "k"})
    providers = {provider["name"]: provider for provider in ended.json()["providers"]}
    for name in (
        "openai anthropic together groq mistral deepseek fireworks openrouter ollama vllm "
        "llama-server azure bedrock openai-api scripted"
    ).split():
        assert name in providers
    assert providers["anthropic"]["ready"] and providers["anthropic"]["key_variable"] == "CLAUDE_API_KEY"
    assert providers["together"]["ready"] and providers["together"]["key_variable"] == "LLAMA_API_KEY"
    assert not providers["openai"]["ready"] and "OPENAI_API_KEY" in providers["openai"]["missing"]
    assert [name for name in providers if providers[name]["likelihood"]] == ["vllm", "embedded"]
    table = personascope("models")
    assert table.code == 0 and "OPENAI_API_KEY" in table.out


def test_doctor(personascope, server):
    words = ("doctor", "--model", MODEL, "--base-url", server.url)
    assert personascope(*words).code == 0
    assert server.requests() == 0, "nothing is paid for that was not asked for"
    unasked = personascope("doctor", env={"PERSONASCOPE_MODEL": MODEL, "PERSONASCOPE_ASK": "1",
                                          "PERSONASCOPE_BASE_URL": server.url})  # fmt: skip
    assert unasked.code == 0 and server.requests() == 0
    ended = personascope(*words, "--ask")
    assert server.requests() == 1
    assert ended.code == 0, ended.out
    assert "answers in" in ended.out
    found = personascope("doctor", "--json").json()
    assert found["healthy"] is True
    assert {finding["what"] for finding in found["findings"]} >= {"program", "store", "disk", "keys"}
    (embedded,) = [finding for finding in found["findings"] if finding["what"] == "embedded model"]
    assert "kernels cpu-" in embedded["detail"]
    missing = personascope("doctor", env={"PERSONASCOPE_MODELS": "/nowhere"})
    assert missing.code == 0 and "run scripts/setup-model" in missing.out


def test_doctor_says_what_is_broken_and_how_to_mend_it(personascope, server):
    personascope.home.mkdir()
    personascope.store.write_bytes(b"garbage" * 1000)
    ended = personascope("doctor", "--json")
    assert ended.code == 1
    found = ended.json()
    assert found["healthy"] is False
    (store,) = [finding for finding in found["findings"] if finding["what"] == "store"]
    assert store["health"] == "bad" and store["remedy"]
    assert personascope("doctor", "--model", "nobody/x").code == 1
    assert personascope("doctor", "--ask").code == 2
    wrong = personascope("doctor", "--model", MODEL, "--ask", "--base-url", server.url + "/[[nowhere]]")
    assert wrong.code == 1


def test_runs_and_show(personascope, server):
    assert "no runs yet" in personascope("runs").out
    assert personascope("runs", "--json").json() == {"runs": []}
    lines = [chat("good", "Hello"), chat("no", "[[refuse]]"), chat("bad", "[[status 400]]")]
    requests = personascope.write("requests.jsonl", lines)
    personascope.batch(requests, server)
    personascope.batch(requests, server)
    (newest, oldest) = personascope("runs", "--json").json()["runs"]
    assert (newest["run"], oldest["run"]) == (2, 1)
    assert oldest["outcomes"] == {"ok": 1, "answered": 1, "scored": 0, "abstained": 0, "refused": 1, "empty": 0,
                                  "failed": 1}
    assert oldest["model"] == MODEL and oldest["started_at"].endswith("Z")
    assert len(personascope("runs", "--limit", "1", "--json").json()["runs"]) == 1
    table = personascope("runs").out
    assert "openai/gpt-4o" in table and "done" in table

    shown = personascope("show", "1", "--json").json()
    assert {(reason["outcome"], reason["count"]) for reason in shown["reasons"]} == {("refused", 1), ("failed", 1)}
    assert shown["spending"]["calls"] == 3
    (good,) = personascope("show", "1", "--outcome", "answered", "--json").json()["items"]
    assert good["id"] == "good"
    told = personascope("show", "1").out
    assert "HTTP 400" in told and "3: 1 answered, 1 refused, 1 failed" in told


def test_estimate(personascope, server):
    lines = [chat(str(i), f"Question {i}?", max_tokens=100) for i in range(10)]
    requests = personascope.write("requests.jsonl", lines)
    words = (requests, "--model", MODEL, "--base-url", server.url)
    estimate = personascope("estimate", "batch", *words, "--json").json()
    assert estimate["lines"] == estimate["calls"] == 10 and estimate["from_journal"] == 0
    assert estimate["most_output_tokens"] == 1000
    assert estimate["most_cost_usd"] == pytest.approx(
        (estimate["input_tokens"] * 2.5 + 1000 * 10) / 1e6
    )
    assert estimate["seconds"] is None
    assert server.requests() == 0
    assert personascope("runs", "--json").json()["runs"] == []

    assert personascope("batch", *words).code == 0
    more = personascope.write("requests.jsonl", lines + [chat("new", "New?", max_tokens=100)])
    estimate = personascope("estimate", "batch", *words, "--json").json()
    assert estimate["calls"] == 1 and estimate["from_journal"] == 10
    assert estimate["seconds"] is not None
    text = personascope("batch", more, *words[1:], "--estimate")
    assert text.code == 0 and "$" in text.out
    unknown = personascope("estimate", "batch", more, "--model", "openai/unheard-of", *words[3:])
    assert unknown.code == 0 and "unknown: no price" in unknown.out
    assert server.requests() == 10


def test_version(personascope):
    ended = personascope("--version")
    assert ended.code == 0 and re.fullmatch(r"(personascope )?\d+\.\d+\.\d+\S*\n", ended.out)


@pytest.mark.parametrize("words", [("version",), ("-V",)])
def test_version_in_other_words(personascope, words):
    ended = personascope(*words)
    assert ended.code == 0 and ended.err == "" and ended.out == personascope("--version").out


@pytest.mark.parametrize(
    "words",
    [("gym",), ("bench",), ("lens",), ("gym", "run"), ("show",), ("judge", "card"), ("estimate",), ("lens", "gather")],
)
def test_help_in_other_words(personascope, words):
    ended = personascope("help", *words)
    assert ended.code == 0 and ended.err == "", ended.err
    assert ended.out == personascope(*words, "--help").out
    assert personascope("help").out == personascope("--help").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gym",), "Commands:"),
        (("bench",), "Commands:"),
        (("lens",), "Commands:"),
        (("store",), "Commands:"),
        (("estimate", "gym"), "Commands:"),
        (("estimate",), "Examples:"),
        (("show",), "\npersonascope: RUN is required"),
        (("compare",), "\npersonascope: RUN|FILE is required"),
        (("batch",), "\npersonascope: REQUESTS is required"),
    ],
)
def test_a_command_that_needs_more_shows_its_help(personascope, words, said):
    ended = personascope(*words)
    assert ended.code == 2 and ended.out == ""
    assert said in ended.err and f"personascope {words[-1]}" in ended.err


def test_a_dry_run_is_an_estimate(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    words = ("batch", requests, "--model", MODEL, "--base-url", server.url, "--json")
    assert personascope(*words, "--dry-run").json() == personascope(*words, "--estimate").json()
    assert server.requests() == 0 and personascope("gym", "run", "--limit", "1", "--dry-run").code == 0


def test_the_help_of_compare_names_runs(personascope):
    text = personascope("compare", "--help").out
    assert "RUN|FILE" in text.split("\n")[1] + text and "runs by their numbers" in text


def test_help_of_the_program(personascope):
    ended = personascope("--help")
    assert ended.code == 0
    for command in COMMANDS:
        assert command in ended.out
    assert "Exit codes" in ended.out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_examples(personascope, command):
    ended = personascope(command, "--help")
    assert ended.code == 0
    assert "Examples:" in ended.out
    assert f"personascope {command}" in ended.out


def test_without_a_command_the_help_is_shown(personascope):
    ended = personascope()
    assert ended.code == 2 and ended.out == ""
    assert "Commands:" in ended.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("batch", "x", "--max-conections", "4"), "personascope batch has no flag --max-conections; did you mean --max-connections? (see `personascope batch --help`)"),
        (("gym", "run", "--cost", "4"), "personascope gym run has no flag --cost; did you mean --max-cost?"),
        (("gym", "run", "--workers", "4"), "--max-connections N limits"),
        (("gym", "run", "--concurrency=4"), "--max-connections N limits"),
        (("gym", "run", "--no-cache"), "--fresh asks again"),
        (("gym", "run", "--format", "csv"), "-o FILE.csv"),
        (("gym", "run", "--verbose"), "show RUN --prompts"),
        (("gym", "--limit", "2"), "personascope gym run has it"),
        (("help", "gmy"), "did you mean gym?"),
        (("gym", "rum"), 'personascope gym has no command "rum"; did you mean run?'),
        (("store", "quark"), 'personascope store has no command "quark"; it has check, compact'),
        (("help", "gym", "rnu"), 'personascope gym has no command "rnu"; did you mean run?'),
        (("estimate", "ask", "Hello"), "can be estimated"),
        (("show", "abc"), '"abc" is not the number of a run'),
        (("batch", "-", "--model", MODEL), "must be in a file"),
        (("ask", " ", "--model", MODEL), "the prompt is empty"),
    ],
)  # fmt: skip
def test_wrong_use_is_told_in_a_sentence(personascope, words, said):
    ended = personascope(*words, env={"OPENAI_API_KEY": "k"})
    assert ended.code == 2 and said in ended.err and ended.err.count("\n") == 1


def test_show_has_the_words_of_a_refusal(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("no", "[[refuse]]")])
    answers = personascope.batch(requests, server).out
    assert json.loads(answers)["text"] in personascope("show", "1").out
