"""A folder of somebody else can do nothing: its .env, its parts, its links."""

import os
import resource
import signal

import pytest

from harness import MODEL, Program, answers_of, chat
from test_terminal import in_terminal

KEY = "sk-mine-0123456789abcdef"


def write_dotenv(folder, text, mode=0o600):
    path = folder / ".env"
    path.write_text(text)
    path.chmod(mode)
    return path


def is_ready(personascope, env=None):
    rows = personascope("models", "--json", env=env).json()["providers"]
    return [row["ready"] for row in rows if row["name"] == "openai"] == [True]


def test_an_address_from_a_dotenv_does_not_get_the_users_key(personascope, server):
    path = write_dotenv(personascope.folder, f"OPENAI_BASE_URL={server.url}\n")
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    env = {"OPENAI_API_KEY": KEY}
    for words in (("ask", "Hello", "--model", MODEL), ("batch", requests, "--model", MODEL),
                  ("doctor", "--ask", "--model", MODEL)):
        ended = personascope(*words, env=env)
        assert ended.code != 0
        told = ended.out + ended.err
        assert "OPENAI_BASE_URL comes from" in told and str(path) in told and KEY not in told
    assert server.requests() == 0
    assert not is_ready(personascope, env)
    # With a key of its own the address is the file's business.
    write_dotenv(personascope.folder, f"OPENAI_BASE_URL={server.url}\nOPENAI_API_KEY=sk-theirs\n")
    assert personascope("ask", "Hello", "--model", MODEL).code == 0
    assert server.requests() == 1
    # And an address of the user's own works with any key.
    write_dotenv(personascope.folder, "OPENAI_API_KEY=sk-theirs\n")
    assert personascope("ask", "Hi", "--model", MODEL, env={"OPENAI_BASE_URL": server.url}).code == 0


def test_a_dotenv_that_others_may_write_to_is_not_read(personascope, server):
    path = write_dotenv(personascope.folder, f"OPENAI_API_KEY={KEY}\n", 0o666)
    ended = personascope("ask", "Hello", "--model", MODEL)
    assert ended.code == 2
    assert f"{path} was not read" in ended.err and "chmod go-w" in ended.err
    finding = {f["what"]: f for f in personascope("doctor", "--json").json()["findings"]}["settings"]
    assert finding["health"] == "note" and str(path) in finding["detail"]


def test_a_dotenv_above_the_repository_is_not_read(personascope):
    (personascope.folder / "repo" / ".git").mkdir(parents=True)
    write_dotenv(personascope.folder, f"OPENAI_API_KEY={KEY}\n")
    assert is_ready(personascope), "in its own folder it counts"
    below = Program.__new__(Program)
    below.__dict__ = {**personascope.__dict__, "folder": personascope.folder / "repo"}
    ended = below("ask", "Hello", "--model", MODEL)
    assert ended.code == 2 and "needs a key" in ended.err


def test_settings_of_the_program_in_a_dotenv_are_not_taken(personascope):
    spy = personascope.folder / "spy"
    spy.write_text("#!/bin/sh\ntouch " + str(personascope.folder / "ran") + "\n")
    spy.chmod(0o755)
    path = write_dotenv(
        personascope.folder,
        f"PERSONASCOPE_PARQUET_ROWS={spy}\nPERSONASCOPE_DATA=/nowhere\nOPENAI_API_KEY=k\n",
    )
    (personascope.folder / "x.parquet").write_bytes(b"PAR1")
    personascope("import", "persona-bench", "x.parquet")
    ran = personascope.folder / "ran"
    assert not ran.exists()
    personascope("import", "persona-bench", "x.parquet", env={"PERSONASCOPE_PARQUET_ROWS": str(spy)})
    assert ran.exists(), "from the environment it counts"
    finding = {f["what"]: f for f in personascope("doctor", "--json").json()["findings"]}["settings"]
    assert str(path) in finding["detail"] and "PERSONASCOPE_PARQUET_ROWS" in finding["detail"]
    assert finding["health"] == "note"


def test_doctor_and_the_run_name_the_file_that_was_read(personascope, server):
    path = write_dotenv(personascope.folder, "OPENAI_API_KEY=k\n")
    finding = {f["what"]: f for f in personascope("doctor", "--json").json()["findings"]}["settings"]
    assert finding["health"] == "good" and finding["detail"].endswith(str(path))
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    assert personascope.batch(requests, server).code == 0
    assert personascope("show", "1", "--json").json()["plan"]["settings_file"] == str(path)


def parts_in(folder):
    return list(folder.glob(".personascope-*.part"))


def test_two_runs_into_one_file_do_not_mix_and_leave_nothing(personascope, loopback):
    server = loopback(latency_ms=100)
    lines = [chat(str(i), f"Question {i}?") for i in range(30)]
    requests = personascope.write("requests.jsonl", lines)
    words = personascope.batch_words(requests, server, "--max-connections", 4, "-o", "answers.jsonl")
    both = [personascope.start(*words, "--store", f"s{i}.db") for i in range(2)]
    server.wait_for_requests(4)
    parts = parts_in(personascope.folder)
    assert parts and all(part.stat().st_mode & 0o777 == 0o600 for part in parts)
    for process in both:
        assert personascope.end(process).code == 0
    assert [a["id"] for a in answers_of(personascope.folder / "answers.jsonl")] == [str(i) for i in range(30)]
    assert not parts_in(personascope.folder)


