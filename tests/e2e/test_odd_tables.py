"""Statistics on tables that are odd, thin, huge or wrong: a number with its doubt, or one sentence."""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SCORES = EXAMPLES / "scores.csv"


def write(personascope, text, name="t.csv"):
    (personascope.folder / name).write_text(text)
    return name


def rows(count, of):
    return "".join(",".join(str(cell) for cell in of(i)) + "\n" for i in range(count))


def test_a_doubled_id_is_refused(personascope):
    write(personascope, "id,a,b\nx,1,2\ny,2,3\nx,1,2\n")
    for words in (("compare", "t.csv", "--columns", "a,b"),
                  ("plan", "t.csv", "--columns", "a", "--half-width", "1"),
                  ("calibrate", "t.csv", "--judge", "a", "--human", "b")):  # fmt: skip
        ended = personascope(*words)
        assert ended.code == 2 and ended.err.count("\n") == 1
        assert 't.csv, line 4: the id "x" occurs twice' in ended.err


def test_a_column_id_that_is_no_id_can_be_named(personascope):
    write(personascope, "id,key,a,b\n" + rows(12, lambda i: (i // 2, f"k{i}", i % 3, i % 4)))
    assert personascope("compare", "t.csv", "--columns", "a,b").code == 2
    found = personascope("compare", "t.csv", "--columns", "a,b", "--cluster", "id", "--json").json()
    assert found["clusters"] == 6
    assert personascope("compare", "t.csv", "--columns", "a,b", "--id", "key").code == 0


def test_a_difference_planned_by_one_run_says_what_it_assumes(personascope):
    words = ("plan", SCORES, "--cluster", "persona", "--difference", "0.2")
    one = personascope(*words, "--columns", "run_a", "--json").json()
    half = personascope(*words, "--columns", "run_a", "--correlation", "0.5", "--json").json()
    two = personascope(*words, "--columns", "run_a,run_b", "--json").json()
    assert [plan["assumed_correlation"] for plan in (one, half, two)] == [0, 0.5, None]
    assert {plan["variances_of"] for plan in (one, half, two)} == {"differences"}
    assert one["between_variance"] == pytest.approx(2 * half["between_variance"])
    personas = [plan["plans"][0]["personas"] for plan in (one, half, two)]
    assert personas == sorted(personas, reverse=True)
    assert "--correlation" in personascope(*words, "--columns", "run_a").out
    assert "--correlation" not in personascope(*words, "--columns", "run_a,run_b").out
    ended = personascope(*words, "--columns", "run_a,run_b", "--correlation", "0.5")
    assert ended.code == 2 and "leave it out" in ended.err


def keys_in(value):
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from keys_in(member)


def test_json_keys_have_no_blanks(personascope):
    found = personascope("plan", SCORES, "--columns", "run_a", "--cluster", "persona", "--half-width", "0.2", "--json")
    assert set(found.json()["pilot"]["twice_the_scores"]) == {"more_personas", "more_questions"}
    assert not [key for key in keys_in(found.json()) if " " in key]


def test_a_caveat_stands_once(personascope):
    write(personascope, "id,a,b,c\n" + rows(8, lambda i: (i, i % 4 + 1, (i + i // 3) % 4 + 1, i % 3 + 1)))
    out = personascope("agreement", "t.csv", "--scale", "1-5").out
    assert out.count("fewer than 10 items: the interval is rough") == 1
    assert "cluster" not in out


def test_one_rater_is_said_of_every_coefficient_at_once(personascope):
    write(personascope, "id,a\n1,2\n2,3\n")
    for words in ((), ("--scale", "1-5"), ("--level", "nominal")):
        ended = personascope("agreement", "t.csv", *words)
        assert ended.code == 0 and ended.out.count("there is only one rater") == 1
        assert "--scale" not in ended.out


def test_ids_need_not_be_given_nor_come_first(personascope):
    body = rows(12, lambda i: (f"p{i % 4}", f"i{i}", i % 3 + 1, i % 2 + 1))
    write(personascope, "persona,id,a,b\n" + body)
    found = personascope("agreement", "t.csv", "--cluster", "persona", "--scale", "1-3", "--json").json()
    assert found["raters"] == ["a", "b"] and found["overall"][0]["estimate"]["clusters"] == 4
    write(personascope, "a,b\n1,1\n1,2\n2,2\n1,1\n2,1\n")
    found = personascope("agreement", "t.csv", "--raters", "a,b", "--scale", "1-3", "--json").json()
    assert found["items"] == 5


@pytest.mark.parametrize("words", [
    ("compare", "t.csv", "--columns", "a,b", "--cluster", "p"),
    ("compare", "t.csv", "--columns", "a,b", "--cluster", "p", "--scale", "1-5"),
    ("agreement", "t.csv", "--raters", "a,b", "--cluster", "p", "--scale", "1-5"),
    ("judge", "card", "t.csv", "--judge", "a", "--human", "b", "--cluster", "p", "--scale", "1-5"),
], ids=lambda words: words[0])  # fmt: skip
@pytest.mark.parametrize("table", ["one row", "one cluster", "no variation", "one missing column"])
def test_thin_tables_say_what_they_lack(personascope, words, table):
    cells = {"one row": (1, lambda i: (i, "p", 1, 2)), "one cluster": (12, lambda i: (i, "p", i % 3 + 1, i % 4 + 1)),
             "no variation": (40, lambda i: (i, f"p{i % 8}", 3, 3)),
             "one missing column": (12, lambda i: (i, f"p{i}", i % 3 + 1, ""))}[table]  # fmt: skip
    write(personascope, "id,p,a,b\n" + rows(*cells))
    ended = personascope(*words, "--json")
    assert ended.code in (0, 2), ended.err
    assert "nan" not in ended.out and "inf" not in ended.out.replace("information", "")
    text = personascope(*words)
    assert text.code == ended.code and " 1 clusters" not in text.out and "there are 1" not in text.out + text.err
    assert all(len(line) <= 110 for line in text.out.splitlines()), text.out


@pytest.mark.parametrize("text", [
    "\ufeffid,a,b\r\n1,1,2\r\n2,2,3\r\n",
    '"id","a","b"\n"1","1","2"\n"2","2","3"\n\n\n',
    '{"id": 1, "a": 1, "b": 2}\n\n{"id": 2, "a": 2.0, "b": 3}\n',
], ids=["mark and carriage returns", "quotes", "jsonl"])  # fmt: skip
def test_tables_look_like_what_people_have(personascope, text):
    (personascope.folder / "t.csv").write_bytes(text.encode())
    found = personascope("compare", "t.csv", "--columns", "a,b", "--json").json()
    assert [run["mean"]["value"] for run in found["runs"]] == [1.5, 2.5]


BAD = {
    "a word": ("id,a,b\n1,1,good\n", 'line 2: the column "b" has "good", which is not a number'),
    "not a number": ("id,a,b\n1,1,NaN\n", "which is not a number"),
    "infinity": ("id,a,b\n1,1,-inf\n", "which is not a number"),
    "overflow": ("id,a,b\n1,1,1e999\n", "which is not a number"),
    "huge": ("id,a,b\n1,1,1e308\n", "too large to calculate with"),
    "comma": ('id,a,b\n1,1,"2,5"\n', "which is not a number"),
    "double header": ("id,a,a\n1,1,2\n", 'the column "a" occurs twice'),
    "nameless": (",a,b\n1,1,2\n", "column 1 has no name"),
    "ragged": ("id,a,b\n1,1\n", "line 2: 2 cells where the header has 3"),
    "open quote": ('id,a,b\n1,1,"2\n', "a quote is never closed"),
    "empty": ("", "empty"),
    "blank": ("\n\n \n", "empty"),
    "header only": ("id,a,b\n", "no rows"),
    "empty id": ("id,a,b\n,1,2\n", 'the column "id" is empty'),
    "semicolons": ("id;a;b\n1;2;3\n", "separated by semicolons"),
    "no json": ('{"id": 1, "a": 1, "b": 2}\nrubbish\n', "line 2"),
    "other member": ('{"id": 1, "a": 1, "b": 2}\n{"id": 2, "a": 1, "c": 2}\n', 'the member "c"'),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_tables_are_one_sentence(personascope, name):
    text, said = BAD[name]
    write(personascope, text)
    ended = personascope("compare", "t.csv", "--columns", "a,b")
    assert ended.code == 2 and ended.out == "" and ended.err.count("\n") == 1, ended.err
    assert said in ended.err


def test_a_score_off_the_given_scale_is_not_told_to_give_one(personascope):
    write(personascope, "id,a,b\nx,1,2\ny,2,9\n" + rows(40, lambda i: (i, i % 5 + 1, i % 5 + 1)))
    for words in (("compare", "t.csv", "--columns", "a,b"), ("agreement", "t.csv"),
                  ("calibrate", "t.csv", "--judge", "a", "--human", "b"),
                  ("judge-card", "t.csv", "--judge", "a", "--human", "b")):  # fmt: skip
        ended = personascope(*words, "--scale", "1-5")
        assert ended.code == 2 and ended.err.endswith('b has a score of 9 for "y": outside the scale 1 to 5\n')
        assert "--scale" not in ended.err


def test_what_has_no_interval_has_its_value(personascope):
    write(personascope, "id,a,b\n" + rows(50, lambda i: (i, 4 if i == 7 else 5, 4 if i == 7 else 5)))
    found = personascope("agreement", "t.csv", "--scale", "1-5", "--json").json()
    alpha = found["overall"][0]["estimate"]
    assert alpha["value"] == 1 and alpha["interval"] is None and alpha["n"] == 50
    assert alpha["caveats"] == ["no interval: undefined on too many resamples"]


def test_a_gate_with_nothing_to_compare_does_not_pass(personascope):
    write(personascope, "id,a,b\n" + rows(10, lambda i: (i, "" if i % 2 else 3, 4 if i % 2 else "")))
    ended = personascope("compare", "t.csv", "--columns", "a,b", "--fail-if-worse")
    assert ended.code == 1 and "b cannot be compared with a: no item has both scores" in ended.err
    assert personascope("compare", "t.csv", "--columns", "a,b").code == 0


def test_names_without_number_are_a_reason_and_no_crash(personascope):
    write(personascope, "id,a,b\n" + rows(30_000, lambda i: (i, f"text {i}", f"text {i // 2}")))
    found = personascope("agreement", "t.csv", "--level", "nominal", "--json", timeout=120).json()
    alpha, fleiss, ac1 = found["overall"]
    assert alpha["estimate"]["value"] < 0.1
    assert "different ratings" in fleiss["estimate"]["undefined"] and "different ratings" in ac1["estimate"]["undefined"]


def test_a_fine_scale_takes_no_longer(personascope):
    write(personascope, "id,a,b,c\n" + rows(1500, lambda i: (i, i * 7 % 1001, i * 7 % 1000, i * 11 % 1001)))
    found = personascope("agreement", "t.csv", "--scale", "0-1000", "--json", timeout=60).json()
    assert all(coefficient["estimate"]["interval"] for coefficient in found["overall"])


@pytest.mark.parametrize("alpha", ["1e-7", "2e-12"])
def test_an_alpha_of_next_to_nothing(personascope, alpha):
    write(personascope, "id,a,b\n" + rows(24, lambda i: (i, i % 5, i % 5 + 3 + i % 3 / 1000)))
    [found] = personascope("compare", "t.csv", "--columns", "a,b", "--alpha", alpha, "--json").json()["differences"]
    assert found["claim_method"] == "paired t" and found["verdict"] == "better"
    for wrong in (("--alpha", "1e-100"), ("--alpha", "5e-324"), ("--confidence", "0.9999999999999999")):
        ended = personascope("compare", "t.csv", "--columns", "a,b", *wrong)
        assert ended.code == 2 and ended.err.count("\n") == 1 and ended.out == ""
