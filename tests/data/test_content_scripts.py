"""What the scripts beside the data compute, on hand-made input."""

import importlib.machinery
import importlib.util
import pathlib
from collections import Counter

from content_checks import load_jsonl

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def verdict(flagged=False, kind="score"):
    return {"verdict": "refused" if flagged else kind, "judges": [{"answer_declines": True} if flagged else {}]}


def test_a_judges_agreement_counts_flags_by_label():
    script = load("judge-refusals")
    labelled = [{"id": str(i), "label": label} for i, label in enumerate(["refuses"] * 3 + ["plays"] * 4 + ["breaks-character"])]
    verdicts = {"0": verdict(True), "1": verdict(True), "2": verdict(), "3": verdict(True), "4": verdict(), "5": verdict(),
                "6": verdict(kind="failed"), "7": {"verdict": "refused", "judges": [{}]}}  # the judge itself declined
    lines = list(script.report(labelled, verdicts))
    assert lines[0] == "7 of 8 answers judged"
    assert "  refuses: 2 of 3 flagged as refusals" in lines and "  plays: 1 of 3 flagged as refusals" in lines
    assert "  breaks-character: 0 of 1 flagged as refusals" in lines
    assert lines[-2].startswith("agreement with the labels: 0.71 (95 % interval 0.36 to 0.92)")
    assert lines[-1] == "flagging always the same would agree on 0.57"


def test_profiles_are_shown_as_facts_and_counted_by_verdict():
    script = load("judge-profiles")
    profile = {"demographics": {"age": 44, "languages": ["Twi", "English"]}, "interests": {"Books": True, "Games": False},
               "affinities": {"Books": {"format": "a hardback"}, "Games": {"genre": "chess"}}, "interactions": {}}
    assert script.render(profile) == "age: 44\nlanguages: Twi, English\nBooks, format: a hardback"
    lines = list(script.report([
        {"id": "user1", "verdict": "score", "score": 1, "judges": [{"text": "Fine."}]},
        {"id": "user2", "verdict": "score", "score": 0, "judges": [{"text": "A priest\n of twelve."}]},
        {"id": "user3", "verdict": "failed", "score": None, "judges": [{}]}]))
    assert lines == ["2 of 3 profiles judged", "could exist: 1 of 2 (50%)", "  user2: A priest of twelve."]
    assert list(script.report([])) == ["0 of 0 profiles judged"]


def test_items_are_chosen_from_all_tasks_and_never_twice():
    script = load("measure-items")
    few = script.choose(60, 1)
    assert len({row["persona"] for row in few}) == 60 and set(Counter(row["task"] for row in few).values()) == {12}
    every = script.choose(60, 50)
    assert len({row["id"] for row in every}) == 3000
    assert [row["persona"] for row in script.choose(2, 3)] == ["p017"] * 3 + ["p021"] * 3


def test_measured_items_are_questions_with_numbers_on_their_scales():
    rows = load_jsonl("gym/items.jsonl")
    asked = {row["id"] for row in load_jsonl("gym/questions.jsonl")}
    assert len({row["id"] for row in rows}) == len(rows) >= 10 and {row["id"] for row in rows} <= asked
    for row in rows:
        assert list(row) == ["id", "difficulty_reader", "discrimination_reader", "question_rank"], row
        assert 0 <= row["difficulty_reader"] < 1 and -5 < row["discrimination_reader"] < 5 and row["question_rank"] >= 1, row


def test_the_rank_is_the_true_personas():
    script = load("measure-items")
    candidates = [{"persona": "a", "score": -3.0}, {"persona": "b", "score": -2.5}, {"persona": "c", "score": -4.0}]
    assert script.rank_of({"persona": "b", "candidates": candidates}) == 1
    assert script.rank_of({"persona": "a", "candidates": candidates}) == 2
    assert script.rank_of({"persona": "c", "candidates": candidates}) == 3
