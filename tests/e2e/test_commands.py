"""The other commands, help, and what reaches a terminal or a pipe."""

import json
import os
import pty
import re
import select
import time

import pytest

from harness import BIN, MODEL, chat

COMMANDS = [
    "batch", "ask", "models", "doctor", "runs", "show", "resume", "rescore", "explain-miss", "estimate",
]  # fmt: skip
ESCAPE = "\x1b"


def ask_words(server, prompt, *args):
    return ("ask", prompt, "--model", MODEL, "--base-url", server.url, *args)


def in_terminal(personascope, *args, env=None, timeout=20):
    """Runs the program on a terminal; gives its exit code and all that the terminal received."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(personascope.folder)
        surrounding = {**personascope.env, "TERM": "xterm-256color", **(env or {})}
        os.execve(BIN / "personascope", ["personascope", *map(str, args)], surrounding)
    received = b""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if not ready:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        received += piece
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), received.decode()


def without_our_own(text):
    """Without colours, the erasing of a line, and carriage returns: what the bar itself uses."""
    return re.sub(r"\x1b\[(\d*m|K)|\r", "", text)


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
    assert "answered before" in again.err
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
    assert answer["text"] == "Hello" and answer["outcome"] == "ok" and answer["finish"] == "stop"
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
    assert refused.code in (0, 1) and refused.json()["outcome"] == "refused"
    failed = personascope(*ask_words(server, "[[status 400]]", "--json"))
    assert failed.code != 0
    assert failed.json()["error"]["kind"] == "invalid"
    assert "HTTP 400" in failed.err


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
    table = personascope("models")
    assert table.code == 0 and "OPENAI_API_KEY" in table.out


def test_doctor(personascope, server):
    ended = personascope("doctor", "--model", MODEL, "--base-url", server.url)
    assert ended.code == 0, ended.out
    assert "answers in" in ended.out
    found = personascope("doctor", "--json").json()
    assert found["healthy"] is True
    assert {finding["what"] for finding in found["findings"]} >= {"program", "store", "disk", "keys"}


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
    wrong = personascope("doctor", "--model", MODEL, "--base-url", server.url + "/[[nowhere]]")
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
    assert oldest["outcomes"] == {"ok": 1, "refused": 1, "failed": 1}
    assert oldest["plan"]["model"] == MODEL and oldest["started_at"].endswith("Z")
    assert len(personascope("runs", "--limit", "1", "--json").json()["runs"]) == 1
    table = personascope("runs").out
    assert "openai/gpt-4o" in table and "done" in table

    shown = personascope("show", "1", "--json").json()
    assert {(unit["item"], unit["outcome"]) for unit in shown["shown"]} == {
        ("no", "refused"),
        ("bad", "failed"),
    }
    assert shown["spending"]["calls"] == 3
    (good,) = personascope("show", "1", "--outcome", "ok", "--json").json()["shown"]
    assert good["item"] == "good"
    told = personascope("show", "1").out
    assert "HTTP 400" in told and "1 ok, 1 refused, 1 failed" in told


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


SPITEFUL = "\x1b[2Jgone\x1b]0;title\x07\x9b31mred\x08\x7f end"


def test_escape_sequences_of_an_answer_never_reach_a_terminal(personascope, server):
    words = ask_words(server, f"[[say {SPITEFUL}]]")
    code, received = in_terminal(personascope, *words)
    assert code == 0
    assert "gone" in received and "end" in received
    shown = without_our_own(received)
    for control in (ESCAPE, "\x07", "\x9b", "\x08", "\x7f"):
        assert control not in shown
    again = in_terminal(personascope, *words)[1]  # from the journal
    assert ESCAPE not in without_our_own(again)


def test_a_pipe_gets_the_text_as_it_is(personascope, server):
    ended = personascope(*ask_words(server, f"[[say {SPITEFUL}]]"))
    assert ended.out == SPITEFUL + "\n"
    requests = personascope.write("requests.jsonl", [chat("x", f"[[say {SPITEFUL}]]")])
    piped = personascope.batch(requests, server)
    assert json.loads(piped.out)["text"] == SPITEFUL
    for words in (
        personascope.batch_words(requests, server),
        ask_words(server, f"[[say {SPITEFUL}]]", "--json"),
    ):
        received = without_our_own(in_terminal(personascope, *words)[1])
        assert "gone" in received
        assert not set(received) & set("\x1b\x07\x9b\x08\x7f")


def test_escape_sequences_elsewhere_never_reach_a_terminal(personascope, server):
    bad = "\x1b[2Jx\x9b31m"
    (personascope.folder / f"{bad}.jsonl").write_text("nonsense\n")
    requests = personascope.write(
        "requests.jsonl", [chat(f"id{bad}", "[[status 400]]"), chat("y", f"[[nothing]]{bad}")]
    )
    personascope.batch(requests, server)
    schema = {"type": "object", "required": [bad], "additionalProperties": False}
    (personascope.folder / "schema.json").write_text(json.dumps(schema))
    for words in (
        ("batch", f"{bad}.jsonl", "--model", MODEL),
        ("batch", "requests.jsonl", "--model", bad),
        ("batch", "requests.jsonl", "--model", f"openai/{bad}", "--max-cost", "1"),
        ("batch", "requests.jsonl", "--model", MODEL, "--base-url", f"x{bad}"),
        ("batch", "requests.jsonl", "--model", MODEL, "--max-calls", bad),
        ("batch", "requests.jsonl", "--model", MODEL, "-o", f"no/{bad}/x"),
        ("show", "1"),
        ("runs",),
        ("explain-miss", "1"),
        ("runs", "--store", f"/proc/{bad}/x.db"),
        ("doctor", "--store", f"/proc/{bad}/x.db"),
        ("doctor", "--model", bad),
        ("models", "--prices", f"{bad}.yaml"),
        ("ask", "[[say {}]]", "--model", MODEL, "--base-url", server.url, "--schema", "schema.json"),
        (f"ask{bad}",),
    ):
        _, received = in_terminal(personascope, *words, env={"OPENAI_API_KEY": "k"})
        shown = without_our_own(received)
        assert ESCAPE not in shown and "\x9b" not in shown, f"{words}: {shown!r}"


def test_colours_on_a_terminal_only_and_not_against_the_user_s_wish(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    words = personascope.batch_words(requests, server)
    assert "\x1b[32m" in in_terminal(personascope, *words)[1]
    assert ESCAPE not in in_terminal(personascope, *words, env={"NO_COLOR": "1"})[1]
    assert ESCAPE not in in_terminal(personascope, *words, env={"TERM": "dumb"})[1]
    for command in (words, ["runs"], ["show", "1"], ["models"], ["doctor"], ["show", "42"], ["--help"]):
        piped = personascope(*command, env={"TERM": "xterm-256color"})
        assert ESCAPE not in piped.out + piped.err


def test_a_bar_on_a_terminal_and_none_when_quiet(personascope, loopback):
    server = loopback(latency_ms=300)
    lines = [chat(str(i), f"Question {i}?") for i in range(30)]
    requests = personascope.write("requests.jsonl", lines)
    words = personascope.batch_words(requests, server, "--max-connections", 10, "-o", "a.jsonl")
    code, received = in_terminal(personascope, *words)
    assert code == 0
    assert "in flight" in received and "/30" in received
    code, received = in_terminal(personascope, *words, "--fresh", "--quiet")
    assert code == 0 and received == ""
