"""The first Ctrl-C drains and saves, the second ends at once."""

import signal
import time

import pytest

from harness import answers_of, chat

FORTY = [chat(str(i), f"Question {i}?") for i in range(40)]


def start(personascope, requests, server, *args):
    words = ("--max-connections", 4, "-o", "answers.jsonl", *args)
    return personascope.start(*personascope.batch_words(requests, server, *words))


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_once_drains_and_resuming_gives_the_same_bytes(personascope, loopback, which):
    server = loopback(latency_ms=150)
    requests = personascope.write("requests.jsonl", FORTY)
    output = personascope.folder / "answers.jsonl"
    process = start(personascope, requests, server)
    server.wait_for_requests(9)
    process.send_signal(which)
    ended = personascope.end(process)
    assert ended.code == 130
    assert "interrupted" in ended.err
    assert not output.exists()
    asked = server.requests()
    assert asked < 40
    shown = personascope("show", "1", "--json").json()
    assert shown["state"] == "stopped"
    assert shown["outcomes"]["ok"] == shown["spending"]["calls"] == asked, "what was in flight is saved"

    done = personascope(*ended.resume_command())
    assert done.code == 0, done.err
    assert server.requests() == 40
    undisturbed = personascope.batch(requests, server, "--store", "other.db", "--max-connections", 40)
    assert output.read_text() == undisturbed.out


def test_twice_ends_at_once_however_slow_the_server(personascope, loopback):
    server = loopback(latency_ms=60_000)
    requests = personascope.write("requests.jsonl", FORTY[:4])
    process = start(personascope, requests, server)
    server.wait_for_requests(4)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None, "the first one waits for what is in flight"
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    ended = personascope.end(process)
    assert time.monotonic() - begun < 1
    assert ended.code == 130
    personascope("resume", "1", "--attempt-timeout", "1", "--max-retries", "0")
    assert not list(personascope.folder.glob(".*.part")), "a temporary file is left for good"


def test_a_terminal_that_closes_may_say_so_twice(personascope, loopback):
    server = loopback(latency_ms=700)
    requests = personascope.write("requests.jsonl", FORTY)
    process = start(personascope, requests, server)
    server.wait_for_requests(4)
    for _ in range(2):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)
    ended = personascope.end(process)
    assert ended.code == 130
    assert personascope("show", "1", "--json").json()["outcomes"]["ok"] == 4, "all in flight are kept"


def test_nohup_is_heeded(personascope, loopback):
    server = loopback(latency_ms=100)
    requests = personascope.write("requests.jsonl", FORTY[:12])
    words = personascope.batch_words(requests, server, "--max-connections", 4, "-o", "answers.jsonl")
    ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    process = personascope.start(*words, preexec_fn=ignore)
    server.wait_for_requests(4)
    process.send_signal(signal.SIGHUP)
    assert personascope.end(process).code == 0


def test_what_was_answered_before_the_second_one_is_kept(personascope, server):
    lines = FORTY[:10] + [chat("slow", "[[delay 60000]]")]
    requests = personascope.write("requests.jsonl", lines)
    process = start(personascope, requests, server)
    server.wait_for_requests(11)
    time.sleep(0.3)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    assert personascope.end(process).code == 130
    server.reset()
    personascope("resume", "1", "--attempt-timeout", "1", "--max-retries", "0")
    assert server.requests() == 1, "only the slow one is asked again"


def test_a_wait_between_tries_is_given_up_at_once(personascope, server):
    requests = personascope.write(
        "requests.jsonl", [chat("x", "[[status 429 retry-after=600]]"), *FORTY]
    )
    process = start(personascope, requests, server)
    server.wait_for_requests(1)
    time.sleep(0.3)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    ended = personascope.end(process)
    assert time.monotonic() - begun < 2
    assert ended.code == 130 and "resume 1" in ended.err


def test_pacing_is_given_up_at_once(personascope, server):
    requests = personascope.write("requests.jsonl", FORTY)
    process = start(personascope, requests, server, "--rpm", "1")
    server.wait_for_requests(1)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert personascope.end(process).code == 130
    assert time.monotonic() - begun < 2


def test_a_summary_is_printed_even_when_quiet_and_as_json(personascope, loopback):
    server = loopback(latency_ms=200)
    requests = personascope.write("requests.jsonl", FORTY)
    process = start(personascope, requests, server, "--quiet", "--json")
    server.wait_for_requests(4)
    process.send_signal(signal.SIGINT)
    ended = personascope.end(process)
    assert ended.code == 130
    assert "resume 1" in ended.err
    assert ended.json()["error"]["kind"] == "cancelled"


def test_ask_is_interrupted(personascope, loopback):
    server = loopback(latency_ms=60_000)
    process = personascope.start(
        "ask", "Hello", "--model", "openai/gpt-4o", "--base-url", server.url
    )
    server.wait_for_requests(1)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    assert personascope.end(process).code == 130


def test_answers_on_standard_output_are_whole_lines(personascope, loopback):
    server = loopback(latency_ms=100)
    requests = personascope.write("requests.jsonl", FORTY)
    words = personascope.batch_words(requests, server, "--max-connections", 4)
    process = personascope.start(*words)
    server.wait_for_requests(12)
    process.send_signal(signal.SIGINT)
    ended = personascope.end(process)
    assert ended.code == 130
    ids = [answer["id"] for answer in answers_of(ended.out)]
    assert ids == [str(i) for i in range(len(ids))] and ids
