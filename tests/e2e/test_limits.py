"""Limits that neither stall nor overspend."""

import time

import pytest

from harness import MODEL, answers_of, chat

THIRTY = [chat(str(i), f"Question {i}?", max_tokens=50) for i in range(30)]


def resume_until_done(personascope, ended, most=12):
    """Follows the printed advice again and again; gives the number of times it took."""
    for times in range(most):
        if ended.code == 0:
            return times
        assert ended.code == 1, ended.err
        ended = personascope(*ended.resume_command())
    raise AssertionError(f"not done after {most} resumes: {ended.err}")


@pytest.mark.parametrize(
    "flag, limit, word",
    [
        ("--max-calls", "10", "10 calls"),
        ("--max-tokens", "700", "700 tokens"),
        ("--max-cost", "0.005", "0.005 US dollars"),
    ],
)
def test_a_limit_stops_the_run_and_the_printed_command_goes_on(
    personascope, server, flag, limit, word
):
    requests = personascope.write("requests.jsonl", THIRTY)
    output = personascope.folder / "answers.jsonl"
    ended = personascope.batch(requests, server, flag, limit, "-o", output, "--json")
    assert ended.code == 1
    assert word in ended.err
    summary = ended.json()
    assert summary["state"] == "stopped" and summary["error"]["kind"] == "budget_exhausted"
    assert 0 < summary["outcomes"]["ok"] < 30
    spending = summary["spending"]
    if flag == "--max-calls":
        assert spending["calls"] == server.requests() == 10
    if flag == "--max-tokens":
        assert spending["input_tokens"] + spending["output_tokens"] <= 700
    if flag == "--max-cost":
        assert spending["cost_usd"] <= 0.005
    assert not output.exists()
    resume_until_done(personascope, ended)
    assert [answer["outcome"] for answer in answers_of(output)] == ["ok"] * 30
    assert server.requests() == 30


def test_the_printed_command_names_the_store_and_the_prices_that_were_given(personascope, server):
    (personascope.folder / "my prices.yaml").write_text(
        "models:\n  openai/some-model: {input: 100, output: 100}\n"
    )
    requests = personascope.write("requests.jsonl", THIRTY)
    words = ("--max-cost", "0.03", "--prices", "my prices.yaml", "--store", "my store.db")
    ended = personascope.batch(
        requests, server, *words, "-o", "answers.jsonl", model="openai/some-model"
    )
    assert ended.code == 1 and "0.03 US dollars" in ended.err
    resume_until_done(personascope, ended)
    assert server.requests() == 30


def test_retries_count_as_calls(personascope, server):
    lines = [chat(str(i), f"[[status 500 times=1]] {i}") for i in range(10)]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(
        requests, server, "--max-calls", "8", "--max-connections", "2", "-o", "answers.jsonl"
    )
    assert ended.code == 1
    assert server.requests() <= 8


def test_a_limit_that_suffices_stops_nothing(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)
    ended = personascope.batch(
        requests, server, "--max-calls", "30", "--max-cost", "1", "--max-tokens", "100000"
    )
    assert ended.code == 0, ended.err


def test_stored_answers_cost_nothing(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)
    assert personascope.batch(requests, server).code == 0
    again = personascope.batch(requests, server, "--max-calls", "0", "--max-cost", "0")
    assert again.code == 0, again.err
    assert server.requests() == 30


def test_an_unknown_price_under_a_limit_of_money_is_wrong_use(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)
    ended = personascope.batch(requests, server, "--max-cost", "5", model="openai/gpt-unheard-of")
    assert ended.code == 2
    assert "openai/gpt-unheard-of" in ended.err and "--prices" in ended.err
    assert server.requests() == 0


def test_an_unknown_price_is_unknown_and_not_zero(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)
    words = ("-o", "answers.jsonl", "--json")
    ended = personascope.batch(requests, server, *words, model="openai/gpt-unheard-of")
    assert ended.code == 0
    assert "cost unknown" in ended.err
    assert ended.json()["spending"]["unpriced_calls"] == 30


