"""Scores as they come: one persona with most rows, scores that are all equal, judges that never err."""

import math
import random

import pytest


def write(personascope, rows, name="t.csv"):
    columns = list(rows[0])
    lines = [",".join(columns)] + [",".join("" if row[c] is None else str(row[c]) for c in columns) for row in rows]
    (personascope.folder / name).write_text("\n".join(lines) + "\n")


def uneven(gain=0.0):
    """Ten personas; the first has half of the rows."""
    draw = random.Random(1)
    rows = []
    for persona in range(10):
        level = draw.gauss(3, 0.5)
        for _ in range(90 if persona == 0 else 10):
            first = min(5, max(1, round(draw.gauss(level, 0.8))))
            second = min(5, max(1, round(draw.gauss(level + gain, 0.8))))
            rows.append({"id": len(rows), "persona": f"p{persona}", "a": first, "b": second})
    return rows


def cr2(values, personas):
    """Error and degrees of freedom by the definitions, with the matrix of the quadratic form."""
    groups = {}
    for value, persona in zip(values, personas):
        groups.setdefault(persona, []).append(value)
    n, mean = len(values), sum(values) / len(values)
    sizes = [len(group) for group in groups.values()]
    variance = sum((sum(v - mean for v in group) / n) ** 2 / (1 - len(group) / n) for group in groups.values())
    entries = [
        [((size if g == h else 0) - size * other / n) / math.sqrt((1 - size / n) * (1 - other / n)) for h, other in enumerate(sizes)]
        for g, size in enumerate(sizes)
    ]
    trace = sum(entries[g][g] for g in range(len(sizes)))
    return math.sqrt(variance), trace**2 / sum(entry**2 for row in entries for entry in row)


def test_a_persona_with_half_of_the_rows_is_allowed_for_and_named(personascope):
    rows = uneven()
    write(personascope, rows)
    words = ("compare", "t.csv", "--columns", "a,b", "--cluster", "persona", "--scale", "1-5")
    found = personascope(*words, "--json").json()
    difference = found["differences"][0]["difference"]
    error, df = cr2([row["b"] - row["a"] for row in rows], [row["persona"] for row in rows])
    assert difference["standard_error"] == pytest.approx(error)
    assert difference["df"] == pytest.approx(df) and df < 4
    assert difference["effective_clusters"] == pytest.approx(1 / (0.25 + 9 * (1 / 18) ** 2))
    [reason] = [reason for reason in difference["reasons"] if reason["code"] == "dominant_cluster"]
    assert reason["largest_share"] == 0.5 and reason["clusters"] == 10
    assert found["estimand"] == "mean of all rows"
    text = personascope(*words).out
    assert "one cluster has 50 % of the rows" in text and "--weight persona" in text


def test_personas_count_the_same_if_asked(personascope):
    rows = uneven()
    write(personascope, rows)
    words = ("compare", "t.csv", "--columns", "a,b", "--cluster", "persona", "--scale", "1-5", "--weight", "persona")
    found = personascope(*words, "--json").json()
    means = [[row["a"] for row in rows if row["persona"] == f"p{i}"] for i in range(10)]
    assert found["runs"][0]["mean"]["value"] == pytest.approx(sum(sum(m) / len(m) for m in means) / 10)
    assert found["estimand"] == "mean of the clusters' means"
    assert not any(reason["code"] == "dominant_cluster" for reason in found["differences"][0]["difference"]["reasons"])
    assert "every cluster counts alike" in personascope(*words).out
    assert personascope(*words[:-1], "row", "--json").json()["estimand"] == "mean of all rows"
    assert personascope(*words[:-1], "user").code == 2


def test_equal_scores_give_no_false_certainty(personascope):
    write(personascope, [{"id": i, "a": 4, "b": 4} for i in range(10)])
    words = ("compare", "t.csv", "--columns", "a,b", "--scale", "1-5")
    found = personascope(*words, "--json").json()
    mean = found["runs"][0]["mean"]
    assert mean["value"] == 4 and mean["interval"] is None
    assert [reason["code"] for reason in mean["reasons"]] == ["no_variation"]
    # None of ten items differs, so up to 1 - .025^(1/10) of all may, by the whole scale.
    low, high = found["differences"][0]["difference"]["interval"]
    assert high == pytest.approx(4 * (1 - 0.025**0.1)) and low == -high
    assert found["differences"][0]["verdict"] == "no difference seen"
    assert "all items are equal" in personascope(*words).out


