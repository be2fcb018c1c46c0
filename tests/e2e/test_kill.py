"""kill -9 at any moment, then resume: the same bytes, and nothing paid twice but what was in flight."""

import random
import sqlite3
import time

from harness import chat

LINES = 240
IN_FLIGHT = 8


def make_lines():
    # Uneven delays, so that the calls do not move in step; some meet a fault on their first try.
    random_delay = random.Random(7)
    faults = {20: "[[status 429 times=1]]", 60: "[[close times=1]]", 100: "[[cut times=1]]"}
    return [
        chat(f"k{i}", f"[[delay {random_delay.randint(5, 40)}]]{faults.get(i, '')} Question {i}?")
        for i in range(LINES)
    ]


def committed_answers(store):
    if not store.exists():
        return 0
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT count(*) FROM call").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # killed before the tables were there
    finally:
        connection.close()


def undisturbed_bytes(personascope, requests, server):
    ended = personascope.batch(requests, server, "--store", "undisturbed.db", "-o", "undisturbed.jsonl")
    assert ended.code == 0, ended.err
    server.reset()
    return (personascope.folder / "undisturbed.jsonl").read_bytes()


def kill_until_done(personascope, words, server, pauses):
    """Starts, kills and resumes the run; gives what each kill cost in calls."""
    lost = []
    for pause in pauses:
        has_run = bool(personascope("runs", "--json").json()["runs"])
        process = personascope.start(*(["resume", "1"] if has_run else words))
        time.sleep(pause)
        process.kill()
        if process.wait() == 0:
            return lost
        process.stderr.close(), process.stdout.close()
        lost.append(server.requests() - committed_answers(personascope.store) - sum(lost))
    ended = personascope("resume", "1")
    assert ended.code == 0, ended.err
    return lost


def test_a_run_killed_again_and_again_ends_as_if_undisturbed(personascope, server):
    requests = personascope.write("requests.jsonl", make_lines())
    expected = undisturbed_bytes(personascope, requests, server)
    output = personascope.folder / "answers.jsonl"
    words = personascope.batch_words(
        requests, server, "--max-connections", IN_FLIGHT, "-o", output
    )
    moments = random.Random(11)
    pauses = [moments.uniform(0.01, 0.15) for _ in range(12)]
    lost = kill_until_done(personascope, words, server, pauses)

    assert output.read_bytes() == expected
    stats = server.stats()
    faults = 3
    assert stats["distinct"] == LINES
    assert len(lost) >= 5, "the run ended before it was killed often enough"
    assert max(lost) <= IN_FLIGHT + faults
    assert stats["requests"] <= LINES + faults + sum(lost)
    assert sorted(path.name for path in personascope.folder.glob(".*.part")) == []


def test_plain_running_again_goes_on_after_a_kill_too(personascope, server):
    requests = personascope.write("requests.jsonl", make_lines())
    expected = undisturbed_bytes(personascope, requests, server)
    output = personascope.folder / "answers.jsonl"
    words = personascope.batch_words(
        requests, server, "--max-connections", IN_FLIGHT, "-o", output
    )
    kills = 0
    for pause in (0.05, 0.2, 0.12, 0.08):
        process = personascope.start(*words)
        time.sleep(pause)
        process.kill()
        kills += process.wait() != 0
        process.stderr.close(), process.stdout.close()
        assert not output.exists() or output.read_bytes() == expected
    assert personascope(*words).code == 0
    assert output.read_bytes() == expected
    stats = server.stats()
    assert stats["distinct"] == LINES
    assert stats["requests"] <= LINES + 3 + kills * IN_FLIGHT


def test_output_is_whole_or_not_there(personascope, loopback):
    server = loopback(latency_ms=20)
    requests = personascope.write("requests.jsonl", make_lines())
    output = personascope.folder / "answers.jsonl"
    output.write_text("an older answer\n")
    process = personascope.start(
        *personascope.batch_words(requests, server, "--max-connections", 4, "-o", output)
    )
    server.wait_for_requests(20)
    process.kill()
    personascope.end(process)
    assert output.read_text() == "an older answer\n"
    shown = personascope("show", "1", "--json").json()
    assert shown["state"] == "running"
    assert personascope("resume", "1", "--max-connections", "100").code == 0
    assert output.read_text().count("\n") == LINES


def test_several_kills_spend_no_more_than_the_run_was_allowed(personascope, server):
    lines = [chat(str(i), f"[[delay 20]] Question {i}?") for i in range(60)]
    requests = personascope.write("requests.jsonl", lines)
    words = personascope.batch_words(
        requests, server, "--max-connections", 2, "--max-calls", 30, "-o", "answers.jsonl"
    )
    process = personascope.start(*words)
    server.wait_for_requests(10)
    process.kill()
    personascope.end(process)
    ended = personascope("resume", "1")
    assert ended.code == 1
    assert server.requests() <= 30 + 4