def test_a_living_run_keeps_its_part_and_a_dead_one_does_not(personascope, loopback):
    slow = loopback(latency_ms=60_000)
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    living = personascope.start(*personascope.batch_words(requests, slow, "-o", "a.jsonl"))
    dead = personascope.start(
        *personascope.batch_words(requests, slow, "-o", "b.jsonl", "--store", "b.db"))
    slow.wait_for_requests(2)
    assert len(parts_in(personascope.folder)) == 2
    dead.send_signal(signal.SIGKILL)
    personascope.end(dead)
    quick = loopback()
    assert personascope.batch(requests, quick, "-o", "c.jsonl", "--store", "c.db").code == 0
    assert len(parts_in(personascope.folder)) == 1, "the living one's"
    living.send_signal(signal.SIGKILL)
    personascope.end(living)


@pytest.mark.parametrize("mask, mode", [(0o077, 0o600), (0o022, 0o644)])
def test_an_output_has_the_permissions_of_the_umask(personascope, server, mask, mode):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    words = personascope.batch_words(requests, server, "-o", "answers.jsonl")
    process = personascope.start(*words, preexec_fn=lambda: os.umask(mask))
    assert personascope.end(process).code == 0
    assert (personascope.folder / "answers.jsonl").stat().st_mode & 0o777 == mode


def test_a_link_in_the_place_of_the_output_is_not_followed(personascope, server):
    precious = personascope.folder / "precious"
    precious.write_text("old")
    output = personascope.folder / "answers.jsonl"
    output.symlink_to(precious)
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    assert personascope.batch(requests, server, "-o", output).code == 0
    assert precious.read_text() == "old"
    assert not output.is_symlink() and answers_of(output)[0]["outcome"] == "ok"


def test_the_limit_of_open_files_is_raised(personascope, loopback):
    server = loopback(latency_ms=300)
    requests = personascope.write("requests.jsonl", [chat(str(i), f"{i}?") for i in range(200)])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    def few(least_hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, least_hard))

    words = personascope.batch_words(requests, server, "--max-connections", 150, "-o", "a.jsonl")
    ended = personascope.end(personascope.start(*words, preexec_fn=few(hard)))
    assert ended.code == 0, ended.err
    assert "retried" not in ended.err or "0 retried" in ended.err
    words = [*words, "--fresh", "--max-retries", "0"]
    ended = personascope.end(personascope.start(*words, preexec_fn=few(64)))
    shown = personascope("show", "2", "--json").json()
    told = ended.err + "".join(reason["reason"] for reason in shown["reasons"])
    assert "too many open files" in told and "may have 64" in told, told[:2000]


def test_resuming_somebody_elses_run_sends_no_key_unasked(personascope, server, tmp_path):
    other = Program.__new__(Program)
    other.__dict__ = {**personascope.__dict__, "home": tmp_path / "other"}
    other.env = {**personascope.env, "PERSONASCOPE_HOME": str(tmp_path / "other")}
    requests = personascope.write("requests.jsonl", [chat(str(i), f"{i}?") for i in range(4)])
    made = other.batch(requests, server, "--max-calls", 2, "--store", "s.db", "-o", "a.jsonl",
                       env={"OPENAI_API_KEY": "sk-theirs"})
    assert made.code == 1 and server.requests() == 2
    words = ("resume", "1", "--store", "s.db", "--max-calls", "10")
    mine = {"OPENAI_API_KEY": KEY}

    refused = personascope(*words, env=mine)
    assert refused.code == 2
    for part in ("OPENAI_API_KEY", server.url, "--trust-addresses"):
        assert part in refused.err
    assert KEY not in refused.err and server.requests() == 2
    assert personascope(*words, "--replay", env=mine).code == 1, "nothing is sent, so nothing is asked"

    code, shown = in_terminal(personascope, *words, env=mine, keys=[(0.5, b"n\n")])
    assert code == 2 and "[y/N]" in shown and server.requests() == 2
    code, shown = in_terminal(personascope, *words, env=mine, keys=[(0.5, b"y\n")])
    assert code == 0 and server.requests() == 4
    assert personascope(*words, env=mine).code == 0, "from then on it is known"


@pytest.mark.parametrize("words", [["--trust-addresses"], ["--base-url", "ADDRESS"]])
def test_an_address_may_be_trusted_or_named(personascope, server, tmp_path, words):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello"), chat("y", "You?")])
    home = {"PERSONASCOPE_HOME": str(tmp_path / "other")}
    personascope.batch(requests, server, "--max-calls", 1, "--store", "s.db", "-o", "a.jsonl", env=home)
    given = [server.url if word == "ADDRESS" else word for word in words]
    done = personascope("resume", "1", "--store", "s.db", "--max-calls", "10", *given,
                        env={"OPENAI_API_KEY": KEY})
    assert done.code == 0, done.err


def test_ones_own_runs_are_resumed_without_a_question(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello"), chat("y", "You?")])
    env = {"OPENAI_API_KEY": KEY}
    ended = personascope.batch(requests, server, "--max-calls", 1, "-o", "a.jsonl", env=env)
    assert personascope(*ended.resume_command(), env=env).code == 0
    assert (personascope.home / "addresses").read_text() == server.url + "\n"
    assert (personascope.home / "addresses").stat().st_mode & 0o777 == 0o600