def test_several_runs_have_simultaneous_intervals_however_few_the_personas(personascope):
    draw = random.Random(3)
    names = [f"r{i}" for i in range(9)]
    rows = [{"id": i, "persona": i // 5, **{name: round(draw.gauss(3, 1), 3) for name in names}} for i in range(30)]
    write(personascope, rows)
    many = personascope("compare", "t.csv", "--columns", ",".join(names), "--cluster", "persona", "--json").json()
    two = personascope("compare", "t.csv", "--columns", "r0,r1", "--cluster", "persona", "--json").json()
    alone, among = two["differences"][0], many["differences"][0]
    assert among["difference"]["value"] == alone["difference"]["value"]
    assert among["difference"]["interval"][0] < alone["difference"]["interval"][0]
    assert among["minimum_detectable"] > alone["minimum_detectable"] > 0
    assert all(row["difference"]["interval"] for row in many["differences"])


def test_a_judge_that_never_errs_is_fit(personascope):
    rows = [{"id": i, "persona": i // 10, "judge": 1 + i * 7 % 5, "words": i % 90} for i in range(160)]
    for row in rows:
        row["human"] = row["again"] = row["reversed"] = row["judge"]
    write(personascope, rows)
    found = personascope("judge", "card", "t.csv", "--judge", "judge", "--human", "human", "--repeats", "again", "--reversed",
                         "reversed", "--length", "words", "--cluster", "persona", "--scale", "1-5", "--json").json()  # fmt: skip
    assert found["fitness"] == "fit for levels", found["reasons"]
    assert found["stability"]["interval"][0] == pytest.approx(0.025 ** (1 / 160))


def favoured(labelled):
    """By people both runs are alike; the judge gives the second a point more."""
    draw = random.Random(5)
    rows = []
    for i in range(400):
        first, second = (min(4, max(1, round(draw.gauss(2.5, 0.8)))) for _ in range(2))
        has = labelled(draw, first, second)
        rows.append({"id": f"i{i}", "persona": i // 10, "a": first, "b": second + 1,
                     "human_a": first if has else None, "human_b": second if has else None})  # fmt: skip
    return rows


def test_labels_correct_the_difference_of_two_runs(personascope):
    rows = favoured(lambda draw, *_: draw.random() < 0.3)
    write(personascope, rows)
    words = ("compare", "t.csv", "--columns", "a,b", "--cluster", "persona", "--scale", "1-5", "--human", "human_a,human_b")
    found = personascope(*words, "--json").json()
    assert found["differences"][0]["verdict"] == "better"
    [corrected] = found["corrected"]
    assert corrected["labels"] == sum(row["human_a"] is not None for row in rows)
    low, high = corrected["difference"]["interval"]
    assert low < 0 < high and high - low < 0.6
    assert "differences corrected by human labels" in personascope(*words).out
    # The same from files of their own.
    for name, score in (("a", "human_a"), ("b", "human_b")):
        write(personascope, [{"id": row["id"], "persona": row["persona"], "score": row[name]} for row in rows], f"{name}.csv")
        write(personascope, [{"id": row["id"], "human": row[score]} for row in rows if row[score] is not None], f"labels_{name}.csv")
    joined = personascope("compare", "a.csv", "b.csv", "--cluster", "persona", "--scale", "1-5",
                          "--human", "labels_a.csv,labels_b.csv", "--json").json()  # fmt: skip
    assert joined["corrected"][0]["difference"]["value"] == pytest.approx(corrected["difference"]["value"])


def test_labels_that_do_not_serve_are_named(personascope):
    words = ("compare", "t.csv", "--columns", "a,b", "--cluster", "persona", "--scale", "1-5")
    write(personascope, favoured(lambda draw, first, second: second - first >= 1))
    ended = personascope(*words, "--human", "human_a,human_b", "--json")
    assert ended.code == 0
    assert "at random" in ended.json()["corrected"][0]["difference"]["undefined"]
    write(personascope, favoured(lambda draw, *_: draw.random() < 0.01))
    few = personascope(*words, "--human", "human_a,human_b")
    assert few.code == 0 and "too few to correct" in few.out
    one = personascope(*words, "--human", "human_a")
    assert one.code == 2 and "each of the 2 runs" in one.err
    missing = personascope(*words, "--human", "human_a,nobody")
    assert missing.code == 2 and "nobody" in missing.err
