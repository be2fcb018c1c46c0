"""What reaches a terminal, and what a pipe."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import termios
import time

import pytest

from harness import BIN, MODEL, ask_words, chat

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

ESCAPE = "\x1b"


def in_terminal(personascope, *args, env=None, timeout=20, keys=(), columns=None, close_at=None, hangup=signal.SIG_DFL):
    """Runs the program on a terminal; gives its exit code and all that the terminal received.

    `keys` are typed, each as many seconds after the start as it says. The terminal is closed as soon as it has
    received `close_at`. `hangup` is what SIGHUP does when the program starts; a test that runs under nohup would
    pass on that it is ignored."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            signal.signal(signal.SIGHUP, hangup)
            if columns:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.chdir(personascope.folder)
            surrounding = {**personascope.env, "TERM": "xterm-256color", **(env or {})}
            os.execve(BIN / "personascope", ["personascope", *map(str, args)], surrounding)
        finally:  # never go on as a second pytest
            os._exit(127)
    received = b""
    keys = list(keys)
    start = time.monotonic()
    while time.monotonic() < start + timeout:
        if keys and time.monotonic() > start + keys[0][0]:
            os.write(terminal, keys.pop(0)[1])
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
        if close_at and close_at in received:
            break
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), received.decode()


def without_our_own(text):
    """Without colours, the erasing of a line, and carriage returns: what the bar itself uses."""
    return re.sub(r"\x1b\[(\d*m|K)|\r", "", text)


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


