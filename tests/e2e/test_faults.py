"""A server that misbehaves: a clear outcome each time, no hang, bounded memory."""

import email.utils
import os
import socket
import threading
import time

import pytest

from harness import MODEL, answers_of, chat

MOST_RESIDENT_KB = 400 * 1024


def ask_one(personascope, server, directive, *args, model=MODEL, **rest):
    requests = personascope.write("requests.jsonl", [chat("x", f"{directive} Hello")])
    ended = personascope.batch(requests, server, *args, model=model, **rest)
    return ended, (answers_of(ended.out) or [None])[0]


def http_date(seconds_from_now):
    return email.utils.formatdate(time.time() + seconds_from_now, usegmt=True)


@pytest.mark.parametrize(
    "retry_after, least, most",
    [
        ("1", 1, 6),
        ("1.5", 1.5, 6),
        ("date", 1, 7),
        ("1s", 1, 6),
        ("1200ms", 1.2, 6),
        ("0", 0.2, 4),
        ("-5", 0.2, 4),
        ("soon", 0.2, 4),
    ],
)
def test_429_waits_as_long_as_the_server_asks(personascope, server, retry_after, least, most):
    # The directive's argument has no blanks, so a date goes by a header of its own.
    if retry_after == "date":
        directive = f"[[status 429 times=1]][[header Retry-After={http_date(3)}]]"
    else:
        directive = f"[[status 429 retry-after={retry_after} times=1]]"
    start = time.monotonic()
    ended, answer = ask_one(personascope, server, directive)
    took = time.monotonic() - start
    assert ended.code == 0 and answer["outcome"] == "ok", ended.err
    assert server.stats()["by_status"] == {"429": 1, "200": 1}
    assert least <= took <= most


def test_429_in_milliseconds_and_by_rate_limit_headers(personascope, server):
    start = time.monotonic()
    ended, answer = ask_one(
        personascope, server, "[[status 429 times=1]][[header retry-after-ms=1100]]"
    )
    assert answer["outcome"] == "ok"
    assert 1.1 <= time.monotonic() - start <= 6


def test_a_server_that_asks_for_a_very_long_wait_does_not_hang_the_run(personascope, server):
    lines = [chat("x", "[[status 429 retry-after=86400]]")] + [
        chat(str(i), f"Question {i}?") for i in range(3)
    ]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(
        requests, server, "--timeout", "2", "--max-connections", "1", timeout=20
    )
    assert ended.code == 1
    assert "429" in ended.err + ended.out


def test_429_is_no_try_and_one_without_end_fails_when_the_time_is_up(personascope, server):
    ended, answer = ask_one(
        personascope, server, "[[status 429 retry-after=0.1 times=5]]", "--max-retries", "0"
    )
    assert ended.code == 0 and answer["outcome"] == "ok", ended.err
    assert server.requests() == 6
    server.reset()
    ended, answer = ask_one(personascope, server, "[[status 429]]", "--timeout", "2")
    assert ended.code == 1
    assert answer["outcome"] == "failed" and answer["error"]["kind"] == "rate_limited"
    assert "see `timeout`" in answer["error"]["message"]
    assert 2 <= server.requests() <= 6


@pytest.mark.parametrize(
    "directive, kind",
    [
        ("[[status 500]]", "transient"),
        ("[[status 503]]", "transient"),
        ("[[close]]", "transient"),
        ("[[cut]]", "transient"),
        ("[[not-json]]", "transient"),
        ("[[empty]]", "transient"),
    ],
)
def test_a_fault_that_stays_is_a_failure_and_one_that_passes_is_not(
    personascope, server, directive, kind
):
    passing = directive.replace("]]", " times=1]]")
    ended, answer = ask_one(personascope, server, passing)
    assert ended.code == 0 and answer["outcome"] == "ok", ended.err
    assert server.requests() == 2
    server.reset()
    ended, answer = ask_one(personascope, server, directive, "--max-retries", "1")
    assert ended.code == 1
    assert answer["outcome"] == "failed" and answer["error"]["kind"] == kind
    assert "2 tries" in answer["error"]["message"]
    assert "resume 2" in ended.err
    assert server.requests() == 2


