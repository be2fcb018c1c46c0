"""`bench`: whether answers fit their users, with scripted models and, in small, the embedded one."""

import json
import os
import pathlib

import pytest

from harness import answers_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPLIES = f"scripted/{ROOT}/examples/bench-replies.yaml"
MODELS = ("--model", REPLIES, "--judge", REPLIES)
EMBEDDED = ("--model", "embedded/smollm2-135m", "--judge", "embedded/smollm2-135m")

PLAIN = ("--controls", "none", "--canaries", "0")


@pytest.fixture(autouse=True)
def unread(personascope):
    """Nobody reads answers unless a test says so: it takes seconds."""
    personascope.env["PERSONASCOPE_READER"] = "none"


def bench(personascope, *args, **rest):
    ended = personascope("bench", *args, "--json", **rest)
    assert ended.code == 0, ended.err
    return ended.json()


def test_personas_depend_on_the_seed_alone(personascope):
    report = bench(personascope, "personas", "--count", "40", "--seed", "5", "-o", "p.jsonl")
    assert report["personas"] == 40 and report["duplicates"] == 0 and len(report["attributes"]) == 33
    lines = (personascope.folder / "p.jsonl").read_text().splitlines()
    again = personascope("bench", "personas", "--count", "10", "--seed", "5", "-q")
    assert again.code == 0 and again.out.splitlines() == lines[:10]
    assert personascope("bench", "personas", "--count", "10", "--seed", "6", "-q").out.splitlines() != lines[:10]
    assert all(len(json.loads(line)) == 35 for line in lines), "id, 33 attributes and the weight"


def test_the_shipped_personas_are_what_the_generator_draws(personascope):
    drawn = personascope("bench", "personas", "--count", "300", "--seed", "1", "-q")
    assert drawn.out == (ROOT / "data/bench/personas.jsonl").read_text()


def test_a_hosted_model_has_no_reader_unless_one_is_given_and_a_note_says_how(personascope):
    del personascope.env["PERSONASCOPE_READER"]
    words = ("bench", "main", "-n", "2", "--canaries", "0", *MODELS, "--json")
    said = "note: persona lift will not be computed: --reader embedded/smollm2-135m switches it on"
    ended = personascope(*words)
    assert ended.code == 0, ended.err
    assert said in ended.err
    for more in (("--reader", "none"), ("--controls", "none")):
        ended = personascope(*words, *more)
        assert ended.code == 0 and said not in ended.err, ended.err


def test_main_scores_what_the_critic_passes(personascope):
    found = bench(personascope, "main", *MODELS, "-n", "30", "-o", "items.jsonl")
    lines = answers_of(personascope.folder / "items.jsonl")
    items = [line for line in lines if line["control"] is None]
    assert len(items) == 30 and len(lines) == 30 + 2 * 20
    fitting = sum(item["answer"].startswith("For you") for item in items)
    assert found["evaluation"] == "bench/main" and found["mode"] == "output_only"
    assert 0 < fitting < 30
    assert found["score"]["mean"] == pytest.approx(fitting / 30) and found["score"]["n"] == 30
    low, high = found["score"]["ci95"]
    assert low < fitting / 30 < high
    assert found["outcomes"] == {"scored": 30, "cannot_assess": 0, "refused": 0, "failed": 0}
    assert found["run"] == 1
    # Weighted back to the population, beside the rate as drawn.
    weights = {row["id"]: row.get("sampling_weight", 1) for row in answers_of(ROOT / "data/bench/personas.jsonl")}
    own = [(weights[item["id"].split("/")[0]], item["answer"].startswith("For you")) for item in items]
    weighted = found["score"]["weighted"]
    assert weighted["mean"] == pytest.approx(sum(w * fits for w, fits in own) / sum(w for w, _ in own))
    assert weighted["effective_n"] == pytest.approx(sum(w for w, _ in own) ** 2 / sum(w * w for w, _ in own))
    assert weighted["ci95"][0] < weighted["mean"] < weighted["ci95"][1]
    few = bench(personascope, "main", *MODELS, "-n", "4", *PLAIN)["score"]["weighted"]
    assert few["ci95"] is None and few["why_no_interval"] == "an interval needs 5 clusters, and there are 4"
    assert "weighted back to the population" in personascope("show", "1").out