def test_a_terminal_without_escapes_gets_none_at_all(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", f"[[say {SPITEFUL}]]")])
    for words in (
        ask_words(server, f"[[say {SPITEFUL}]]"),
        ask_words(server, f"[[say {SPITEFUL}]]", "--json"),
        personascope.batch_words(requests, server),
    ):
        for term in ("dumb", ""):
            _, received = in_terminal(personascope, *words, env={"TERM": term})
            assert "gone" in received
            assert not set(received) & set("\x1b\x07\x9b\x08\x7f"), repr(received)


def test_characters_that_reorder_a_line_never_reach_a_terminal(personascope, server):
    controls = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    said = "pay " + "x".join(controls) + " שלום"
    words = ask_words(server, f"[[say {said}]]")
    received = in_terminal(personascope, *words)[1]
    assert "pay " in received and "שלום" in received
    assert not set(received) & set(controls)
    assert personascope(*words).out == said + "\n", "a pipe gets the text as it is"


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


def test_answers_on_a_terminal_begin_at_the_edge_and_not_behind_the_bar(personascope, loopback):
    server = loopback(latency_ms=400)
    requests = personascope.write("requests.jsonl", [chat(f"q{i}", f"Is it {i}?") for i in range(6)])
    words = personascope.batch_words(requests, server, "--max-connections", 2)
    code, received = in_terminal(personascope, *words)
    assert code == 0 and "in flight" in received
    # What a line shows is what follows the last return to its beginning.
    shown = [line.split("\r")[-1].replace("\x1b[K", "") for line in received.split("\r\n")]
    assert [line[:9] for line in shown if '"id"' in line] == [f'{{"id":"q{i}' [:9] for i in range(6)]


def test_the_second_ctrl_c_leaves_the_line_of_the_bar(personascope, loopback):
    server = loopback(latency_ms=3000)
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    words = personascope.batch_words(requests, server, "-o", "a.jsonl")
    code, received = in_terminal(personascope, *words, keys=[(1.0, b"\x03"), (1.5, b"\x03")])
    assert code == 130 and "finishing what is in flight" in received
    assert received.endswith("\n")


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


def shown_lines(received):
    """What stands in each line in the end."""
    return [line.split("\r")[-1] for line in re.sub(r"\x1b\[(\d*m|K)", "", received).replace("\r\n", "\n").split("\n")]


def assert_fits(received, columns, words):
    for line in shown_lines(received):
        # A path or a name that is longer than a line is kept whole, on a line of its own, to be copied.
        assert len(line) <= columns or len(line.split()) == 1, f"{words}: {len(line)} columns: {line!r}"


@pytest.mark.parametrize("columns", [80, 120])
def test_everything_fits_the_terminal(personascope, server, columns):
    long_id = "question/" * 8 + "7"  # 73 columns
    requests = personascope.write(
        "requests.jsonl",
        [chat("x", "[[say Hello]]"), chat("y", "[[refuse]]"), chat("z", "[[status 400]]"), chat(long_id, "Why?")],
    )
    personascope.batch(requests, server, "-o", "a.jsonl", "--tag", "first")
    table = ("--cluster", "persona", "--scale", "1-5")
    judged = (EXAMPLES / "judged.csv", "--judge", "judge", "--human", "human", *table)
    for words in (
        ("runs",),
        ("show", "1"),
        ("show", "1", "--outcome", "failed"),
        ("models",),
        ("doctor", "--model", MODEL),
        ("import",),
        ("show", "1", "--item", long_id),
        ("card", "gym"),
        ("card", "bench"),
        ("card", "lens"),
        ("estimate", "gym", "run", "--limit", "2", "--model", MODEL, "--judge", "openai/gpt-4o-mini"),
        ("compare", EXAMPLES / "scores.csv", "--columns", "run_a,run_b,run_c", *table),
        ("agreement", EXAMPLES / "raters.csv", "--scale", "1-5"),
        ("calibrate", *judged),
        ("judge-card", *judged),
        ("plan", EXAMPLES / "scores.csv", "--columns", "run_a", "--cluster", "persona", "--half-width", "0.2"),
        ("lens", "run", "--tasks", "1"),
        ("store", "chekc"),
        ("batch", "requests.jsonl", "--model", MODEL, "--base-url", "http://127.0.0.1:1/v1", "--max-retries", "0", "--fresh",
         "-o", "b.jsonl"),
    ):
        received = in_terminal(personascope, *words, env={"OPENAI_API_KEY": "k"}, columns=columns)[1]
        assert_fits(received, columns, words)


def test_the_help_of_every_command_fits_80_columns(personascope):
    commands = re.findall(r"^  ([a-z-]+) {2,}", personascope("--help").out.split("Commands:")[1], re.M)
    assert len(commands) > 25
    below = [("gym", "run"), ("gym", "leaderboard"), ("bench", "main"), ("bench", "personas"), ("lens", "run"),
             ("lens", "gather"), ("lens", "profiles"), ("store", "check")]
    for words in [(command,) for command in commands] + below:
        received = in_terminal(personascope, "help", *words, columns=80)[1]
        assert "Usage" in received
        assert_fits(received, 80, words)


def test_the_bar_keeps_the_reason_and_the_acknowledgement_at_80_columns(personascope, loopback):
    server = loopback(rate_limit=0.001, retry_after=30)
    requests = personascope.write("requests.jsonl", [chat(str(i), f"Question {i}?") for i in range(40)])
    words = personascope.batch_words(requests, server, "-o", "a.jsonl")
    code, received = in_terminal(personascope, *words, columns=80, keys=[(4.0, b"\x03"), (6.0, b"\x03")])
    assert code == 130
    assert "waiting" in received and "rate limit" in received
    for bar in re.findall(r"\r(\[[^\r]*)\x1b\[K", received):
        assert len(bar) <= 80, bar


def words_of_a_slow_batch(personascope, loopback):
    server = loopback(latency_ms=1500)
    requests = personascope.write("requests.jsonl", [chat(str(i), f"Question {i}?") for i in range(4)])
    return personascope.batch_words(requests, server, "-o", "a.jsonl", "--max-connections", 1)


def test_a_terminal_that_is_closed_ends_the_run_in_order(personascope, loopback):
    words = words_of_a_slow_batch(personascope, loopback)
    code, _ = in_terminal(personascope, *words, close_at=b"in flight")
    assert code == 130, "not aborted"
    run = personascope("runs", "--json").json()["runs"][0]
    assert run["state"] == "stopped"
    assert personascope("resume", "1").code == 0


def test_a_terminal_that_is_closed_does_not_end_a_run_that_ignores_it(personascope, loopback):
    words = words_of_a_slow_batch(personascope, loopback)
    code, _ = in_terminal(personascope, *words, close_at=b"in flight", hangup=signal.SIG_IGN)  # as with nohup
    assert code == 0
    assert personascope("runs", "--json").json()["runs"][0]["state"] == "done"
