"""Statistics on files of scores: what people type, what they read, and what they get wrong."""

import csv
import json
import pathlib
import random

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"

COMPARE = ("compare", EXAMPLES / "scores.csv", "--columns", "run_a,run_b,run_c",
           "--cluster", "persona", "--scale", "1-5")  # fmt: skip
JOIN = ("compare", EXAMPLES / "first.csv", EXAMPLES / "second.jsonl", "--cluster", "persona",
        "--scale", "1-5")  # fmt: skip
AGREEMENT = ("agreement", EXAMPLES / "raters.csv", "--scale", "1-5", "--level", "ordinal")
CARD = ("judge", "card", EXAMPLES / "judged.csv", "--judge", "judge", "--human", "human",
        "--cluster", "persona", "--scale", "1-5", "--repeats", "judge_again",
        "--reversed", "judge_reversed", "--length", "words")  # fmt: skip
CALIBRATE = ("calibrate", EXAMPLES / "judged.csv", "--judge", "judge", "--human", "human",
             "--cluster", "persona", "--scale", "1-5")  # fmt: skip
PLAN = ("plan", EXAMPLES / "scores.csv", "--columns", "run_a", "--cluster", "persona",
        "--half-width", "0.2")  # fmt: skip
ALL = {"compare": COMPARE, "join": JOIN, "agreement": AGREEMENT, "judge_card": CARD,
       "calibrate": CALIBRATE, "plan": PLAN}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_the_text_is_as_agreed(personascope, name):
    """To agree on a new text, write it into golden/ and read it with a user's eyes."""
    ended = personascope(*ALL[name])
    assert ended.code == 0, ended.err
    assert ended.err == ""
    assert ended.out == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", ALL)
def test_results_do_not_depend_on_threads(personascope, name):
    if name == "plan":
        pytest.skip("draws nothing")
    one = personascope(*ALL[name], "--json", "--threads", "1")
    four = personascope(*ALL[name], "--json", "--threads", "4")
    assert one.code == 0, one.err
    assert one.out == four.out


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from numbers_in(member)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("name", ALL)
def test_json_has_what_every_number_rests_on(personascope, name):
    found = personascope(*ALL[name], "--json").json()
    assert all(number == number and abs(number) < 1e300 for number in numbers_in(found))
    estimates = []

    def walk(value):
        if isinstance(value, dict):
            if "standard_error" in value:
                estimates.append(value)
            for member in value.values():
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)

    walk(found)
    assert estimates or name == "plan"
    for estimate in estimates:
        assert estimate["n"] > 0 and estimate["clusters"] > 0 and estimate["method"]
        assert estimate["interval"] or estimate["caveats"]


def test_compare_as_json(personascope):
    found = personascope(*COMPARE, "--json").json()
    assert found["items"] == 120 and found["clusters"] == 12 and found["scale"] == [1, 5]
    better, same = found["differences"]
    assert better["run"] == "run_b" and better["verdict"] == "better"
    assert same["verdict"] == "no difference seen" and same["minimum_detectable"] > 0
    assert better["claim_p_value"] >= better["sign_flip"]["p_value"]
    low, high = better["difference"]["interval"]
    assert low < better["difference"]["value"] < high


def test_undecidable_says_why(personascope):
    (personascope.folder / "t.csv").write_text("id,a,b,cluster\n" + "".join(f"{i},{i % 3},{i % 4},p{i % 5}\n" for i in range(40)))
    words = ("compare", "t.csv", "--columns", "a,b", "--cluster", "cluster", "--scale", "0-4")
    [difference] = personascope(*words, "--json").json()["differences"]
    assert difference["verdict"] == "undecidable" and "needs at least 6 clusters" in difference["why"]
    assert "needs at least 6 clusters" in personascope(*words).out


def test_a_thin_pilot_shows_its_doubt(personascope):
    (personascope.folder / "t.csv").write_text("id,a,cluster\n" + "".join(f"{i},{i * 7 % 5},p{i % 4}\n" for i in range(40)))
    words = ("plan", "t.csv", "--columns", "a", "--cluster", "cluster", "--half-width", "0.5")
    found = personascope(*words, "--json").json()
    pilot = found["pilot"]
    assert (pilot["scores"], pilot["personas"]) == (40, 4)
    assert all(error < pilot["standard_error_now"] for error in pilot["twice_the_scores"].values())
    for row in found["plans"]:
        assert row["at_least"] <= row["personas"] < row["at_most"]
    assert "fewer than 10 personas" in personascope(*words).out


def test_fail_if_worse_has_its_own_exit_code(personascope):
    words = ("compare", EXAMPLES / "scores.csv", "--cluster", "persona", "--fail-if-worse")
    worse = personascope(*words, "--columns", "run_b,run_a")
    assert worse.code == 100
    assert "worse than run_b" in worse.err
    assert personascope(*words, "--columns", "run_a,run_b").code == 0
    assert personascope(*words, "--columns", "run_a,run_c").code == 0
    assert personascope(*words, "--columns", "run_a,run_b", "--lower-is-better").code == 100


