"""--replay, explain-miss and rescore: what is re-used, what is not, and why."""

import json

import pytest

from harness import answers_of, chat
from test_gym_files import WARMTH

LINES = [chat(f"r{i}", f"Question {i}?", temperature=0.5) for i in range(10)]


def test_replay_asks_nothing_and_gives_the_same_bytes(personascope, server):
    lines = LINES + [chat("no", "[[refuse]]"), chat("long", "[[too-long]]")]
    requests = personascope.write("requests.jsonl", lines)
    first = personascope.batch(requests, server)
    server.reset()
    replay = personascope.batch(requests, server, "--replay")
    assert replay.code == first.code == 1  # one line is too long
    assert replay.out == first.out
    assert server.requests() == 0


def test_replay_needs_no_server_and_no_key(personascope, loopback):
    server = loopback()
    requests = personascope.write("requests.jsonl", LINES)
    first = personascope.batch(requests, server)
    server.stop()
    replay = personascope.batch(requests, server, "--replay")
    assert replay.code == 0 and replay.out == first.out


def test_replay_names_the_line_that_is_missing_and_explain_miss_what_differs(personascope, server):
    requests = personascope.write("requests.jsonl", LINES)
    assert personascope.batch(requests, server).code == 0
    server.reset()
    changed = [dict(line) for line in LINES]
    changed[4] = chat("r4", "Question four?", temperature=0.5)
    changed[7] = chat("r7", "Question 7?", temperature=0.7)
    requests = personascope.write("requests.jsonl", changed)
    ended = personascope.batch(requests, server, "--replay", "-o", "answers.jsonl")
    assert ended.code == 1
    assert '"r4"' in ended.err and "not in the journal" in ended.err
    assert "personascope explain-miss 2" in ended.err
    assert not (personascope.folder / "answers.jsonl").exists()

    misses = personascope("explain-miss", "2", "--json").json()["misses"]
    assert [miss["item"] for miss in misses] == ["r4", "r7"]
    assert misses[0]["nearest_item"] == "r4"
    assert misses[0]["differences"] == [
        {
            "place": "request/messages/0/content",
            "stored": '"Question 4?"',
            "wanted": '"Question four?"',
        }
    ]
    assert misses[1]["differences"] == [
        {"place": "request/temperature", "stored": "0.5", "wanted": "0.7"}
    ]
    told = personascope("explain-miss", "2", "r4")
    assert told.code == 0
    assert "Question 4?" in told.out and "Question four?" in told.out and "r7" not in told.out
    assert personascope("explain-miss", "2", "nobody").code == 2
    assert server.requests() == 0


def test_explain_miss_sees_another_address_and_another_model(personascope, loopback):
    here, there = loopback(), loopback()
    requests = personascope.write("requests.jsonl", LINES[:1])
    personascope.batch(requests, here)
    personascope.batch(requests, there, "--replay", "-o", "a.jsonl", model="openai/gpt-4.1")
    (miss,) = personascope("explain-miss", "2", "--json").json()["misses"]
    places = {difference["place"] for difference in miss["differences"]}
    assert any("url" in place for place in places) and any("model" in place for place in places)
    assert there.requests() == 0


def test_explain_miss_of_a_run_that_can_be_replayed(personascope, server):
    personascope.batch(personascope.write("requests.jsonl", LINES), server)
    ended = personascope("explain-miss", "1")
    assert ended.code == 0 and "nothing is missing" in ended.out


@pytest.mark.parametrize("directive", ["[[status 500]]", "[[not-json]]", "[[close]]", "[[endless]]"])
def test_replay_reproduces_a_final_failure(personascope, server, directive):
    requests = personascope.write("requests.jsonl", LINES[:2] + [chat("bad", directive)])
    first = personascope.batch(requests, server, "--max-retries", "1")
    assert first.code == 1
    server.reset()
    replay = personascope.batch(requests, server, "--replay")
    assert replay.code == 1
    assert replay.out == first.out
    assert server.requests() == 0


def test_replay_of_a_structured_answer_with_its_repairs(personascope, server):
    schema = {
        "type": "json_schema",
        "json_schema": {"name": "n", "schema": {"type": "object", "required": ["a"]}},
    }
    line = chat("p", "x", response_format=schema)
    line["messages"].insert(0, {"role": "system", "content": "[[say {}]]"})
    good = chat("q", '[[say {"a": 1}]]', response_format=schema)
    requests = personascope.write("requests.jsonl", [line, good])
    first = personascope.batch(requests, server, model="groq/llama")
    server.reset()
    replay = personascope.batch(requests, server, "--replay", model="groq/llama")
    assert replay.out == first.out and server.requests() == 0


