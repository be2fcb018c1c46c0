"""The gym's leaderboard, over published scores and stored runs."""

import json

import pytest

TASKS = ["Expected Action", "Toxicity Control", "Linguistic Habits", "Persona Consistency", "Action Justification"]


def publish(personascope, pack, *rows):
    folder = personascope.home / "packs" / pack
    folder.mkdir(parents=True)
    (folder / "published.json").write_text(json.dumps([
        {"name": model, "model": model, "scores": {task: {"mean": mean} for task in TASKS},
         "persona_score": {"mean": mean, **({"sd": sd} if sd else {})}, "personas": 200, "notes": notes}
        for model, mean, sd, notes in rows
    ]))  # fmt: skip
    return folder


def test_rows_that_cannot_be_told_apart_share_their_ranks(personascope):
    publish(personascope, "one", ("Ash", 4.0, 0.5, []), ("Birch", 4.02, 0.5, ["seen\x1b[31m twice"]))
    publish(personascope, "two", ("Ash", 4.0, 0.5, []), ("Cedar", 2.0, 0.5, []), ("Dill", 3.0, None, []))
    board = personascope("gym", "leaderboard", "--base", "cedar", "--json").json()
    rows = [(row["model"], row["rank"], row["ranks"]) for row in board["rows"]]
    assert rows == [("Birch", 1, [1, 3]), ("Ash", 2, [1, 3]), ("Dill", 3, None), ("Cedar", 4, [3, 4])]
    assert board["rows"][0]["percent_over_base"] == pytest.approx(101)
    low, high = board["rows"][1]["persona_score"]["ci95"]
    assert (low, high) == pytest.approx((3.93028, 4.06972), abs=1e-5)
    text = personascope("gym", "leaderboard")
    assert text.code == 0, text.err
    assert "1 to 3" in text.out
    assert "\x1b" not in text.out


def test_a_stored_run_is_a_row(personascope):
    for name, reply in (("play", "I would wait."), ("judge", "Reasons.\\nVerdict: 4")):
        (personascope.folder / f"{name}.yaml").write_text(f'rules:\n  - reply: "{reply}"\n')
    run = personascope("gym", "run", "--limit", "5", "--questions-per-task", "1", "--model", "scripted/play.yaml",
                       "--judge", "scripted/judge.yaml", "--example-model", "none", "--reader", "none", "--canaries", "0", "--json")  # fmt: skip
    assert run.code == 0, run.err
    board = personascope("gym", "leaderboard", "--json").json()
    assert [(row["source"], row["protocol"], row["persona_score"]["mean"]) for row in board["rows"]] == [
        ("run 1", "strict", 4.0)]  # fmt: skip
    assert board["differs"] == []


def test_what_rows_do_not_share_is_said(personascope):
    for name in ("one", "two"):
        (personascope.folder / f"{name}.yaml").write_text(f"# {name}\nrules:\n  - reply: 'Verdict: 4'\n")
    for judge, questions in (("one", "1"), ("two", "2")):
        run = personascope("gym", "run", "--limit", "2", "--questions-per-task", questions, "--model", "scripted/one.yaml",
                           "--judge", f"scripted/{judge}.yaml", "--example-model", "none", "--reader", "none", "--canaries", "0")
        assert run.code == 0, run.err
    assert personascope("gym", "leaderboard", "--json").json()["differs"] == ["judges", "questions per task"]
    assert "rows differ in judges, questions per task," in personascope("gym", "leaderboard").out


def test_bad_input_gets_one_sentence(personascope):
    ended = personascope("gym", "leaderboard")
    assert ended.code == 2
    assert "nothing to rank" in ended.err
    folder = publish(personascope, "one", ("Ash", 4.0, 0.5, []))
    ended = personascope("gym", "leaderboard", "--base", "Oak")
    assert ended.code == 2
    assert "there are: Ash" in ended.err
    for text in ("{", "{}", "[1]", '[{"model": "x", "persona_score": 3, "scores": {}}]'):
        (folder / "published.json").write_text(text)
        ended = personascope("gym", "leaderboard")
        assert ended.code == 2
        assert "import the pack again" in ended.err
