"""The gym: the strict protocol against numbers worked out here, outcomes, resuming, and bad input."""

import json
import statistics

import pytest

from fake_openai import user_text
from gym_work import MODEL, TASKS, draw, grade_of, judge_words, strict_reply
from harness import answers_of


def test_strict_protocol_counts_and_averages_every_verdict(personascope, fake):
    server = fake(strict_reply)
    ended = personascope(
        *("gym", "run", "--limit", "6", "--questions-per-task", "3", "--model", MODEL),
        *(*judge_words(["openai/gpt-judge", "openai/gpt-other"]), "-o", "items.jsonl", "--json"),
        *("--canaries", "1", "--reader", "none"),
        env=server.env,
        timeout=120,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    items = answers_of(personascope.folder / "items.jsonl")
    assert len(items) == 6 * 5 * 3
    assert result["outcomes"] == {
        "scored": 90,
        "cannot_assess": 0,
        "refused": 0,
        "failed": 0,
        "low_mass": 0,
    }
    by_persona = {}
    for item in items:
        score = statistics.mean(grade_of(m, item["answer"]) for m in ("gpt-judge", "gpt-other"))
        assert item["score"] == score, item
        assert "An example of 3." in item["examples"]
        by_persona.setdefault(item["persona"], {}).setdefault(item["task"], []).append(score)
    personas = {}
    for persona, tasks in by_persona.items():
        personas[persona] = statistics.mean(statistics.mean(scores) for scores in tasks.values())
    for row in result["personas"]:
        assert row["persona_score"] == pytest.approx(personas[row["persona"]], abs=1e-12)
    score = result["persona_score"]
    assert score["mean"] == pytest.approx(statistics.mean(personas.values()), abs=1e-12)
    assert score["sd"] == pytest.approx(statistics.stdev(personas.values()), abs=1e-12)
    assert score["clusters"] == 6
    assert score["ci95"][0] < score["mean"] < score["ci95"][1]
    for name in TASKS.values():
        every = [s for tasks in by_persona.values() for s in tasks[name]]
        assert result["tasks"][name]["mean"] == pytest.approx(statistics.mean(every), abs=1e-12)
        assert result["tasks"][name]["n"] == 18
    # 90 answers, 90 example calls, 2 x (90 + 4 canaries + 18 of the rubric beside Toxicity Control)
    # verdicts, and each of them once.
    assert len(server.asked) == 90 + 90 + 2 * (94 + 18)
    assert result["cost_usd"] is None and result["usage"]["calls"] == len(server.asked)
    # The same again costs nothing and gives the same.
    again = personascope(
        *("gym", "run", "--limit", "6", "--questions-per-task", "3", "--model", MODEL),
        *(*judge_words(["openai/gpt-judge", "openai/gpt-other"]), "-o", "again.jsonl", "--json"),
        *("--canaries", "1", "--reader", "none"),
        env=server.env,
        timeout=120,
    )
    assert again.json()["session"]["sent"] == 0
    assert (personascope.folder / "again.jsonl").read_bytes() == (
        personascope.folder / "items.jsonl"
    ).read_bytes()


@pytest.mark.parametrize(
    "lists, said",
    [
        (["What would you do first?"], "1 questions were written instead of 2"),
        ([f"What would you do, {i}?" for i in range(3)], "3 questions were written instead of 2"),
        (["What would you do now?"] * 2, "was written twice"),
        (["Was würdest du zuerst tun, wenn der Turm brennt und niemand hilft?"] * 2, "language"),
    ],
)
def test_a_bad_list_of_questions_is_tried_again_and_then_an_outcome(
    personascope, fake, lists, said
):
    def reply(body):
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        if "questions" not in schema.get("properties", {}):
            return strict_reply(body)
        return json.dumps({"questions": lists})

    server = fake(reply)
    ended = personascope(
        *("gym", "run", "--persona", "the keeper of a lighthouse in the north", "--model", MODEL),
        *("--question-model", "openai/gpt-writer", "--judge", "openai/gpt-judge"),
        *("--questions-per-task", "2", "--task", "expected-action", "--reader", "none"),
        *("-o", "items.jsonl", "--json"),
        env=server.env,
    )
    assert ended.code == 1
    assert ended.json()["outcomes"]["failed"] == 2
    items = answers_of(personascope.folder / "items.jsonl")
    assert [item["outcome"] for item in items] == ["failed", "failed"]
    assert items[0]["error"]["kind"] == "unparsable"
    if "instead" not in said:  # a wrong count does not fit the schema either, which says so
        assert said in items[0]["error"]["message"]
    writes = [body for body in server.asked if body["model"] == "gpt-writer"]
    assert 1 + 5 <= len(writes) <= 1 + 15


def test_a_refusal_is_an_outcome_of_its_own(personascope, fake):
    def reply(body):
        text = strict_reply(body)
        if body["model"] == "gpt-tested" and draw(user_text(body), 2):
            return "As an AI language model, I have no persona."
        return text

    server = fake(reply)
    ended = personascope(
        *("gym", "run", "--limit", "2", "--questions-per-task", "4", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--json"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    assert 0 < result["outcomes"]["refused"] < 40
    assert result["outcomes"]["refused"] + result["outcomes"]["scored"] == 40
    assert sum(t["outcomes"]["refused"] for t in result["tasks"].values()) == (
        result["outcomes"]["refused"]
    )


def test_a_run_goes_on_where_it_stopped_and_only_the_judge_is_asked_again(personascope, fake):
    server = fake(strict_reply)
    words = (
        *("gym", "run", "--limit", "2", "--questions-per-task", "2", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--canaries", "0"),
    )
    stopped = personascope(*words, "-o", "items.jsonl", "--max-calls", "17", env=server.env)
    assert stopped.code == 1
    asked = len(server.asked)
    assert asked == 17
    resumed = personascope("resume", "1", "--max-calls", "99", "--json", env=server.env)
    assert resumed.code == 0, resumed.err
    assert len(server.asked) == 20 * 3 + 4  # the four of Toxicity Control are judged twice
    assert len(answers_of(personascope.folder / "items.jsonl")) == 20
    shown = personascope("show", "1")
    assert "PersonaScore" in shown.out
    server.asked.clear()
    again = personascope("rescore", "1", "-o", "again.jsonl", "--max-calls", "99", "--json", env=server.env)
    assert again.code == 0, again.err
    assert len(server.asked) == 20 * 2 + 4  # examples and verdicts
    assert again.json()["persona_score"] == resumed.json()["persona_score"]


def test_two_stored_runs_can_be_compared(personascope, fake):
    server = fake(strict_reply)
    for model in ("openai/gpt-one", "openai/gpt-two"):
        ended = personascope(
            *("gym", "run", "--limit", "6", "--questions-per-task", "2", "--model", model),
            *("--judge", "openai/gpt-judge", "--reader", "none", "-o", f"{model[-3:]}.jsonl"),
            env=server.env,
        )
        assert ended.code == 0, ended.err
    scores = {}
    for name in ("one", "two"):
        for item in answers_of(personascope.folder / f"{name}.jsonl"):
            scores.setdefault(item["id"], []).append(item["score"])
    result = personascope("compare", "1", "2", "--json").json()
    assert result["items"] == 60 and result["clusters"] == 6
    means = [run["mean"]["value"] for run in result["runs"]]
    assert means == pytest.approx([statistics.mean(c) for c in zip(*scores.values())])
    assert personascope("compare", "1").code == 2
    missing = personascope("compare", "1", "9")
    assert missing.code == 2 and "no run 9" in missing.err


@pytest.mark.parametrize("limit, code", [("1", 0), ("5.1", 100)])
def test_a_score_under_the_threshold_ends_with_100(personascope, fake, limit, code):
    server = fake(strict_reply)
    ended = personascope(
        *("gym", "run", "--limit", "2", "--questions-per-task", "1", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--fail-under", limit),
        env=server.env,
    )
    assert ended.code == code, ended.err
    assert ("is below 5.1" in ended.err) == (code == 100)


def test_an_estimate_sends_nothing(personascope, fake):
    server = fake(strict_reply)
    ended = personascope(
        *("estimate", "gym", "run", "--limit", "3", "--model", MODEL, *judge_words(), "--json"),
        *("--reader", "none"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    calls = {part["model"]: part["calls"] for part in ended.json()["parts"]}
    assert calls == {
        "openai/gpt-tested (answers)": 150 + 21,
        "openai/gpt-judge (examples)": 150,
        "openai/gpt-judge (grades)": 158 + 21 + 30,
        "together/meta-llama/judge (grades)": 158 + 21 + 30,
    }
    assert server.asked == []


@pytest.mark.parametrize(
    "words, said",
    [
        (["--persona", " "], "--persona is empty"),
        (["--persona", "a", "--persona", "a"], "is given twice"),
        (["--personas", "nowhere.txt"], "nowhere.txt"),
        (["--personas", "latin1.txt"], "is not in UTF-8"),
        (["--persona_list", "import os"], "must be a list of texts"),
        (["--persona_list", '["a nurse", " "]'], "must be a list of texts"),
        (["--task", "singing"], "there is no task singing"),
        (["--task", "toxicity", "--task", "toxicity-control"], "is named twice"),
        (["--tasks", "two.yaml"], "their mean has no meaning"),
        (["--responses", "two.yaml/answers"], "cannot be created"),
        (["--questions", "two.yaml/exam"], "cannot be created"),
        (["--scores", "two.yaml/scores.json"], "two.yaml"),
        (["--questions", "broken"], "index.json"),
        (["--saved_responses", "answers", "--epochs", "2"], "--epochs"),
        (["--benchmark", "nothing"], "there is no pack nothing"),
        (["--benchmark", "../x"], "there is no pack ../x"),
        (["--as-published"], "--protocol reference"),
        (["--judge", "openai/gpt-judge"], "named twice"),
        (["--questions-per-task", "11"], "ask for fewer"),
        (["--saved_responses", "nowhere"], "nowhere"),
        (["--tasks", "nowhere.yaml"], "nowhere.yaml"),
        (["--reader", "openai/gpt-4o"], "openai/gpt-4o cannot compute the likelihood of a text: set --reader to"),
        (["--protokol", "strict"], "did you mean --protocol"),
    ],
)
def test_bad_input_is_said_before_anything_is_spent(personascope, fake, words, said):
    server = fake(strict_reply)
    (personascope.folder / "two.yaml").write_text(
        "name: Warmth\nversion: 1\nasks: Is it warm?\nscale: [0, 1]\ncriteria: {0: no, 1: yes}\n"
    )
    (personascope.folder / "latin1.txt").write_bytes(b"the owner of a caf\xe9\n")
    (personascope.folder / "broken").mkdir()
    (personascope.folder / "broken" / "index.json").write_text("[1]")
    (personascope.folder / "answers").mkdir()
    (personascope.folder / "answers" / "a nurse_qa.json").write_text("{}")
    ended = personascope(
        *("gym", "run", "--model", MODEL, "--judge", "openai/gpt-judge", *words), env=server.env
    )
    assert ended.code == 2, ended.err
    assert said in ended.err
    assert server.asked == []
    assert personascope("runs", "--json").json()["runs"] == []


def test_it_runs_on_the_embedded_model(personascope):
    ended = personascope(
        *("gym", "run", "--persona", "a high school physics teacher", "--task", "expected-action"),
        *("--questions-per-task", "1", "--max-output-tokens", "24", "--readings", "1"),
        *("--controls", "1", "--canaries", "0", "--json"),
        timeout=300,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    assert result["model"] == result["judges"][0] == "embedded/smollm2-135m"
    assert result["exam"]["questions"] == {"written": 1}
    assert any("wrote its own questions" in note for note in result["notes"])
    assert any("tiny model" in note for note in result["notes"])
    assert result["likelihood"]["answers"]["lift"]["n"] == 1
    assert result["outcomes"]["scored"] == 1


def test_what_is_said_of_a_judge_is_said_once(personascope):
    """Canaries of all tasks are one note, and a judge whose failures the other hides is named."""
    for name, rule in (("play", "reply: I would wait."), ("kind", "reply: 'Verdict: 4'"), ("broken", "error: context_too_long")):
        (personascope.folder / f"{name}.yaml").write_text(f"rules:\n  - {rule}\n")
    ended = personascope("gym", "run", "--limit", "1", "--questions-per-task", "1", "--canaries", "5", "--reader", "none",
                         "--example-model", "none", "--model", "scripted/play.yaml",
                         "--judge", "scripted/kind.yaml", "--judge", "scripted/broken.yaml", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["outcomes"]["scored"] == 5 and found["cost_usd"] == 0, "what costs nothing costs nothing when it fails"
    assert sum("a sound judge gives the lowest score" in note for note in found["notes"]) == 1
    assert [(row["mean"], row["counts"]["scored"]) for row in found["canaries"]] == [(4, 20), (None, 0)]
    shown = personascope("show", "1").out
    rows = shown[shown.index("Canary check") :].splitlines()
    assert next(row for row in rows if "kind.yaml" in row).split()[1:4] == ["75.0", "%", "20"], "4 of 1 to 5"
    assert next(row for row in rows if "broken.yaml" in row).split()[1:3] == ["-", "-"]
    assert sum("broken.yaml failed 5 of 5 times, for example: " in note for note in found["notes"]) == 1
