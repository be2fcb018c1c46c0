"""How a dialogue of the lens can go wrong, and what becomes of it and of the others."""

import hashlib
import json
import os
import random
import subprocess
import time

import pytest

from fake_openai import system_text
from harness import BIN, answers_of


def generate(personascope, fake, *words, **rest):
    return personascope("lens", "generate", "--model", "openai/a", "--user-model", "openai/u", *words, env=fake.env, **rest)


def talk(said_by_user, said_by_assistant):
    return lambda body: said_by_user if body["model"] == "u" else said_by_assistant


@pytest.mark.parametrize("user, assistant, outcome, ending, message", [
    ("Hello.", "", "failed", "broken", "the assistant, turn 1: an empty message"),
    ("Hello.", " \n\t", "failed", "broken", "the assistant, turn 1: an empty message"),
    ("", "Hi.", "failed", "broken", "the simulated user, turn 1: an empty message"),
    ("TERMINATE", "Hi.", "failed", "broken", "the simulated user, turn 1: it ended the dialogue before it had said anything"),
    ("x" * 100_000, "Hi.", "failed", "broken", "the simulated user, turn 1: a message of 100000 bytes; 64000 are allowed"),
    ("Hello.", "é" * 50_000, "failed", "broken", "the assistant, turn 1: a message of 100000 bytes; 64000 are allowed"),
    ("Please do not TERMINATE yet.", "Hi.", "answered", "terminated", None),
    ("Bye. TERMINATE", "x" * 64_000, "answered", "terminated", None),
    ("Hello.", "\x1b[31mHi\u202e\x00.", "answered", "exhausted", None),
])
def test_each_way_to_end_is_an_outcome(personascope, fake, user, assistant, outcome, ending, message):
    server = fake(talk(user, assistant))
    ended = generate(personascope, server, "--users", "0", "--limit", "1", "--max-turns", "2", "--items", "items.jsonl",
                     "--fail-on-error", "1", "--json")
    assert ended.code == 0, ended.err
    [line] = answers_of(personascope.folder / "items.jsonl")
    assert (line["outcome"], line["ending"]) == (outcome, ending)
    assert (line["error"] or {}).get("message") == message
    paths = list((personascope.folder / "output").rglob("*_dialogue.json"))
    assert len(paths) == (outcome == "answered"), "a broken dialogue leaves no file"
    if user.startswith("Please"):
        assert line["user_faults"] == ["ended_early", "went_on_after_end"]
        assert [turn["content"] for turn in line["dialogue"]] == ["Please do not  yet.", "Hi."]


def test_one_broken_dialogue_does_not_stop_the_others(personascope, fake):
    """The third user's assistant answers nothing; the run goes on and says so."""
    def reply(body):
        if body["model"] == "u":
            return "Done, thanks. TERMINATE"
        return "" if "BREAK" in system_text(body) else "Here it is."

    assert personascope("lens", "profiles", "--count", "4", "-o", "own").code == 0
    profile = personascope.folder / "own/profile/user2/profile.json"
    value = json.loads(profile.read_text())
    value["demographics"]["name"] = "BREAK"
    profile.write_text(json.dumps(value))
    ended = generate(personascope, fake(reply), "--data", "own", "--tasks-per-user", "1", "-d", "--items", "items.jsonl")
    assert ended.code == 1, "a dialogue failed"
    lines = answers_of(personascope.folder / "items.jsonl")
    assert [line["outcome"] for line in lines] == ["answered", "answered", "failed", "answered"]


@pytest.mark.parametrize("member, value, message", [
    ("Relevant Domains", "Zoo", '"Relevant Domains" must be a list of texts'),
    ("Relevant Domains", [], '"Relevant Domains" is empty'),
    ("User Intent", 7, '"User Intent" must be a text'),
    ("Task Goal", "", '"Task Goal" is empty'),
    ("situations", ["now"], '"situations" must be an object'),
    ("task_id", "../../etc/passwd", "cannot be the name of a file"),
    ("Relevant Affinity Types", {"a": 1}, '"Relevant Affinity Types" must be a list of texts'),
])
def test_a_task_of_the_wrong_form_is_named(personascope, fake, member, value, message):
    assert personascope("lens", "profiles", "--count", "2", "-o", "own").code == 0
    path = personascope.folder / "own/profile/user1/tasks.json"
    tasks = json.loads(path.read_text())
    tasks["Task 2"][member] = value
    path.write_text(json.dumps(tasks))
    ended = generate(personascope, fake(talk("TERMINATE", "x")), "--data", "own", "--users", "1")
    assert ended.code == 2
    assert "user1/tasks.json, Task 2: " in ended.err and message in ended.err
    assert ended.err.count("\n") == 1, "one sentence"