def test_equal_weights_are_not_reported_twice(personascope):
    folder = personascope.folder
    (folder / "p.jsonl").write_text("".join(f'{{"id": "u{i}", "age": "{20 + i}"}}\n' for i in range(6)))
    found = bench(personascope, "main", *MODELS, "-n", "6", *PLAIN, "--personas", "p.jsonl")
    assert "weighted" not in found["score"]


def test_all_modes_are_compared(personascope):
    found = bench(personascope, "main", *MODELS, "-n", "20", "--mode", "all")
    means = {row["mode"]: row["score"]["mean"] for row in found["modes"]}
    assert means["baseline"] == 0 and means["chain_of_thought"] == means["demographic_summary"] == 1
    assert len(found["comparisons"]) == 6
    text = personascope("bench", "main", *MODELS, "-n", "20", "--mode", "all")
    assert "demographic_summary - baseline" in text.out and "  0 sent" in text.err


def test_critics_are_compared_on_the_same_answers(personascope):
    found = bench(personascope, "main", *MODELS, "-n", "20", "--critic", "all", "-o", "items.jsonl")
    means = {row["critic"]: row["score"]["mean"] for row in found["critics"]}
    assert 0 < means["single"] < 1 and means["debate"] == means["single"] and means["direct"] == 1
    rows = {(row["first"], row["second"]): row for row in found["critic_comparisons"]}
    assert rows["single", "debate"]["delta"] == 0 and rows["single", "debate"]["agree"] == 1
    assert rows["single", "direct"]["delta"] == pytest.approx(1 - means["single"]) and rows["single", "direct"]["p"] < 0.05
    item = answers_of(personascope.folder / "items.jsonl")[0]
    assert len(item["critics"]["debate"]["critique"]["helpfulness_critic"]) == 2
    text = personascope("bench", "main", *MODELS, "-n", "20", "--critic", "debate", "--critic", "direct")
    assert "direct - debate" in text.out and text.code == 0
    wanted = personascope("estimate", "bench", "main", *MODELS, "-n", "20", *PLAIN, "--critic", "debate", "--json")
    assert [part["calls"] for part in wanted.json()["parts"]] == [20, 100]


def test_canaries_and_panels_of_critics_are_kept(personascope):
    # The scripted plain verdict passes everything, and is found out.
    found = bench(personascope, "main", *MODELS, "-n", "6", "--critic", "single", "--critic", "direct", "--controls", "2")
    assert {row["critic"]: (row["judged"], row["passed"]) for row in found["canaries"]} == {"single": (8, 0), "direct": (8, 8)}
    assert {row["critic"]: (row["mean"], row["scored"]) for row in found["canaries"]} == {"single": (0, 8), "direct": (1, 8)}
    assert any("a sound critic passes none" in note for note in found["notes"])
    shown = personascope("show", "1").out
    rows = [row.split() for row in shown[shown.index("Canary check") :].splitlines()]
    assert ["single", "0.0", "%", "8"] in [row[:4] for row in rows]
    agreement = personascope("agreement", "1", "--json")
    assert agreement.code == 0, agreement.err
    assert "canaries" not in bench(personascope, "main", *MODELS, "-n", "6", "--canaries", "0")
    same = personascope("compare", "1", "2", "--json")
    assert same.code == 0, same.err
    assert '"n": 6' in same.out


