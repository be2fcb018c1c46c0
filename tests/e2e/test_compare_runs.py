"""`compare` on the program's own runs and exports: always, with what differs said first."""

import itertools
import json

import pytest

from bot_work import Pipeline
from test_bench import MODELS
from test_judge import answer, judge, script
from test_lens import lens, models  # noqa: F401  (a fixture)


@pytest.fixture
def runs(personascope, fake):
    """Run 1: all scored; 2: a third refused; 3: every verdict failed; 4: another temperature."""
    made = Pipeline(personascope, fake)
    made.bot.quality = 4
    assert made.run("-o", "one.jsonl").code == 0
    made.bot.refusing = 3
    assert made.run("--fresh", "-o", "two.csv").code == 0
    made.bot.refusing, made.bot.broken_judge = 0, True
    assert made.run("--fresh", "-o", "three.jsonl").code == 1
    made.bot.broken_judge = False
    made.bot.words = "fourth"
    assert made.run("--temperature", "0.1", "-o", "four.json").code == 0
    return made


def test_every_pair_of_runs_and_exports_compares(runs):
    program = runs.program
    sources = [1, 2, 3, 4, "one.jsonl", "two.csv", "three.jsonl", "four.json"]
    for first, second in itertools.permutations(sources, 2):
        ended = program("compare", first, second)
        assert ended.code == 0, (first, second, ended.err)
        assert "what differs" in ended.out or "100 items" in ended.out


def test_exports_give_the_numbers_of_the_runs(runs):
    program = runs.program
    of_runs = program("compare", 1, 2, "--json").json()
    of_files = program("compare", "one.jsonl", "two.csv", "--scale", "1-5", "--json").json()
    assert of_files["cluster_column"] == of_runs["cluster_column"] == "persona"
    for mine, theirs in zip(of_runs["runs"], of_files["runs"]):
        assert mine["mean"] == theirs["mean"]
    assert of_runs["differences"][0]["difference"] == of_files["differences"][0]["difference"]
    assert [one["outcome"] for one in of_files["outcomes"]] == ["refused"]


def test_what_differs_is_said_first_and_rows_are_named_by_model(runs):
    ended = runs.program("compare", 1, 4)
    assert ended.out.index("what differs") < ended.out.index("mean")
    assert "temperature" in ended.out and "run 1" not in ended.out
    found = runs.program("compare", 1, 4, "--json").json()
    assert {"setting": "temperature", "values": ["0.9", "0.1"]} in found["settings"]["settings"]
    assert found["runs"][0]["run"] == "openai/gpt-tested, temperature 0.9"


def test_outcomes_of_both_runs_are_compared(runs):
    found = runs.program("compare", 1, 2, "--json").json()
    [refused] = found["outcomes"]
    items = [json.loads(line) for line in (runs.program.folder / "one.jsonl").read_text().splitlines()]
    assert refused["outcome"] == "refused" and len(items) == found["items"]
    share = refused["runs"][1]["mean"]["value"]
    assert refused["runs"][0]["mean"]["value"] == 0 and 0.2 < share < 0.5
    assert refused["differences"][0]["difference"]["value"] == pytest.approx(share)
    assert refused["differences"][0]["claim_p_value"] < 0.05
    bounds = found["bounds"][1]
    mean = found["runs"][1]["mean"]["value"]
    assert bounds["low"] == pytest.approx(mean * (1 - share) + 1 * share)
    assert bounds["high"] == pytest.approx(mean * (1 - share) + 5 * share)
    assert "items without a score" in runs.program("compare", 1, 2).out


def test_items_are_listed_by_change_with_both_answers(runs):
    program = runs.program
    found = program("compare", 1, 2, "--worse", 5, "--json").json()["items_changed"]
    assert len(found) == 5
    assert all(item["first"]["outcome"] == "scored" and item["second"]["outcome"] == "refused" for item in found)
    assert all("As an AI" in item["second"]["answer"] and "quality" in item["first"]["answer"] for item in found)
    ended = program("compare", 1, 2, "--worse", 1)
    assert "-> refused" in ended.out and "As an AI language model" in ended.out
    assert program("compare", 1, 4, "--items", "-o", "items.csv").code == 0
    rows = (program.folder / "items.csv").read_text().splitlines()
    assert len(rows) == 101 and rows[0].startswith("id,cluster,label,change,")
    changes = [item["change"] for item in program("compare", 1, 4, "--items", "--json").json()["items_changed"]]
    assert changes == sorted(changes) and changes[0] < 0 < changes[-1]


def test_other_questions_under_the_same_ids_are_refused(runs):
    program = runs.program
    for path in (program.folder / "questions").glob("*.json"):
        path.write_text(path.read_text().replace("what does", "what on earth does"))
    assert runs.run("--fresh").code == 0
    ended = program("compare", 1, 5)
    assert ended.code == 2 and "100 items were asked another question" in ended.err and "--anyway" in ended.err
    ended = program("compare", 1, 5, "--anyway")
    assert ended.code == 0
    assert ended.out.index("asked another question") < ended.out.index("mean")


def test_equivalence_by_a_margin(runs):
    found = runs.program("compare", 1, 4, "--margin", "1.5", "--json").json()
    [margin] = found["margins"]
    low, high = margin["interval"]
    assert margin["verdict"] == "equivalent" and -1.5 < low < high < 1.5
    [narrow] = runs.program("compare", 1, 4, "--margin", "0.001", "--json").json()["margins"]
    assert narrow["verdict"] in ("undecided", "better", "worse") and not narrow["not_worse"]
    assert narrow["clusters_needed"] > 1000
    assert narrow["interval"] == margin["interval"]


def test_runs_of_every_evaluation_compare_and_others_say_why_not(personascope, models):
    for _ in range(2):
        assert personascope("bench", "main", *MODELS, "-n", 12, "--reader", "none").code == 0
    for _ in range(2):
        assert lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", 1).code == 0
    lines = [answer(f"i{number}", f"<{number}>", persona=f"p{number % 6}") for number in range(12)]
    judges = script(personascope, "j.yaml", ("*<3>*", "no verdict at all"), ("*", "Verdict: 4"))
    for _ in range(2):
        judge(personascope, lines, "--canaries", 0, "--cluster", "persona", judges=[judges])
    for first, second in itertools.combinations(range(1, 7), 2):
        ended = personascope("compare", first, second)
        if (first + 1) // 2 == (second + 1) // 2:
            assert ended.code == 0, (first, second, ended.err)
        else:
            assert ended.code == 2 and "they have no items in common" in ended.err
