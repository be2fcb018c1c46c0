"""Leaderboards: stored runs of every evaluation, paired by item, and published scores."""

import json

import pytest

from bot_work import Pipeline
from test_bench import REPLIES
from test_lens import lens, models  # noqa: F401  (a fixture)

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


@pytest.fixture
def ci(personascope, fake):
    return Pipeline(personascope, fake)


def ranks_of(board):
    return [(row["name"], row["rank"], row["ranks"]) for row in board["rows"]]


def test_models_are_ranked_on_the_same_items(ci):
    """Two deployments of equal quality, a worse one, a repeat, and a run with another judge."""
    for deployment, quality in (("a", 4), ("b", 4), ("c", 2)):
        ci.bot.quality, ci.bot.words = quality, deployment
        assert ci.run("--deployment", deployment, "--tag", "release").code == 0
    ci.bot.quality, ci.bot.words = 4, "again"
    assert ci.run("--deployment", "a", "--fresh").code == 0
    assert ci.run("--deployment", "a", "--judge", "openai/gpt-other").code == 0  # a panel of two
    found = ci.program("leaderboard", "gym", "--json").json()
    board, other = found["boards"]
    assert [row["runs"] for row in other["rows"]] == [[5]]
    assert board["apart"]["judges"] == "openai/gpt-judge"
    assert board["items"] == 100 and board["clusters"] == 10 and board["scale"] == [1, 5]
    assert {row["name"]: row["runs"] for row in board["rows"]} == {
        "openai/gpt-tested, deployment a": [1, 4],
        "openai/gpt-tested, deployment b": [2],
        "openai/gpt-tested, deployment c": [3],
    }
    *above, below = ranks_of(board)
    assert [ranks for _, _, ranks in above] == [[1, 2], [1, 2]]
    assert below == ("openai/gpt-tested, deployment c", 3, [3, 3])
    assert sum(pair["claimed"] for pair in board["pairs"]) == 2 and len(board["pairs"]) == 3
    assert set(board["rows"][0]["by_label"]) and found["published"] is None
    text = ci.program("leaderboard", "gym", "--base", "openai/gpt-tested, deployment c")
    assert text.code == 0 and "better" in text.out and "1 to 2" in text.out
    assert "on a board of its own by: judges" in text.out
    # Chosen runs only; the alias is the same.
    chosen = ci.program("leaderboard", "--tag", "release", "--json").json()
    assert [row["runs"] for row in chosen["boards"][0]["rows"]] and len(chosen["boards"]) == 1
    chosen = ci.program("leaderboard", "--runs", "1,3", "--json").json()
    assert [row["runs"] for row in chosen["boards"][0]["rows"]] == [[1], [3]]
    assert ci.program("gym", "leaderboard", "--json").json() == found
    assert ci.program("leaderboard", "--since", "2999-01-01").code == 2


def test_refusals_do_not_lift_a_model(ci):
    ci.bot.quality = 4
    assert ci.run("--deployment", "a").code == 0
    ci.bot.quality, ci.bot.refusing = 5, 2  # perfect, where it answers
    assert ci.run("--deployment", "b").code == 0
    [board] = ci.program("leaderboard", "--json").json()["boards"]
    assert board["rows"][0]["name"].endswith("deployment a")
    assert board["rows"][1]["filled"] == board["rows"][1]["outcomes"]["refused"] > 30
    assert "filled" in [note["code"] for note in board["notes"]]
    [board] = ci.program("leaderboard", "--unscored", "drop", "--json").json()["boards"]
    assert board["rows"][0]["name"].endswith("deployment b")
    assert "count as the worst score" in ci.program("leaderboard").out


def test_other_evaluations_have_boards(personascope, models):  # noqa: F811
    """A bench with a model that always fails the critic, and a lens."""
    (personascope.folder / "poor.yaml").write_text("""rules:\n  - reply: '{"answer_to_question": "Weigh both sides."}'\n""")
    for model in (REPLIES, "scripted/poor.yaml"):
        ended = personascope("bench", "main", "--model", model, "--judge", REPLIES, "-n", 30, "--reader", "none",
                             "--controls", "none", "--canaries", 0)  # fmt: skip
        assert ended.code == 0, ended.err
    assert lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", 1).code == 0
    bench, of_lens = personascope("leaderboard", "--json").json()["boards"]
    assert bench["evaluation"] == "bench" and bench["scale"] == [0, 1] and bench["clusters"] == 30
    assert [row["ranks"] for row in bench["rows"]] == [[1, 1], [2, 2]]
    assert bench["rows"][1]["mean"]["value"] == 0 and bench["rows"][1]["model"].endswith("poor.yaml")
    assert of_lens["evaluation"] == "lens" and of_lens["score"] == "task_completion"
    assert [note["code"] for note in of_lens["notes"]] == ["one_row"]
    [one] = personascope("leaderboard", "lens", "--score", "personalization", "--json").json()["boards"]
    assert one["rows"][0]["mean"]["value"] == 3 and one["scale"] == [1, 4]
    ended = personascope("leaderboard", "lens", "--score", "charm")
    assert ended.code == 2 and "choose one with --score" in ended.err
    left = personascope("leaderboard", "bench", "--runs", "1,2,3", "--json").json()["left_out"]
    assert [(run["run"], run["code"]) for run in left] == [(3, "other_evaluation")]


def test_rows_that_cannot_be_told_apart_share_their_ranks(personascope):
    publish(personascope, "one", ("Ash", 4.0, 0.5, []), ("Birch", 4.02, 0.5, ["seen\x1b[31m twice"]))
    publish(personascope, "two", ("Ash", 4.0, 0.5, []), ("Cedar", 2.0, 0.5, []), ("Dill", 3.0, None, []))
    board = personascope("gym", "leaderboard", "--base", "cedar", "--json").json()["published"]
    rows = [(row["model"], row["rank"], row["ranks"]) for row in board["rows"]]
    assert rows == [("Birch", 1, [1, 3]), ("Ash", 2, [1, 3]), ("Dill", 3, None), ("Cedar", 4, [3, 4])]
    assert board["rows"][0]["percent_over_base"] == pytest.approx(101) and board["unranked"] == 1
    low, high = board["rows"][1]["persona_score"]["ci95"]
    assert (low, high) == pytest.approx((3.93028, 4.06972), abs=1e-5)
    text = personascope("gym", "leaderboard")
    assert text.code == 0, text.err
    assert "1 to 3" in text.out
    assert "\x1b" not in text.out


def test_bad_input_gets_one_sentence(personascope):
    ended = personascope("gym", "leaderboard")
    assert ended.code == 2
    assert "nothing to rank" in ended.err
    ended = personascope("leaderboard", "--runs", "7")
    assert ended.code == 2 and "run 7" in ended.err
    ended = personascope("leaderboard", "--runs", "seven")
    assert ended.code == 2 and "--runs takes numbers" in ended.err
    ended = personascope("leaderboard", "--since", "yesterday")
    assert ended.code == 2 and "--since must be a date" in ended.err
    folder = publish(personascope, "one", ("Ash", 4.0, 0.5, []))
    ended = personascope("gym", "leaderboard", "--base", "Oak")
    assert ended.code == 2
    assert "there are: Ash" in ended.err
    for text in ("{", "{}", "[1]", '[{"model": "x", "persona_score": 3, "scores": {}}]'):
        (folder / "published.json").write_text(text)
        ended = personascope("gym", "leaderboard")
        assert ended.code == 2
        assert "import the pack again" in ended.err