def test_a_failure_is_tried_again_by_resume_and_the_rest_is_not(personascope, server):
    lines = [chat("good", "Hello"), chat("bad", "[[status 500 times=2]]")]
    requests = personascope.write("requests.jsonl", lines)
    output = personascope.folder / "answers.jsonl"
    assert personascope.batch(requests, server, "--max-retries", "1", "-o", output).code == 1
    assert [answer["outcome"] for answer in answers_of(output)] == ["ok", "failed"]
    assert personascope("resume", "1").code == 0
    assert [answer["outcome"] for answer in answers_of(output)] == ["ok", "ok"]
    assert server.requests() == 4
    outcomes = personascope("show", "1", "--json").json()["outcomes"]
    assert outcomes["ok"] == 2 and outcomes["refused"] == outcomes["failed"] == 0


def test_silence_within_an_answer_ends_by_the_idle_timeout(personascope, server):
    start = time.monotonic()
    ended, answer = ask_one(
        personascope, server, "[[stall]]", "--idle-timeout", "1", "--max-retries", "0"
    )
    assert time.monotonic() - start < 6
    assert ended.code == 1
    assert answer["error"]["kind"] == "timeout" and "nothing arrived for 1 s" in answer["error"]["message"]
    ended, answer = ask_one(personascope, server, "[[stall times=1]]", "--idle-timeout", "1")
    assert ended.code == 0 and answer["outcome"] == "ok"


def test_no_answer_at_all_ends_by_the_attempt_timeout(personascope, server):
    start = time.monotonic()
    ended, answer = ask_one(
        personascope, server, "[[delay 60000]]", "--attempt-timeout", "1", "--max-retries", "0"
    )
    assert time.monotonic() - start < 6
    assert ended.code == 1 and answer["error"]["kind"] == "timeout"


def test_all_tries_together_end_by_the_total_timeout(personascope, server):
    start = time.monotonic()
    ended, answer = ask_one(personascope, server, "[[status 500]]", "--timeout", "2")
    assert time.monotonic() - start < 8
    assert ended.code == 1 and answer["outcome"] == "failed"


def free_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


@pytest.mark.parametrize("place", ["127.0.0.1", "no-such-host.invalid"])
def test_no_connection_before_the_first_answer_stops_the_run_with_one_sentence(personascope, place):
    host = f"{place}:{free_port()}"
    requests = personascope.write("requests.jsonl", [chat(str(i), f"Hello {i}") for i in range(500)])
    start = time.monotonic()
    ended = personascope(
        "batch", requests, "--model", MODEL, "--base-url", f"http://{host}/v1", "-o", "a.jsonl", "--json"
    )
    assert time.monotonic() - start < 15
    assert ended.code == 1
    assert ended.json()["error"]["kind"] == "unreachable"
    assert f"no connection to {host}" in ended.err and "--base-url" in ended.err
    assert ended.json()["session"]["sent"] <= 32


def test_ask_says_that_nobody_listens(personascope):
    host = f"127.0.0.1:{free_port()}"
    ended = personascope("ask", "Hello", "--model", MODEL, "--base-url", f"http://{host}/v1")
    assert ended.code == 1
    assert f"no connection to {host}" in ended.err


def test_ask_says_what_it_waits_for(personascope, server):
    words = ("--model", MODEL, "--base-url", server.url)
    ended = personascope("ask", "[[status 429 retry-after=2 times=1]] Hello", *words)
    assert ended.code == 0
    assert "waiting for the server's rate limit" in ended.err
    ended = personascope("ask", "[[delay 6500]] Hello", *words)
    assert ended.code == 0
    assert f"waiting for {MODEL} at {server.url}" in ended.err