def test_controls_are_judged_by_the_true_user(personascope):
    found = bench(personascope, "main", *MODELS, "-n", "30", "--mode", "chain_of_thought", "--controls", "all", "-o", "items.jsonl")
    rows = {row["shown"]: row["score"]["mean"] for row in found["controls"]["answers"]}
    # The script writes "for you" for anybody's persona, and to nobody.
    assert rows == {"own_persona": 1, "no_persona": 0, "another_persona": 1} and found["controls"]["pairs"] == 30
    assert [row["delta"] for row in found["controls"]["comparisons"]] == [1, 0]
    lines = answers_of(personascope.folder / "items.jsonl")
    assert all(line["shown"] != line["persona"] for line in lines if line.get("control") == "another_persona")
    assert found["quotes"]["quoting"] == 0 and found["quotes"]["answers"] == 30
    text = personascope("bench", "main", *MODELS, "-n", "30", "--mode", "chain_of_thought", "--controls", "5")
    assert "control: another's" in text.out and "0 of 30 answers repeat attributes" in text.out
    assert "controls" not in bench(personascope, "main", *MODELS, "-n", "3", "--controls", "none")
    assert "controls" not in bench(personascope, "main", *MODELS, "-n", "3", "--mode", "baseline")
    wanted = personascope("estimate", "bench", "main", *MODELS, "-n", "30").out
    assert "control answers" in wanted


def test_lifts_are_read_by_the_embedded_model(personascope):
    reader = ("--reader", "embedded/smollm2-135m")
    found = bench(personascope, "loo", *MODELS, "-n", "2", "--controls", "1", "--attribute", "age", "--attribute",
                  "lifestyle", "--attribute", "religion", *reader, "-o", "items.jsonl", timeout=300)
    assert {row["attribute"]: row["lift"]["n"] for row in found["attributes"]} == {"age": 2, "lifestyle": 2, "religion": 2}
    assert found["rank_correlation"]["attributes"] == 3
    own, *controls = found["controls"]["answers"]
    assert own["lift"]["n"] == 1 and all(isinstance(row["lift"]["mean"], float) for row in controls)
    lines = answers_of(personascope.folder / "items.jsonl")
    assert set(lines[0]["lift_by_attribute"]) == {"age", "lifestyle", "religion"}
    deltas = [line["lift_by_attribute"]["age"] for line in lines if line["lift_by_attribute"]]
    mean = next(row["lift"]["mean"] for row in found["attributes"] if row["attribute"] == "age")
    assert mean == pytest.approx(sum(deltas) / 2)


def test_a_run_is_resumed_and_scored_again(personascope):
    stopped = personascope("bench", "main", *MODELS, "-n", "10", *PLAIN, "--max-calls", "12")
    assert stopped.code == 1
    done = personascope(*stopped.resume_command(), "--json")
    assert done.code == 0, done.err
    assert done.json()["score"]["n"] == 10
    again = personascope("rescore", "1", "--json")
    assert again.code == 0, again.err
    assert again.json()["score"]["mean"] == done.json()["score"]["mean"]


def test_leaving_attributes_out(personascope):
    found = bench(personascope, "loo", *MODELS, "-n", "6", "--attributes", ROOT / "examples/example_loo.json")
    named = json.loads((ROOT / "examples/example_loo.json").read_text())["attributes"]
    assert sorted(row["attribute"] for row in found["attributes"]) == sorted(named)
    assert all(row["n"] == 6 for row in found["attributes"]) and found["all_left_out"]["n"] == 6
    deltas = [row["delta"] for row in found["attributes"]]
    assert deltas == sorted(deltas, reverse=True)
    by_variable = bench(personascope, "loo", *MODELS, "-n", "2", env={"LOO_JSON": str(ROOT / "examples/example_loo.json")})
    assert len(by_variable["attributes"]) == len(named)


def test_populations(personascope):
    found = bench(personascope, "intersectionality", *MODELS, "-n", "100", "--population", "age 18-34 & sex=Female",
                  "--population", "sex=Male")
    assert [row["name"] for row in found["populations"]] == ["age 18-34 & sex=Female", "sex=Male"]
    assert found["disjoint"] and found["overlaps"] == []
    for row in found["populations"]:
        assert row["n"] + row["complement"]["n"] == 100
    found = bench(personascope, "intersectionality", *MODELS, "-n", "50", "--populations",
                  ROOT / "examples/example_intersections.json")
    assert len(found["populations"]) == 4


