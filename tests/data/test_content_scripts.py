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