def test_an_outage_fails_nothing_and_is_said(personascope, loopback):
    server = loopback(latency_ms=20, outage="0.5:4")
    lines = [chat(str(i), f"Question {i}?") for i in range(1500)]
    requests = personascope.write("requests.jsonl", lines)
    words = ("--max-connections", "20", "--max-retries", "2", "-o", "answers.jsonl", "--json")
    ended = personascope.batch(requests, server, *words, timeout=60)
    assert ended.code == 0, ended.err
    outcomes = ended.json()["outcomes"]
    assert outcomes["ok"] == 1500 and outcomes["refused"] == outcomes["failed"] == 0
    assert server.stats()["by_status"]["503"] < 150


def peak_resident_kb(process):
    """Waits for the end of the process; its largest resident size, as the kernel kept it."""
    done = {}

    def read(name):
        done[name] = getattr(process, name).read()

    readers = [threading.Thread(target=read, args=(name,)) for name in ("stdout", "stderr")]
    for reader in readers:
        reader.start()
    _, status, usage = os.wait4(process.pid, 0)
    for reader in readers:
        reader.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss, done["stdout"].decode()


@pytest.mark.parametrize("directive", ["[[endless]]", "[[huge 1073741824]]"])
def test_a_body_without_measure_is_cut_off_in_bounded_memory(personascope, server, directive):
    requests = personascope.write("requests.jsonl", [chat("x", directive), chat("y", "Hello")])
    start = time.monotonic()
    process = personascope.start(*personascope.batch_words(requests, server))
    peak, out = peak_resident_kb(process)
    assert time.monotonic() - start < 20
    assert peak < MOST_RESIDENT_KB
    assert process.returncode == 1
    bad, good = answers_of(out)
    assert bad["error"]["kind"] == "too_large" and "MB" in bad["error"]["message"]
    assert good["outcome"] == "ok"
    assert server.requests() == 2  # a body that is too large once is so again


def test_many_endless_bodies_at_once_stay_in_bounded_memory(personascope, server):
    # Each alone may have 64 MB; together they must not have 24 times as much.
    lines = [chat(str(i), f"[[endless]] {i}") for i in range(24)] + [chat("good", "Hello")]
    requests = personascope.write("requests.jsonl", lines)
    words = ("--max-connections", 25, "--max-retries", 1)
    process = personascope.start(*personascope.batch_words(requests, server, *words))
    peak, out = peak_resident_kb(process)
    assert process.returncode == 1
    *bad, good = answers_of(out)
    assert {answer["error"]["kind"] for answer in bad} <= {"too_large", "transient"}
    assert good["outcome"] == "ok"
    assert peak < 2 * MOST_RESIDENT_KB


@pytest.mark.parametrize("directive", ["[[endless]]", "[[huge 1073741824]]", "[[cut]]", "[[empty]]"])
def test_ask_survives_the_same_while_it_streams(personascope, server, directive):
    process = personascope.start(
        "ask", f"{directive} Hello", "--model", MODEL, "--base-url", server.url,
        "--max-retries", "0",
    )
    peak, _ = peak_resident_kb(process)
    assert process.returncode == 1
    assert peak < MOST_RESIDENT_KB


def test_invalid_utf8_becomes_text(personascope, server):
    ended, answer = ask_one(personascope, server, "[[say fine]][[invalid-utf8]]")
    assert ended.code == 0 and answer["outcome"] == "ok"
    assert answer["text"].startswith("fine") and "\ufffd" in answer["text"]


@pytest.mark.parametrize(
    "directive, kind", [("[[status 401]]", "unauthorized"), ("[[status 404]]", "not_found")]
)
def test_what_every_call_would_meet_stops_the_run_at_once(personascope, server, directive, kind):
    lines = [chat("x", directive)] + [chat(str(i), f"Question {i}?") for i in range(20)]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(
        requests, server, "--max-connections", "1", "-o", "answers.jsonl", "--json"
    )
    assert ended.code == 1
    assert ended.json()["error"]["kind"] == kind
    assert server.requests() == 1
    assert not (personascope.folder / "answers.jsonl").exists()
    assert "resume 1" in ended.err


