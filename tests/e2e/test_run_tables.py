"""Statistics on stored runs: the same numbers as on a file with the same scores."""

import random

import pytest

from test_bench import MODELS
from test_judge import answer, judge, script
from test_lens import lens, models  # noqa: F401  (a fixture)

PERSONAS, QUESTIONS = 12, 5


@pytest.fixture
def ratings():
    """For every item its persona, two judges' scores and a human's."""
    generator = random.Random(3)
    rows = {}
    for number in range(PERSONAS * QUESTIONS):
        human = generator.randint(1, 5)
        near = [min(5, max(1, human + generator.choice([-1, 0, 0, 1]))) for _ in range(3)]
        rows[f"item-{number:02}"] = {"persona": f"p{number % PERSONAS}", "human": human, "first": near[0],
                                     "second": near[1], "again": near[2]}  # fmt: skip
    return rows


@pytest.fixture
def stored(personascope, ratings):
    """Run 1: a panel of two judges; runs 2 to 4: one judge each. The same as table.csv and labels.csv."""
    lines = [answer(id, f"<{id}>", persona=row["persona"]) for id, row in ratings.items()]
    judges = {name: script(personascope, f"{name}.yaml", *[(f"*<{id}>*", f"Verdict: {row[name]}")
                                                           for id, row in ratings.items()])
              for name in ("first", "second", "again")}  # fmt: skip
    for panel in (["first", "second"], ["first"], ["again"], ["second"]):
        ended = judge(personascope, lines, "--canaries", 0, "--cluster", "persona",
                      judges=[judges[name] for name in panel])  # fmt: skip
        assert ended.code == 0, ended.err
    table = ["id,persona,first,second,again,human"]
    labels = ["id,human,words"]
    for number, (id, row) in enumerate(ratings.items()):
        label = row["human"] if number % 4 else ""
        table.append(f"{id},{row['persona']},{row['first']},{row['second']},{row['again']},{label}")
        labels.append(f"{id},{label},{number}")
    (personascope.folder / "table.csv").write_text("\n".join(table) + "\n")
    (personascope.folder / "labels.csv").write_text("\n".join(labels) + "\n")
    return personascope


ON_FILE = ("--cluster", "persona", "--scale", "1-5")


def test_agreement_of_a_panel(stored, ratings):
    found = stored("agreement", 1, "--json").json()
    expected = stored("agreement", "table.csv", "--raters", "first,second", *ON_FILE, "--json").json()
    assert [name.rsplit("/", 1)[1] for name in found["raters"]] == ["first.yaml", "second.yaml"]
    assert found["overall"] == expected["overall"] and found["ratings"] == 2 * len(ratings)


def test_agreement_of_runs_and_a_file(stored):
    found = stored("agreement", 2, 3, "labels.csv", "--score", "human", "--scale", "1-5", "--json")
    assert found.code == 2 and "has one score per item" in found.json()["error"]["message"]
    found = stored("agreement", 2, 3, "--json").json()
    expected = stored("agreement", "table.csv", "--raters", "first,again", *ON_FILE, "--json").json()
    assert found["raters"] == ["run 2", "run 3"]
    assert found["overall"] == expected["overall"]


def test_a_run_and_a_file_in_either_order_have_the_run_s_scale_and_personas(stored):
    rows = (stored.folder / "table.csv").read_text().splitlines()
    (stored.folder / "again.csv").write_text("\n".join(",".join(row.split(",")[i] for i in (0, 4)) for row in rows))
    expected = stored("compare", 2, 3, "--json").json()
    assert expected["scale"] == [1, 5] and expected["clusters"] == PERSONAS and expected["warnings"] == []
    for sources, sign in ((("2", "again.csv"), 1), (("again.csv", "2"), -1)):
        found = stored("compare", *sources, "--json").json()
        assert found["scale"] == [1, 5] and found["clusters"] == PERSONAS
        [difference], [other] = found["differences"], expected["differences"]
        assert difference["difference"]["value"] == pytest.approx(sign * other["difference"]["value"])
        assert difference["sign_flip"]["p_value"] == pytest.approx(other["sign_flip"]["p_value"])


def test_verdict_files_bring_their_clusters(stored, ratings):
    lines = [answer(id, f"<{id}>", persona=row["persona"]) for id, row in ratings.items()]
    for name in ("first", "again"):
        ended = judge(stored, lines, "--canaries", 0, "--cluster", "persona", output=f"{name}.jsonl",
                      judges=[f"scripted/{stored.folder}/{name}.yaml"])  # fmt: skip
        assert ended.code == 0, ended.err
    found = stored("compare", "first.jsonl", "again.jsonl", "--json").json()
    assert found["cluster_column"] == "cluster" and found["clusters"] == PERSONAS
    assert found["differences"][0]["claim_p_value"] == stored("compare", 2, 3, "--json").json()["differences"][0]["claim_p_value"]