def test_pass_at_k(personascope):
    found = bench(personascope, "pass-at-k", *MODELS, "-n", "8", "-k", "4", "--csv", "curve.csv")
    values = [point["value"] for point in found["pass_at_k"]]
    assert values == sorted(values) and len(values) == 4 and values[0] == found["score"]["mean"]
    assert [point["value"] for point in found["pass_hat_k"]] == sorted((p["value"] for p in found["pass_hat_k"]), reverse=True)
    lines = (personascope.folder / "curve.csv").read_text().splitlines()
    assert lines[0] == "k,cum_score" and [float(line.split(",")[1]) for line in lines[1:]] == pytest.approx(values)


def test_comparison(personascope):
    pairs = [json.loads(line) for line in (ROOT / "data/bench/comparisons.jsonl").read_text().splitlines()]
    wanted = [pair for pair in pairs if pair["kind"] == "number"][:6]
    path = personascope.write("pairs.jsonl", wanted)
    found = bench(personascope, "comparison", *MODELS, "--comparisons", path)
    right = sum(pair["gold"][user] == 2 for pair in wanted for user in "ab")
    assert found["score"]["mean"] == pytest.approx(right / 12) and found["score"]["n"] == 12
    assert found["consistency"]["same_answer"]["mean"] == 1 and found["consistency"]["both_right"]["mean"] == 0
    assert found["control"]["mean"] == found["score"]["mean"] and found["lift"]["delta"] == 0


def reference(personascope, *args):
    """Models that play the published package's four calls, and the flags that name them."""
    (personascope.folder / "model.yaml").write_text('rules: [{reply: "Well, it depends."}]')
    (personascope.folder / "critic.yaml").write_text("""rules:
  - when: "*The user: {*'religion'*"
    reply: Keep it.
  - reply: Begin anew.""")
    (personascope.folder / "parser.yaml").write_text("""rules:
  - when: "Write this text again*Keep it.*"
    reply: '{"chain_of_thought": "c", "personalization_critic": "p", "helpfulness_critic": "h", "conclusion": "e", "needs_revision": false}'
  - when: "Write this text again*"
    reply: '{"chain_of_thought": "c", "personalization_critic": "p", "helpfulness_critic": "h", "conclusion": "e", "needs_revision": true}'
  - reply: '{"answer_to_question": "It depends."}'""")
    return (*args, "--protocol", "reference", "--model", "scripted/model.yaml", "--judge", "scripted/critic.yaml",
            "--parser", "scripted/parser.yaml")


def test_the_reference_protocol(personascope):
    found = bench(personascope, *reference(personascope, "main", "-n", "4", "-o", "items.jsonl"))
    assert found["protocol"] == "reference" and found["accuracy"] == 1 and found["bootstrap_std"] == 0
    assert found["score"]["mean"] == 1 and found["outcomes"]["scored"] == 4
    assert answers_of(personascope.folder / "items.jsonl")[0]["answer"] == "It depends."
    loo = bench(personascope, *reference(personascope, "loo", "-n", "6", "--attribute", "religion", "--attribute", "age"))
    assert {row["attribute"]: row["accuracy"] for row in loo["attributes"]} == {"religion": 0, "age": 1}
    assert loo["baseline"]["accuracy"] == 0 and loo["accuracy"] == pytest.approx(1 / 3)
    drafts = bench(personascope, *reference(personascope, "pass-at-k", "-n", "2", "-k", "3"))
    assert [point["value"] for point in drafts["cum_score"]] == [1, 1, 1]
    assert any("this is not pass@k" in note for note in drafts["notes"])
    some = bench(personascope, *reference(personascope, "intersectionality", "-n", "50", "--population", "sex=Female"))
    assert some["populations"][0]["n"] == some["n"] < 50
    parts = personascope("estimate", "bench", *reference(personascope, "pass-at-k", "-n", "2", "-k", "3"), "--json").json()["parts"]
    assert [part["lines"] for part in parts] == [2] * 4 and [part["calls"] for part in parts] == [6] * 4
    again = personascope("rescore", "1", "--json", "-o", "again.jsonl")
    assert again.code == 0 and again.json()["accuracy"] == 1
    text = personascope("bench", *reference(personascope, "loo", "-n", "6", "--attribute", "religion", "--attribute", "age"))
    assert "bootstrap_std" in text.out and "without religion" in text.out and "the critic sees the reduced persona" in text.out