def test_a_wrong_key_and_an_unknown_model_are_not_tried_again(personascope, loopback):
    server = loopback(key="right", model="gpt-4o")
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    wrong = personascope.batch(requests, server, env={"OPENAI_API_KEY": "wrong"})
    assert wrong.code == 1 and "401" in wrong.err
    unknown = personascope.batch(
        requests, server, model="openai/gpt-5-imaginary", env={"OPENAI_API_KEY": "right"}
    )
    assert unknown.code == 1 and "404" in unknown.err
    assert server.requests() == 2
    right = personascope.batch(requests, server, env={"OPENAI_API_KEY": "right"})
    assert right.code == 0, right.err


@pytest.mark.parametrize(
    "model", [MODEL, "anthropic/claude-3-5-sonnet-20241022", "bedrock/some-model"]
)
def test_context_too_long_is_the_answer_and_not_tried_again(personascope, server, model):
    requests = personascope.write("requests.jsonl", [chat("x", "[[too-long]]"), chat("y", "Hi")])
    address = server.url if model == MODEL else server.root
    env = {"AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret"}
    words = ("batch", requests, "--model", model, "--base-url", address)
    ended = personascope(*words, env=env)
    assert ended.code == 1
    bad, good = answers_of(ended.out)
    assert bad["error"]["kind"] == "context_too_long" and good["outcome"] == "ok"
    assert server.requests() == 2
    assert personascope(*words, env=env).out == ended.out
    assert server.requests() == 2  # it is in the journal: asking again would change nothing


@pytest.mark.parametrize("directive", ["[[refuse]]", "[[filter]]"])
@pytest.mark.parametrize(
    "model", [MODEL, "anthropic/claude-3-5-sonnet-20241022", "bedrock/some-model"]
)
def test_refusal_and_content_filter_are_outcomes(personascope, server, model, directive):
    requests = personascope.write("requests.jsonl", [chat("x", directive)])
    address = server.url if model == MODEL else server.root
    ended = personascope(
        "batch", requests, "--model", model, "--base-url", address,
        env={"AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "secret"},
    )
    assert ended.code == 0, ended.err
    (answer,) = answers_of(ended.out)
    assert answer["outcome"] == "refused"
    assert server.requests() == 1


def test_an_answer_cut_by_its_length_says_so(personascope, server):
    ended, answer = ask_one(personascope, server, "[[length]]")
    assert ended.code == 0
    assert answer["outcome"] == "ok" and answer["finish"] == "length"


def test_a_server_that_fails_now_and_then_loses_nothing(personascope, loopback):
    server = loopback(fail_every="5:500")
    lines = [chat(str(i), f"Question {i}?") for i in range(60)]
    ended = personascope.batch(personascope.write("requests.jsonl", lines), server)
    assert ended.code == 0, ended.err
    assert [answer["outcome"] for answer in answers_of(ended.out)] == ["ok"] * 60
    stats = server.stats()
    assert stats["by_status"]["200"] == 60


def test_a_redirect_is_not_followed(personascope, server):
    ended, answer = ask_one(
        personascope, server, "[[status 302]][[header Location=http://127.0.0.1:1/]]"
    )
    assert ended.code == 1
    assert "redirect" in ended.err
    assert server.requests() == 1


def test_hedging_beats_a_straggler(personascope, server):
    start = time.monotonic()
    ended, answer = ask_one(personascope, server, "[[delay 8000 times=1]]", "--hedge-after", "0.3")
    assert ended.code == 0, ended.err
    assert time.monotonic() - start < 6
    assert server.requests() == 2
