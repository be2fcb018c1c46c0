"""Looking at stored runs, taking them out, and keeping them in order."""

import csv
import json
import sqlite3
import time

from harness import MODEL, answers_of, chat

def run_batch(personascope, server, *args):
    lines = [chat("good", "Tell me about the lighthouse"), chat("no", "[[refuse]]"), chat("bad", "[[status 400]]"),
             chat("=sum", "[[say +1-1]]")]
    requests = personascope.write("requests.jsonl", lines)
    return personascope.batch(requests, server, "-o", "answers.jsonl", *args)


def test_an_item_is_shown_with_its_answer_and_calls(personascope, server):
    run_batch(personascope, server)
    shown = personascope("show", "1", "--item", "good")
    assert shown.code == 0 and "answered" in shown.out and "1 call" in shown.out
    assert "Tell me about the lighthouse" not in shown.out
    asked = personascope("show", "1", "--item", "good", "--prompts").out
    assert "Tell me about the lighthouse" in asked
    item = personascope("show", "1", "--item", "good", "--prompts", "--json").json()
    (call,) = item["calls"]
    assert call["request"]["messages"] == [{"role": "user", "content": "Tell me about the lighthouse"}]
    assert call["reply"]["text"] == item["answer"] and call["from_journal"] is False
    assert personascope("show", "1", "--item", "1", "--json").json()["id"] == "good", "by its number"
    wrong = personascope("show", "1", "--item", "goof")
    assert wrong.code == 2 and "good, no, bad" in wrong.err


def test_items_are_found_by_outcome_and_text(personascope, server):
    run_batch(personascope, server)
    (refused,) = personascope("show", "1", "--outcome", "refused", "--json").json()["items"]
    assert refused["id"] == "no"
    (failed,) = personascope("show", "1", "--outcome", "failed", "--json").json()["items"]
    assert failed["error"]["kind"] == "invalid" and "HTTP 400" in failed["error"]["message"]
    (found,) = personascope("show", "1", "--search", "+1-1", "--json").json()["items"]
    assert found["id"] == "=sum"
    assert "no item of run 1" in personascope("show", "1", "--search", "nothing like it").out


def test_a_second_run_shows_that_its_answers_came_from_the_journal(personascope, server):
    run_batch(personascope, server)
    run_batch(personascope, server)
    item = personascope("show", "2", "--item", "good", "--json").json()
    assert item["calls"][0]["from_journal"] is True


