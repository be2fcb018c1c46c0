"""Statistics of items over runs of several models, and the test's reliability."""

import csv

import pytest

from bot_work import Pipeline


@pytest.fixture
def ci(personascope, fake):
    made = Pipeline(personascope, fake)
    for deployment, quality in (("a", 2), ("b", 3), ("c", 4)):
        made.bot.quality, made.bot.words = quality, deployment
        assert made.run("--deployment", deployment, "--epochs", 2).code == 0
    return made


def test_items_and_reliability_of_three_deployments(ci):
    found = ci.program("items", 1, 2, 3, "--json").json()
    assert found["evaluation"] == "gym" and len(found["models"]) == 3 and len(found["items"]) == 200
    reliability = found["reliability"]
    assert reliability["coefficient"] > 0.9, "they are a point apart"
    assert reliability["size"] == {"models": 3, "personas": 10, "questions_per_persona": 10, "draws_per_question": 2,
                                   "judges": 1}  # fmt: skip
    assert set(reliability["twice"]) == {"personas", "questions", "draws"}
    twice = reliability["twice"]
    assert twice["personas"]["standard_error"] < twice["questions"]["standard_error"] < reliability["standard_error"]
    # The bot answers a question always alike, so that more draws give nothing.
    assert reliability["components"]["draw"] == 0
    assert twice["draws"]["standard_error"] == reliability["standard_error"]
    assert all(item["models"] == 3 and item["judge_gap"] is None for item in found["items"])
    same = [item for item in found["items"] if "same_for_all" in item["flags"]]
    assert all(item["spread"] == 0 for item in same) and found["flagged"] == len(same)
    text = ci.program("items", 1, 2, 3, "--limit", 5)
    assert text.code == 0 and "reliability" in text.out and "195 items are not shown" in text.out
    assert ci.program("items", 1, 2, 3, "-o", "items.csv").code == 0
    rows = list(csv.DictReader((ci.program.folder / "items.csv").open()))
    assert len(rows) == 200 and float(rows[0]["mean"]) >= 1


def test_plan_counts_draws_as_repeats(ci):
    found = ci.program("plan", 1, "--half-width", 0.1, "--json").json()
    assert found["questions_per_persona"] == 10 and "more_repeats" in found["pilot"]["twice_the_scores"]


def test_runs_that_do_not_fit_are_refused(ci):
    assert ci.run().code == 0  # without a second draw: other items
    ended = ci.program("items", 1, 4)
    assert ended.code == 2 and "was asked other items" in ended.err
    one = ci.program("items", 1)
    assert one.code == 0 and "one model cannot be ranked" in one.out
    assert ci.program("items", 99).code == 2
    assert ci.program("items", 1, "-o", "x.parquet").code == 2