def test_prices_can_be_overridden(personascope, server):
    line = chat("x", "[[say four]]", max_tokens=50)
    requests = personascope.write("requests.jsonl", [line])
    words = ("-o", "answers.jsonl", "--json")

    def cost(*more):
        ended = personascope.batch(requests, server, *words, "--fresh", *more)
        assert ended.code == 0, ended.err
        spending = ended.json()["spending"]
        assert spending["output_tokens"] == 1
        return spending["cost_usd"], spending["input_tokens"]

    usual, tokens = cost()
    assert usual == pytest.approx((tokens * 2.5 + 1 * 10) / 1e6)
    (personascope.home / "prices.yaml").write_text(
        "models:\n  openai/gpt-4o: {input: 1000, output: 0}\n"
    )
    own, _ = cost()
    assert own == pytest.approx(tokens * 1000 / 1e6)
    (personascope.folder / "today.yaml").write_text(
        "models:\n  openai/gpt-4*: {input: 9, output: 9}\n  openai/gpt-4o: {input: 0, output: 7}\n"
    )
    today, _ = cost("--prices", "today.yaml")
    assert today == pytest.approx(7 / 1e6)
    by_variable = personascope.batch(
        requests, server, *words, "--fresh", env={"PERSONASCOPE_PRICES": "today.yaml"}
    )
    assert by_variable.json()["spending"]["cost_usd"] == pytest.approx(7 / 1e6)


def test_calls_a_minute_are_kept(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY[:15])
    start = time.monotonic()
    ended = personascope.batch(requests, server, "--rpm", "600")  # one, then 10 a second
    took = time.monotonic() - start
    assert ended.code == 0, ended.err
    assert 1.3 <= took <= 8
    assert server.requests() == 15


def test_tokens_a_minute_are_kept(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)  # about 690 tokens
    start = time.monotonic()
    # A burst of 450, then 75 a second.
    ended = personascope.batch(requests, server, "--tpm", "4500", "--max-connections", "1")
    assert ended.code == 0, ended.err
    assert 1.5 <= time.monotonic() - start <= 15


def test_it_adapts_to_what_the_server_takes(personascope, loopback):
    server = loopback(latency_ms=30, concurrency_limit=10)
    lines = [chat(str(i), f"Question {i}?") for i in range(150)]
    start = time.monotonic()
    ended = personascope.batch(personascope.write("requests.jsonl", lines), server, timeout=60)
    assert ended.code == 0, ended.err
    assert [answer["outcome"] for answer in answers_of(ended.out)] == ["ok"] * 150
    stats = server.stats()
    assert stats["by_status"]["200"] == 150
    assert stats["by_status"].get("429", 0) < 30
    assert time.monotonic() - start < 20


def test_a_ceiling_adapts_and_a_fixed_number_does_not(personascope, loopback):
    lines = [chat(str(i), f"Question {i}?") for i in range(150)]
    requests = personascope.write("requests.jsonl", lines)
    refused = {}
    for flag in ("--max-connections", "--fixed-connections"):
        server = loopback(latency_ms=30, concurrency_limit=10, retry_after=1)
        ended = personascope.batch(requests, server, flag, "60", "--fresh", timeout=60)
        assert ended.code == 0, ended.err
        assert [answer["outcome"] for answer in answers_of(ended.out)] == ["ok"] * 150
        refused[flag] = server.stats()["by_status"].get("429", 0)
    assert refused["--max-connections"] < 30 < refused["--fixed-connections"]


def test_it_adapts_to_the_rate_that_the_server_takes(personascope, loopback):
    server = loopback(rate_limit=50)
    lines = [chat(str(i), f"Question {i}?") for i in range(120)]
    ended = personascope.batch(personascope.write("requests.jsonl", lines), server, timeout=60)
    assert ended.code == 0, ended.err
    assert server.stats()["by_status"]["200"] == 120


def test_an_allowance_that_is_used_up_is_waited_for(personascope, server):
    headers = "[[header x-ratelimit-remaining-requests=0]][[header x-ratelimit-reset-requests=1500ms]]"
    lines = [chat("first", headers), chat("second", "Hello")]
    requests = personascope.write("requests.jsonl", lines)
    start = time.monotonic()
    ended = personascope.batch(requests, server, "--max-connections", "1")
    assert ended.code == 0, ended.err
    assert time.monotonic() - start >= 1.4
    assert server.stats()["by_status"] == {"200": 2}


def test_flags_are_variables_too(personascope, server):
    requests = personascope.write("requests.jsonl", THIRTY)
    ended = personascope.batch(
        requests, server, "-o", "answers.jsonl", env={"PERSONASCOPE_MAX_CALLS": "3"}
    )
    assert ended.code == 1 and server.requests() == 3


def test_ask_keeps_to_its_limits(personascope, server):
    words = ("ask", "Hello", "--model", MODEL, "--base-url", server.url)
    ended = personascope(*words, "--max-calls", "0")
    assert ended.code == 1
    assert "0 calls" in ended.err
    assert server.requests() == 0