@pytest.mark.parametrize("words, said", [
    (("main", "--parser", REPLIES), "belongs to the reference protocol (--protocol)"),
    (("main", "--protocol", "reference", "--parser", REPLIES, "--critic", "debate"), "not part of the reference protocol"),
    (("main", "--protocol", "reference", "--parser", REPLIES, "--prompts", "nowhere"), "prompts.py"),
    (("main", "--protocol", "reference", "--parser", REPLIES, "-n", "999"), "there are 226 pairs"),
    (("loo", "--attribute", "religoin"), "did you mean religion"),
    (("loo", "--mode", "baseline"), "none to leave out"),
    (("main", "--controls", "some"), "all, none or a number"),
    (("main", "--reader", REPLIES), "cannot compute the likelihood of a text: set --reader to"),
    (("main", "--seed", "-1"), "--seed"),
    (("main", "--protocol", "reference", "--parser", REPLIES, "--canaries", "1"), "--canaries is not part of"),
    (("intersectionality", "--population", "sex=Femal"), "did you mean Female"),
    (("pass-at-k", "--csv", "nowhere/curve.csv"), "nowhere"),
    (("pass-at-k", "--csv", "same", "-o", "same"), "name the same file"),
    (("main", "--critic", "crowd"), "there is no critic crowd"),
    (("main", "--mode", "telepathy"), "there is no mode telepathy"),
    (("main", "-n", "999999"), "different pairs"),
    (("main", "--personas", "none.csv"), "none.csv"),
    (("main", "--epochs", "2", "--temperature", "0"), "at temperature 0"),
    (("intersectionality",), "--population"),
    (("intersectionality", "--population", "aeg 18-34"), "did you mean age"),
    (("pass-at-k", "--judge", "none"), "needs a critic"),
])
def test_bad_input_is_told_before_anything_is_spent(personascope, words, said):
    judge = () if "--judge" in words else ("--judge", REPLIES)
    ended = personascope("bench", *words, "--model", REPLIES, *judge)
    assert ended.code == 2, ended.err
    assert said in ended.err
    assert personascope("runs", "--json").json() == {"runs": []}


def test_what_is_read_is_never_overwritten(personascope):
    users = personascope.write("users.jsonl", [{"age": "72"}, {"age": "31"}])
    asked = personascope.write("asked.jsonl", [{"question": "Why?"}])
    before = (users.read_bytes(), asked.read_bytes())
    for output in (("-o", "users.jsonl"), ("-o", asked), ("--csv", "users.jsonl"), ("--csv", "./asked.jsonl")):
        ended = personascope("bench", "pass-at-k", *MODELS, "--personas", users, "--questions", asked, "-n", "1", *output)
        assert ended.code == 2 and "is an input of this run; name another file with --" in ended.err
    pairs = personascope.write("pairs.jsonl", [json.loads((ROOT / "data/bench/comparisons.jsonl").open().readline())])
    ended = personascope("bench", "comparison", *MODELS, "--comparisons", pairs, "-o", pairs)
    assert ended.code == 2 and "is an input of this run" in ended.err
    ended = personascope("gym", "run", *MODELS, "--personas", users, "-o", users)
    assert ended.code == 2 and "is an input of this run" in ended.err
    assert (users.read_bytes(), asked.read_bytes()) == before
    assert personascope("runs", "--json").json() == {"runs": []}


def test_scoring_again_leaves_the_curve_alone(personascope):
    bench(personascope, "pass-at-k", *MODELS, "-n", "2", "-k", "2", "--csv", "curve.csv")
    (personascope.folder / "curve.csv").write_text("mine")
    again = personascope("rescore", "1", "--json")
    assert again.code == 0, again.err
    assert (personascope.folder / "curve.csv").read_text() == "mine"