def test_items_are_exported_in_every_form(personascope, server):
    run_batch(personascope, server)
    for name in ("items.jsonl", "items.json", "items.csv", "items.md", "items.tex"):
        ended = personascope("export", "1", "-o", name)
        assert ended.code == 0 and "4 rows" in ended.out, ended.err
    lines = answers_of(personascope.folder / "items.jsonl")
    assert [line["id"] for line in lines] == ["good", "no", "bad", "=sum"]
    assert len({tuple(sorted(line)) for line in lines}) == 1, "every line has the same members"
    assert json.loads((personascope.folder / "items.json").read_text()) == lines
    with open(personascope.folder / "items.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[3]["id"] == "'=sum" and rows[3]["answer"] == "'+1-1" and rows[0]["position"] == "0"
    assert "| good |" in (personascope.folder / "items.md").read_text()
    assert r"\toprule" in (personascope.folder / "items.tex").read_text()
    assert personascope("export", "1", "-o", "items.xlsx").code == 2
    assert personascope("export", "7", "-o", "items.csv").code == 2


def test_calls_are_exported_with_and_without_texts(personascope, server):
    run_batch(personascope, server)
    assert personascope("export", "1", "--what", "calls", "-o", "calls.jsonl").code == 0
    calls = answers_of(personascope.folder / "calls.jsonl")
    assert {call["item"] for call in calls} == {"good", "no", "bad", "=sum"}
    assert "lighthouse" in json.dumps(calls)
    redacted = personascope("export", "1", "--what", "calls", "--redact", "-o", "-").out
    assert "lighthouse" not in redacted and "gpt-4o" in redacted
    redacted = personascope("export", "1", "--redact", "-o", "-").out
    assert "answer" not in json.loads(redacted.splitlines()[0])


def test_runs_are_tagged_and_filtered(personascope, server):
    run_batch(personascope, server)
    run_batch(personascope, server)
    assert personascope("tag", "1", "baseline", "old").out == "run 1: baseline, old\n"
    assert personascope("tag", "1", "--remove", "old", "--json").json()["tags"] == ["baseline"]
    listed = personascope("runs", "--tag", "baseline", "--json").json()["runs"]
    assert [run["run"] for run in listed] == [1] and listed[0]["tags"] == ["baseline"]
    assert personascope("runs", "--model", "GPT-4o", "--evaluation", "batch", "--json").json()["runs"][0]["run"] == 2
    assert personascope("runs", "--evaluation", "gym", "--json").json()["runs"] == []
    assert personascope("tag", "9", "x").code == 2
    assert personascope("tag", "1", "a\x1b[31m").code == 2


def test_deleting_a_run_keeps_what_others_use(personascope, server):
    run_batch(personascope, server)
    requests = personascope.write("more.jsonl", [chat("good", "Tell me about the lighthouse")])
    assert personascope.batch(requests, server, "-o", "more-answers.jsonl").code == 0
    asked = personascope("delete", "1")
    assert asked.code == 2 and "--yes" in asked.err and "1 are kept" in asked.err
    deleted = personascope("delete", "1", "--yes", "--json").json()["deleted"]
    assert deleted["items"] == 4 and deleted["kept_calls"] == 1
    assert personascope("show", "1").code == 2
    server.reset()
    assert personascope.batch(requests, server, "-o", "again.jsonl").code == 0
    assert server.requests() == 0, "the shared answer is still there"
    assert personascope("store", "compact").code == 0
    assert personascope("store", "check").code == 0


def test_a_killed_run_is_shown_as_stopped(personascope, server):
    requests = personascope.write("slow.jsonl", [chat(str(i), "[[stall]]") for i in range(3)])
    words = ("batch", requests, "--model", MODEL, "--base-url", server.url, "-o", "slow-answers.jsonl")
    process = personascope.start(*words)
    store = personascope.store
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (store.exists() and server.requests() > 0):
        time.sleep(0.05)
    assert personascope("runs", "--json").json()["runs"][0]["state"] == "running"
    process.kill()
    process.wait()
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE run SET heartbeat = heartbeat - 60")
    assert personascope("runs", "--json").json()["runs"][0]["state"] == "stopped"


def test_damage_is_found_and_asked_again(personascope, server):
    run_batch(personascope, server)
    store = personascope.store
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE call SET answer = CAST(X'00' || 'forged' AS BLOB) WHERE item = 'good'")
    checked = personascope("store", "check", "--json")
    assert checked.code == 1 and checked.json()["damaged"] == ["good"]
    server.reset()
    run_batch(personascope, server)
    assert server.requests() == 1, "only the damaged answer is asked for again"
    assert "forged" not in (personascope.folder / "answers.jsonl").read_text()
    assert personascope("store", "check").code == 0


def test_looking_makes_no_store(personascope):
    assert "no runs yet" in personascope("runs").out
    assert "No run of it is stored yet" in personascope("card", "gym").out
    assert personascope("gym", "leaderboard").code == 2
    assert not list(personascope.home.glob("personascope.db*")), "the usual place has no store yet either"
    for words in (("show", "1"), ("export", "1", "-o", "x.csv"), ("tag", "1", "x"), ("delete", "1", "--yes"),
                  ("store", "check"), ("store", "compact")):
        ended = personascope(*words, "--store", "typo.db")
        assert ended.code == 2 and "typo.db" in ended.err, words
    assert not (personascope.folder / "typo.db").exists() and not (personascope.folder / "x.csv").exists()