def judged_lines():
    return [chat(f"m{i}", f"Question {i}?", role="model") for i in range(5)] + [
        chat(f"j{i}", f"Is it good, {i}?", role="judge") for i in range(3)
    ]


def test_rescore_asks_only_the_judge_again(personascope, server):
    requests = personascope.write("requests.jsonl", judged_lines())
    assert personascope.batch(requests, server, "-o", "first.jsonl").code == 0
    server.reset()
    ended = personascope("rescore", "1", "-o", "again.jsonl", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["run"] == 2
    assert server.requests() == 3
    assert all("Is it good" in body["messages"][0]["content"] for body in server.bodies())
    assert answers_of(personascope.folder / "again.jsonl") == answers_of(
        personascope.folder / "first.jsonl"
    )
    server.reset()
    assert personascope("rescore", "1", "-o", "third.jsonl").code == 0
    assert server.requests() == 3


def test_rescore_never_overwrites_the_old_answers_by_itself(personascope, server):
    requests = personascope.write("requests.jsonl", judged_lines())
    assert personascope.batch(requests, server, "-o", "first.jsonl").code == 0
    ended = personascope("rescore", "1")
    assert ended.code == 2 and "-o" in ended.err and server.requests() == 8
    assert len(personascope("runs", "--json").json()["runs"]) == 1
    assert personascope.batch(requests, server).code == 0
    ended = personascope("rescore", "2")
    assert ended.code == 0 and len(answers_of(ended.out)) == 8, "standard output stays what it was"


def test_rescore_of_a_fresh_run_finds_its_answers(personascope, server):
    requests = personascope.write("requests.jsonl", judged_lines())
    assert personascope.batch(requests, server, "--fresh", "-o", "first.jsonl").code == 0
    server.reset()
    ended = personascope("rescore", "1", "-o", "again.jsonl")
    assert ended.code == 0, ended.err
    assert server.requests() == 3


def test_rescore_without_a_judge_is_wrong_use(personascope, server):
    personascope.batch(personascope.write("requests.jsonl", LINES), server)
    ended = personascope("rescore", "1")
    assert ended.code == 2 and '"role": "judge"' in ended.err


def test_a_fresh_run_resumed_asks_nothing_twice(personascope, server):
    requests = personascope.write("requests.jsonl", LINES)
    personascope.batch(requests, server)
    server.reset()
    ended = personascope.batch(requests, server, "--fresh", "--max-calls", "4", "-o", "a.jsonl")
    assert ended.code == 1 and server.requests() == 4
    while ended.code == 1 and server.requests() < 10:
        ended = personascope(*ended.resume_command())
    assert ended.code == 0
    assert server.requests() == 10


def test_another_script_is_another_model(personascope):
    script = personascope.folder / "replies.yaml"
    requests = personascope.write("requests.jsonl", LINES)
    script.write_text("rules:\n  - reply: one\n")
    words = ("batch", requests, "--model", "scripted/replies.yaml")
    assert personascope(*words).code == 0
    assert personascope(*words, "--replay").code == 0
    script.write_text("rules:\n  - reply: two\n")
    ended = personascope(*words, "--replay")
    assert ended.code == 1
    assert personascope("explain-miss", "3").code == 0
    assert {answer["text"] for answer in answers_of(personascope(*words).out)} == {"two"}


@pytest.fixture
def gym(personascope):
    """A tiny run of the gym: four answers, four verdicts."""
    for name, reply in (("play", "I would wait."), ("judge", "Verdict: 4")):
        (personascope.folder / f"{name}.yaml").write_text(f"rules:\n  - reply: '{reply}'\n")
    return lambda *words: personascope(
        *("gym", "run", "--limit", "2", "--questions-per-task", "2", "--task", "expected-action"),
        *("--model", "scripted/play.yaml", "--judge", "scripted/judge.yaml", "--example-model", "none"),
        *("--reader", "none", "--canaries", "0", *words),
    )


def test_explain_miss_goes_through_an_evaluation(personascope, gym):
    assert gym().code == 0
    assert "nothing is missing" in personascope("explain-miss", "1").out
    assert gym("--temperature", "0.3", "--responses", "out", "--replay").code == 1
    misses = personascope("explain-miss", "2", "--json").json()["misses"]
    assert len(misses) == 4 and {miss["role"] for miss in misses} == {"model"}
    for miss in misses:
        assert miss["nearest_item"] == miss["item"]
        (difference,) = miss["differences"]
        assert (difference["place"], difference["wanted"]) == ("request/temperature", "0.3")
    (one,) = personascope("explain-miss", "2", misses[2]["item"], "--json").json()["misses"]
    assert one == misses[2]
    assert personascope("explain-miss", "2", "nobody").code == 2
    assert not list(personascope.folder.glob("out/*_qa.json")), "it writes nothing"


def write_scripts(personascope, **replies):
    for name, reply in replies.items():
        (personascope.folder / f"{name}.yaml").write_text(f"rules:\n  - reply: {json.dumps(reply)}\n")


def test_every_miss_of_an_item_is_found(personascope):
    """However many come before it: a persona's task is computed as one."""
    words = ("gym", "run", "--limit", "1", "--questions-per-task", "8", "--task", "expected-action", "--model",
             "scripted/play.yaml", "--judge", "scripted/a.yaml", "--judge", "scripted/b.yaml", "--judge",
             "scripted/c.yaml", "--example-model", "none", "--reader", "none", "--canaries", "0")  # fmt: skip
    write_scripts(personascope, play="I would wait.", a="Verdict: 4", b="Verdict: 4", c="Verdict: 3")
    assert personascope(*words, "-o", "items.jsonl").code == 0
    write_scripts(personascope, a="Verdict: 2", b="Verdict: 2", c="Verdict: 2")
    assert personascope(*words, "--replay").code == 1
    last = answers_of((personascope.folder / "items.jsonl").read_text())[-1]["id"]
    misses = personascope("explain-miss", "2", last, "--json").json()["misses"]
    assert len(misses) == 3 and all(miss["item"].startswith(last) for miss in misses)


def test_a_call_for_several_items_is_a_miss_of_each(personascope):
    write_scripts(personascope, play="I would wait.", judge="Verdict: 4")
    rules = [{"when": "*Choose ten environments*", "reply": json.dumps({"environments": [f"e{n:03}" for n in range(1, 11)]})},
             {"reply": json.dumps({"questions": ["Who is there on the ward tonight?", "What would you do about it?"]})}]  # fmt: skip
    writer = personascope.folder / "writer.yaml"
    writer.write_text(json.dumps({"rules": rules}))
    words = ("gym", "run", "--persona", "a nurse", "--questions-per-task", "2", "--task", "expected-action",
             "--model", "scripted/play.yaml", "--judge", "scripted/judge.yaml", "--question-model",
             "scripted/writer.yaml", "--example-model", "none", "--reader", "none", "--canaries", "0")  # fmt: skip
    ended = personascope(*words, "-o", "items.jsonl")
    assert ended.code == 0, ended.err
    (first, _) = answers_of((personascope.folder / "items.jsonl").read_text())
    rules[1]["reply"] = json.dumps({"questions": ["Who was there on the ward last night?", "What did you do about it?"]})
    writer.write_text(json.dumps({"rules": rules}))
    assert personascope(*words, "--replay").code == 1
    misses = personascope("explain-miss", "2", first["id"], "--json").json()["misses"]
    assert misses and {miss["role"] for miss in misses} == {"user"}


def test_explain_miss_needs_no_key_but_the_address(personascope, server):
    """The address takes part in a call's key, so another one would make everything a miss."""
    requests = personascope.write("requests.jsonl", LINES)
    env = {"MINE_BASE_URL": server.url}
    assert personascope("batch", requests, "--model", "openai-api/mine/x", env=env).code == 0
    assert "nothing is missing" in personascope("explain-miss", "1", env=env).out
    ended = personascope("explain-miss", "1")
    assert ended.code == 2 and "MINE_BASE_URL" in ended.err


def test_a_rescored_evaluation_writes_over_nothing(personascope, gym):
    assert gym("--scores", "scores.json").code == 0
    scores = personascope.folder / "scores.json"
    before = scores.read_text()
    write_scripts(personascope, judge="Verdict: 2")
    assert personascope("rescore", "1", "--json").json()["persona_score"]["mean"] == 2
    assert scores.read_text() == before
    # A file that the stored run has read.
    (personascope.folder / "warmth.yaml").write_text(WARMTH)
    ended = gym("--tasks", "warmth.yaml")
    assert ended.code == 0, ended.err
    ended = personascope("rescore", "3", "-o", "warmth.yaml")
    assert ended.code == 2 and "name another file" in ended.err
    assert (personascope.folder / "warmth.yaml").read_text() == WARMTH


def test_a_rescored_evaluation_goes_on_with_its_own_verdicts(personascope, gym):
    assert gym().code == 0
    assert personascope("rescore", "1", "--max-calls", "1").code == 1
    ended = personascope("resume", "2", "--max-calls", "9", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["session"]["sent"] == 3, "not the verdicts of the first run"