def test_attributes_are_those_of_all_users_of_the_run(personascope):
    users = personascope.write("users.jsonl", [{"age": "72"}, {"sex": "Male", "age": "31"}, {"race": "White"}])
    flags = ("loo", *MODELS, "--personas", users, "-n", "2", *PLAIN)
    found = bench(personascope, *flags)
    assert {row["attribute"]: row["n"] for row in found["attributes"]} == {"age": 2, "sex": 1}
    named = personascope.folder / "named.json"
    named.write_text('{"attributes": ["sex"]}')
    found = bench(personascope, *flags, "--attribute", "age", "--attributes", named)
    assert {row["attribute"] for row in found["attributes"]} == {"age", "sex"}
    for text, said in (('{"attributes": ["sxe"]}', "did you mean age, sex"), ("{", "is not JSON")):
        named.write_text(text)
        ended = personascope("bench", *flags, env={"LOO_JSON": str(named)})
        assert ended.code == 2 and "LOO_JSON: " in ended.err and said in ended.err
    ended = personascope("bench", *flags, env={"GENERATE_MODE": "x"})
    assert ended.code == 2 and "GENERATE_MODE: there is no mode x" in ended.err
    ended = personascope("bench", "intersectionality", *MODELS, env={"INTERSECTION_JSON": str(named)})
    assert ended.code == 2 and "INTERSECTION_JSON: " in ended.err


def test_the_reference_protocol_names_its_parser_where_there_is_no_key(personascope):
    ended = personascope("bench", "main", "--protocol", "reference", *MODELS, "-n", "1")
    assert ended.code == 2 and "--parser" in ended.err


def test_tables_are_parted_and_fit(personascope):
    long = "age 18-34 & sex=Female & race=White|American Indian or Alaska Native"
    ended = personascope("bench", "intersectionality", *MODELS, "-n", "100", *PLAIN, "--population", long, "--population", "sex=Male")
    assert ended.code == 0, ended.err
    assert "\n\nRate of each population\npopulation " in ended.out and f"\n{long} " in ended.out
    assert " 100 answers: 100 scored\n" in ended.out and "intervals  clustered by " in ended.out


# Generating is slow where the machine is busy: users of few words, and mostly the plain verdict, which is read and not
# written.
EVERY_KIND = [
    ("main", *PLAIN),
    ("comparison",),
    ("main", "--critic", "direct", "--controls", "all", "--canaries", "1"),
    ("main", "--critic", "debate", *PLAIN),
    ("main", "--protocol", "reference", "--parser", "embedded/smollm2-135m", "--max-output-tokens", "60"),
    ("loo", "--attribute", "age", "--critic", "direct", *PLAIN),
    ("intersectionality", "--population", "sex=Female", "--critic", "direct", *PLAIN),
    ("pass-at-k", "-k", "2", "--critic", "direct", *PLAIN)]  # fmt: skip


# All of them in `scripts/test --long`: each takes about a minute.
@pytest.mark.parametrize("words", EVERY_KIND if os.environ.get("PERSONASCOPE_LONG") else EVERY_KIND[:2])
def test_each_runs_on_the_embedded_model(personascope, words):
    users = [{"age": "72", "sex": "Female", "lifestyle": "Keeps chickens"}, {"age": "31", "sex": "Male", "lifestyle": "Sails"}]
    data = () if words[0] == "comparison" else ("--personas", personascope.write("users.jsonl", users))
    # A tiny critic does not always keep to its form: that is an outcome, and counted.
    found = bench(personascope, *words, "-n", "1", *data, *EMBEDDED, "--fail-on-error", "100", timeout=600)
    assert found["evaluation"] == "bench/" + words[0]
    assert sum(found["outcomes"].values()) > 0


def test_controlled_answers_of_another_model_are_read_by_the_embedded_model_if_it_is_named(personascope):
    del personascope.env["PERSONASCOPE_READER"]
    words = ("main", *MODELS, "-n", "6", "--controls", "2")
    assert "reader" not in bench(personascope, *words)["controls"]
    found = bench(personascope, *words, "--reader", "embedded/smollm2-135m", timeout=300)
    assert found["controls"]["reader"] == "embedded/smollm2-135m"
    assert [row["lift"]["n"] for row in found["controls"]["answers"]] == [2, 2, 2]
    assert "reader" not in bench(personascope, "loo", *MODELS, "-n", "2", "--attribute", "age")