def test_a_user_who_is_not_there(personascope, fake):
    server = fake(talk("Bye. TERMINATE", "Bye."))
    assert personascope("lens", "profiles", "--users", "3,7", "-o", "own").code == 0
    words = ("--data", "own", "--tasks-per-user", "1", "--json")
    ended = generate(personascope, server, *words, "--users", "3,5")
    assert ended.code == 2 and "user5 is not among the 2 users, user3 to user7" in ended.err
    ended = generate(personascope, server, *words, "--users", "0-5")
    assert ended.code == 0, ended.err
    assert ended.json()["notes"] == ["5 of the users that were named are not there"]
    ended = generate(personascope, server, *words, "--start_index", "5")
    assert ended.code == 0, ended.err
    assert (ended.json()["users"], ended.json()["notes"]) == (1, []), "an open range names nobody"
    ended = generate(personascope, server, *words, "--start_index", "8")
    assert ended.code == 2 and "there is no such user: there are 2, from user3 to user7" in ended.err
    (personascope.folder / "own/profile/user7/profile.json").unlink()
    ended = generate(personascope, server, *words, "--fail-on-error", "1", "--items", "items.jsonl")
    assert ended.code == 0, ended.err
    first, second = answers_of(personascope.folder / "items.jsonl")
    assert first["outcome"] in ("answered", "scored")
    assert second["outcome"] == "failed" and "user7/profile.json" in second["error"]["message"]


def test_killed_between_any_two_turns_it_ends_in_the_same_bytes(personascope, fake):
    def reply(body):
        text = json.dumps(body["messages"])
        mark = hashlib.sha256(text.encode()).hexdigest()
        time.sleep(0.01 + int(mark[:2], 16) / 10_000)
        if body["model"] == "j":
            return f"So.\nVerdict: {'True' if 'goal reached' in text else 1 + int(mark[2], 16) % 4}"
        return f"{mark} TERMINATE" if body["model"] == "u" and int(mark[3], 16) < 3 else mark

    server = fake(reply)
    words = ("lens", "run", "--users", "0-5", "--tasks-per-user", "2", "--model", "openai/a", "--user-model", "openai/u",
             "--judge", "openai/j", "--max-turns", "6", "--context-sweep", "none,dps", "--max-connections", "6",
             "--output", "out", "--items", "items.jsonl")
    whole = personascope.folder / "whole"
    whole.mkdir()
    env = {**server.env, "PERSONASCOPE_HOME": str(whole / "home")}
    began = time.monotonic()
    assert personascope(*words[:-4], "--output", whole / "out", "--items", whole / "items.jsonl", env=env).code == 0
    took = time.monotonic() - began

    moments = random.Random(5)
    kills = 0
    started_runs = set()
    for _ in range(16):
        has_run = bool(personascope("runs", "--json").json()["runs"])
        started_runs.add(has_run)
        process = personascope.start(*(["resume", "1"] if has_run else words), env=server.env)
        time.sleep(took * moments.uniform(0.25, 0.6))
        process.kill()
        code = process.wait()
        process.stderr.close(), process.stdout.close()
        if code == 0:
            break
        kills += 1
    assert kills >= 2 and True in started_runs, "it ended before it was killed often enough"
    ended = personascope("resume", "1", env=server.env)
    assert ended.code == 0, ended.err

    def bytes_below(folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert bytes_below(personascope.folder / "out") == bytes_below(whole / "out")
    assert (personascope.folder / "items.jsonl").read_bytes() == (whole / "items.jsonl").read_bytes()


def most_memory(personascope, *words):
    """Peak memory in MB."""
    process = subprocess.Popen([BIN / "personascope", *map(str, words)], env=personascope.env, cwd=personascope.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / 1024


def test_memory_does_not_grow_with_the_users(personascope):
    assert personascope("lens", "profiles", "--count", "600", "-o", "own").code == 0
    script = personascope.folder / "both.yaml"
    script.write_text(json.dumps({"rules": [{"when": "*", "reply": "Thanks, that is all. TERMINATE"}]}))

    def words(last, store):
        return ("lens", "generate", "--data", "own", "--users", f"0-{last}", "--tasks-per-user", "1", "--model",
                f"scripted/{script}", "--output", f"out{last}", "--store", store, "--max-connections", "16")  # fmt: skip

    few = most_memory(personascope, *words(49, "few.db"))
    many = most_memory(personascope, *words(599, "many.db"))
    size = sum(path.stat().st_size for path in (personascope.folder / "own").rglob("*.json")) / 2**20
    assert size > 40, "what is read is much more than what may be kept"
    assert many < few + 5, f"{few:.0f} MB with 50 users, {many:.0f} MB with 600"


def test_a_pipe_in_place_of_a_file_is_not_waited_for(personascope, fake):
    assert personascope("lens", "profiles", "--count", "2", "-o", "own").code == 0
    path = personascope.folder / "own/profile/user1/profile.json"
    path.unlink()
    os.mkfifo(path)
    ended = generate(personascope, fake(talk("Bye. TERMINATE", "Bye.")), "--data", "own", "--tasks-per-user", "1",
                     "--items", "items.jsonl")
    assert ended.code == 1, ended.err
    first, second = answers_of(personascope.folder / "items.jsonl")
    assert first["outcome"] in ("answered", "scored") and "profile.json is no file" in second["error"]["message"]