def test_calibration_of_a_run(stored):
    found = stored("calibrate", 2, "labels.csv", "--human", "human", "--json", "-o", "out.csv").json()
    expected = stored("calibrate", "table.csv", "--judge", "first", "--human", "human", *ON_FILE, "--json").json()
    assert found == expected and found["labels"] == 45
    rows = (stored.folder / "out.csv").read_text().splitlines()
    assert rows[1].startswith("item-00,") and len(rows) == 61


def test_labels_of_other_items_are_counted(stored):
    (stored.folder / "labels.csv").open("a").write("stranger,3,1\n")
    ended = stored("calibrate", 2, "labels.csv", "--human", "human")
    assert "1 label left out because no item" in ended.out


def test_judge_card_of_a_run(stored):
    found = stored("judge", "card", 2, "labels.csv", "--human", "human", "--repeats", 3, "--reversed", 4,
                   "--length", "words", "--json").json()  # fmt: skip
    assert found["labelled"] == 45 and found["length_bias"] and found["order_bias"]
    expected = stored("judge-card", "table.csv", "--judge", "first", "--human", "human", "--repeats", "again",
                      "--reversed", "second", *ON_FILE, "--json").json()  # fmt: skip
    for member in ("exact", "mean_error", "confusion", "stability", "order_bias"):
        assert found[member] == expected[member], member


def test_scores_of_a_tiny_judge_are_never_shown_without_a_word(personascope):
    """Whatever is made of them later."""
    tiny = ("--judge", "embedded/smollm2-135m", "--verdicts", "expected", "--canaries", "0", "--cluster", "persona")
    lines = [answer(f"i{number}", "Yes, gladly.", persona=f"p{number}") for number in range(2)]
    for output in ("one.jsonl", "two.jsonl"):
        ended = judge(personascope, lines, *tiny, judges=(), output=output, timeout=120)
        assert ended.code == 0, ended.err
    (personascope.folder / "labels.csv").write_text("id,human\ni0,4\ni1,2\n")
    for words in (("compare", 1, 2), ("agreement", 1, 2), ("judge-card", 1, "labels.csv")):
        ended = personascope(*words)
        assert "embedded/smollm2-135m is a tiny model" in ended.out.replace("\n  ", " "), ended.err
        warnings = personascope(*words, "--json").json()["warnings"]
        assert sum("not for publication" in warning for warning in warnings) == 1


def test_plan_from_runs(stored):
    for runs, columns in ((["2"], "first"), (["2", "3"], "first,again")):
        found = stored("plan", *runs, "--half-width", "0.2", "--json").json()
        expected = stored("plan", "table.csv", "--columns", columns, "--cluster", "persona",
                          "--half-width", "0.2", "--json").json()  # fmt: skip
        assert found["plans"] == expected["plans"] and found["plans"]


BAD = [
    (("agreement", "2"), "had no panel"),
    (("agreement", "9"), "9"),
    (("calibrate", "2"), "name a file of human labels"),
    (("calibrate", "2", "labels.csv", "--human", "nothing"), 'no column "nothing"'),
    (("calibrate", "2", "labels.csv", "--judge", "x", "--human", "human"), "--judge is for"),
    (("calibrate", "2", "others.csv", "--human", "human"), "none of its ids"),
    (("calibrate", "table.csv", "labels.csv", "--judge", "first", "--human", "human"), "follows the number of a run"),
    (("judge-card", "2", "labels.csv", "--human", "human", "--repeats", "again"), "not the number of a run"),
    (("plan", "2", "3", "1", "--half-width", "1"), "one run, or two"),
    (("compare", "2", "3", "--score", "warmth"), "has one score per item"),
]


@pytest.mark.parametrize("words, said", BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_sentence(stored, words, said):
    (stored.folder / "others.csv").write_text("id,human\nx,3\ny,4\n")
    ended = stored(*words)
    assert ended.code == 2, ended.out
    assert ended.out == "" and ended.err.count("\n") == 1
    assert said in ended.err


def test_runs_of_the_bench_and_the_lens(personascope, models):
    for _ in range(2):
        assert personascope("bench", "main", *MODELS, "-n", 30, "--reader", "none").code == 0
    found = personascope("compare", 1, 2, "--json").json()
    assert found["items"] == 30 and found["cluster_column"] == "persona" and found["scale"] == [0, 1]
    assert found["differences"][0]["difference"]["value"] == 0
    for _ in range(2):
        assert lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", 2).code == 0
    ended = personascope("compare", 3, 4)
    assert ended.code == 2 and "choose one with" in ended.err and "coherence_user" in ended.err
    found = personascope("compare", 3, 4, "--score", "personalization", "--json").json()
    assert found["items"] == 12 and found["clusters"] == 6 and found["scale"] == [1, 4]
    assert found["runs"][0]["mean"]["value"] == 3