def test_joined_files_show_what_is_not_in_both(personascope):
    found = personascope(*JOIN, "--json").json()
    first, second = found["files"]
    assert (first["rows"], first["unmatched"]) == (115, 3)
    assert second["examples"] == ["clockmaker-06", "clockmaker-07", "clockmaker-08"]
    assert found["items"] == 112


def test_calibrated_scores_are_written(personascope):
    ended = personascope(*CALIBRATE, "--id", "id", "-o", "calibrated.csv")
    assert ended.code == 0, ended.err
    with open(personascope.folder / "calibrated.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 240
    by_judge = {row["judge"]: float(row["calibrated"]) for row in rows}
    assert by_judge["1"] < by_judge["3"] < by_judge["5"]


def test_calibrated_scores_never_replace_the_labels(personascope):
    table = personascope.folder / "labels.csv"
    table.write_text("judge,human\n" + "4,4\n5,4\n3,2\n1,1\n" * 10)
    before = table.read_bytes()
    ended = personascope("calibrate", table, "--judge", "judge", "--human", "human", "-o", "labels.csv")
    assert ended.code == 2 and "name another file with --output" in ended.err
    assert table.read_bytes() == before


def test_calibrate_refuses_with_the_reason(personascope):
    table = personascope.folder / "few.csv"
    table.write_text("judge,human\n" + "4,4\n5,\n" * 5)
    ended = personascope("calibrate", table, "--judge", "judge", "--human", "human", "--json")
    assert ended.code == 2
    assert "too few" in ended.json()["error"]["message"]


def test_hostile_cells_do_not_reach_the_terminal(personascope):
    table = personascope.folder / "evil.csv"
    table.write_text('id,\x1b[2Ja,b\n"\x1b]0;x\x07",1,2\n2,2,3\n3,4,4\n')
    ended = personascope("compare", table, "--columns", "\x1b[2Ja,b")
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out + ended.err


BAD = [
    (("compare", "nowhere.csv", "--columns", "a,b"), "nowhere.csv"),
    (("compare", "t.csv"), "--columns"),
    (("compare", "t.csv", "--columns", "a"), "--columns"),
    (("compare", "t.csv", "--columns", "a,z"), 'no column "z"'),
    (("compare", "t.csv", "--columns", "a,b", "--scale", "five"), "not a scale"),
    (("compare", "t.csv", "--columns", "a,b", "--confidence", "95"), "between 0 and 1"),
    (("compare", "t.csv", "--columns", "a,word"), "line 2"),
    (("compare", "t.csv", "t.csv", "--columns", "a,b"), "--score"),
    (("compare", "empty.csv", "--columns", "a,b"), "empty"),
    (("compare", "header.csv", "--columns", "a,b"), "no rows"),
    (("agreement", "t.csv", "--raters", "a,b", "--scale", "1-2"), 'a has a score of 3 for "2": outside the scale 1 to 2'),
    (("agreement", "t.csv", "--level", "cardinal"), "level"),
    (("calibrate", "t.csv", "--judge", "a"), "--human"),
    (("judge", "card", "t.csv", "--judge", "a", "--human", "b"), "a judge card needs the scale"),
    (("judge-card", "t.csv", "--judge", "a", "--human", "blank", "--scale", "1-5"), "no item"),
    (("plan", "--between", "1"), "give either"),
    (("plan", "t.csv", "--columns", "same", "--half-width", "1"), "do not vary"),
    (("plan", "--between", "-1", "--half-width", "1"), "from 0"),
]


@pytest.mark.parametrize("words, said", BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_sentence(personascope, words, said):
    (personascope.folder / "t.csv").write_text("id,a,b,word,blank,same\n1,1,2,x,,3\n2,3,4,y,,3\n")
    (personascope.folder / "empty.csv").write_text("")
    (personascope.folder / "header.csv").write_text("a,b\n")
    ended = personascope(*words)
    assert ended.code == 2, ended.err
    assert ended.out == "" and ended.err.count("\n") == 1
    assert said in ended.err


def write_rows(path, rows):
    generator = random.Random(1)
    with open(path, "w") as file:
        file.write("id,persona,a,b\n")
        for i in range(rows):
            level = i // 5000 % 3
            file.write(f"{i},p{i // 5000},{level + generator.randrange(3)},{level + generator.randrange(3)}\n")
    return path


def test_a_million_rows(personascope):
    table = write_rows(personascope.folder / "million.csv", 1_000_000)
    words = ("compare", table, "--columns", "a,b", "--json")
    found = personascope(*words, "--cluster", "persona", "--scale", "0-4", timeout=120).json()
    assert found["items"] == 1_000_000 and found["clusters"] == 200
    alone = personascope(*words, timeout=120).json()
    assert alone["differences"][0]["claim_method"] == "paired t"
    assert alone["differences"][0]["verdict"] == "no difference seen"


def test_agreement_on_many_rows(personascope):
    table = write_rows(personascope.folder / "many.csv", 50_000)
    ended = personascope("agreement", table, "--raters", "a,b", "--scale", "0-4", "--json", timeout=120)
    for coefficient in ended.json()["overall"]:
        assert coefficient["estimate"]["interval"]
        assert "50 blocks" in coefficient["estimate"]["interval_method"]
