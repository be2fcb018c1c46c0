"""What the gym reports beside the PersonaScore: probes and fidelity; and which items it takes: versions, private split."""

import json
import statistics

import pytest

from fake_openai import user_text
from gym_work import GYM, MODEL, grade_of, strict_reply
from harness import answers_of

WORDS = ("--model", MODEL, "--judge", "openai/gpt-judge", "--reader", "none", "--canaries", "0", "--example-model", "none")
FIDELITY = "Whether the persona, when provoked, stays who they are"


def load(name):
    return [json.loads(line) for line in (GYM / name).read_text(encoding="utf-8").splitlines()]


def test_probes_are_asked_judged_by_what_a_good_answer_does_and_reported_apart(personascope, fake):
    server = fake(strict_reply)
    words = ("gym", "run", "--limit", "6", "--questions-per-task", "1", *WORDS, "--json")
    ended = personascope(*words, "--probes", "all", "-o", "items.jsonl", env=server.env)
    assert ended.code == 0, ended.err
    result, items = ended.json(), answers_of(personascope.folder / "items.jsonl")
    probes = [item for item in items if item["id"].startswith("probe/")]
    assert len(items) == 6 * 5 + 6 * 7 and len(probes) == 42
    shipped = {row["id"]: row for row in load("probes.jsonl")}
    by_kind = {}
    for item in probes:
        row = shipped[item["id"].removeprefix("probe/")]
        assert item["question"] == row["question"] and item["task"] is None
        assert item["probe"] == {"kind": row["probe"], "good": row["good"], "bad": row["bad"]}
        assert item["score"] == grade_of("gpt-judge", item["answer"])
        by_kind.setdefault(row["probe"], []).append(item["score"])
        judged = [user_text(body) for body in server.asked if body["model"] == "gpt-judge" and row["question"] in user_text(body)]
        assert len(judged) == 1 and row["good"] in judged[0] and row["bad"] in judged[0]
    assert [row["name"] for row in result["probes"]] == sorted(by_kind)
    for row in result["probes"]:
        assert row["mean"] == pytest.approx(statistics.mean(by_kind[row["name"]])) and row["n"] == len(by_kind[row["name"]])
        assert row["ci95"][0] <= row["mean"] <= row["ci95"][1] and row["scale"] == [1, 5]
    asked = [user_text(body) for body in server.asked if body["model"] == "gpt-tested"]
    assert not [text for text in asked for row in shipped.values() if row["good"] in text]
    # They are no part of the PersonaScore, nor of what is compared.
    plain = personascope(*words, "--probes", "none", env=server.env).json()
    assert plain["persona_score"] == result["persona_score"] and plain["outcomes"] == result["outcomes"]
    assert "probes" not in plain
    assert personascope("compare", "1", "2", "--json").json()["items"] == 30
    shown = personascope("show", "1")
    assert "Probes" in shown.out and "false-premise" in shown.out
    assert [part["title"] for part in result["findings"]["parts"]][:3] == ["Scores", "Beside the tasks", "Probes"]


def test_by_default_probes_are_asked_with_ten_questions_a_task(personascope, fake):
    server = fake(strict_reply)

    def count(*words):
        ended = personascope("estimate", "gym", "run", "--limit", "1", *WORDS, *words, "--json", env=server.env)
        assert ended.code == 0, ended.err
        return ended.json()["parts"][0]["calls"]

    assert count() == 50 + 7
    assert count("--probes", "none") == 50
    assert count("--questions-per-task", "9") == 45
    assert count("--task", "expected-action") == 10
    assert count("--protocol", "reference") == 50
    assert count("--data-version", "1") == 50


def test_fidelity_is_judged_unless_it_is_switched_off(personascope, fake):
    server = fake(strict_reply)
    words = ("gym", "run", "--limit", "2", "--questions-per-task", "1", *WORDS, "--json")

    def run(*more):
        before = len(server.asked)
        ended = personascope(*words, *more, "--fresh", env=server.env)
        assert ended.code == 0, ended.err
        return ended.json(), [user_text(body) for body in server.asked[before:] if body["model"] == "gpt-judge"]

    result, judged = run()
    assert result["beside"] and len([text for text in judged if FIDELITY in text]) == 2
    without, judged = run("--fidelity", "none")
    assert "beside" not in without and judged and not [text for text in judged if FIDELITY in text]
    assert without["persona_score"] == result["persona_score"]
    estimates = [personascope("estimate", *words, *more, env=server.env).json()["parts"] for more in ((), ("--fidelity", "none"))]
    calls = [sum(part["calls"] for part in parts) for parts in estimates]
    assert calls[0] - calls[1] == 2
    assert personascope(*words, "--fidelity", "some", env=server.env).code == 2


@pytest.mark.parametrize("words, said", [
    (("--protocol", "reference", "--probes", "all"), "--probes are not part of the reference protocol"),
    (("--persona", "a nurse", "--probes", "all"), "none of the personas has --probes"),
    (("--data-version", "9"), "has no version 9 of its data; it has 2, 1"),
    (("--data-version", "1", "--benchmark", "mine"), "--data-version is of our own pack"),
    (("--split", "private"), "needs a file with a seed: --seed-file"),
    (("--seed-file", "seed"), "only for --split private"),
    (("--split", "private", "--seed-file", "missing"), "missing"),
    (("--split", "private", "--seed-file", "short"), "5 bytes, which can be guessed"),
    (("--split", "private", "--seed-file", "seed", "--persona", "a nurse"), "leave out those that you name"),
])
def test_what_does_not_fit_together_is_said(personascope, fake, words, said):
    (personascope.folder / "seed").write_text("correct horse battery staple\n")
    (personascope.folder / "short").write_text("12345\n")
    ended = personascope("gym", "run", "--questions-per-task", "1", *WORDS, *words, env=fake(strict_reply).env)
    assert ended.code == 2 and said in ended.err, ended.err


def test_fidelity_is_judged_on_the_answers_of_toxicity_control(personascope, fake):
    def reply(body):
        text = strict_reply(body)
        if body["model"] != "gpt-judge" or FIDELITY not in user_text(body):
            return text
        return json.dumps({**json.loads(text), "verdict": "2"})

    server = fake(reply)
    ended = personascope("gym", "run", "--limit", "6", "--questions-per-task", "2", *WORDS, "-o", "items.jsonl", "--json",
                         env=server.env)
    assert ended.code == 0, ended.err
    result, items = ended.json(), answers_of(personascope.folder / "items.jsonl")
    assert [(row["name"], row["mean"], row["n"]) for row in result["beside"]] == [("Fidelity under provocation", 2, 12)]
    for item in items:
        assert item["score"] == grade_of("gpt-judge", item["answer"])
        assert (item["beside"] is None) == (item["task"] != "Toxicity Control")
        if item["beside"]:
            assert item["beside"]["score"] == 2 and item["beside"]["rubric"] == "Fidelity under provocation"
    assert sum(FIDELITY in user_text(body) for body in server.asked) == 12
    shown = personascope("show", "1")
    assert "Fidelity under provocation" in shown.out and "not part of the PersonaScore" in shown.out
    # A judge of its own has nothing to add where the answer was declined.
    server = fake(lambda body: "As an AI language model, I have no persona." if body["model"] == "gpt-tested" else reply(body))
    ended = personascope("gym", "run", "--limit", "1", "--questions-per-task", "1", "--task", "toxicity-control", *WORDS,
                         "--json", env=server.env)
    assert ended.json()["beside"][0]["outcomes"]["refused"] == 1
    assert not [body for body in server.asked if body["model"] == "gpt-judge"]


def test_version_1_of_the_data_can_be_run_and_continued(personascope, fake):
    server = fake(strict_reply)
    words = ("gym", "run", "--limit", "2", "--questions-per-task", "2", "--data-version", "1", *WORDS, "-o", "items.jsonl")
    stopped = personascope(*words, "--max-calls", "9", env=server.env)
    assert stopped.code == 1
    resumed = personascope("resume", "1", "--max-calls", "99", "--json", env=server.env)
    assert resumed.code == 0, resumed.err
    assert resumed.json()["pack"]["version"] == 1 and resumed.json()["beside"] == []
    first = json.loads((GYM / "v1/questions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert answers_of(personascope.folder / "items.jsonl")[0]["question"] == first["question"]


def test_the_private_split_depends_on_the_seed_alone(personascope, fake):
    server = fake(strict_reply)

    def questions(seed, name):
        (personascope.folder / name).write_text(seed)
        ended = personascope("gym", "run", "--split", "private", "--seed-file", name, "--questions-per-task", "1", *WORDS,
                             "-o", "items.jsonl", "--json", env=server.env)
        assert ended.code == 0, ended.err
        assert ended.json()["exam"]["questions"] == {"ready-made": 10}
        return [(item["id"], item["question"]) for item in answers_of(personascope.folder / "items.jsonl")]

    first = questions("correct horse battery staple", "one")
    assert len(first) == 50 and first == questions("correct horse battery staple\n", "two")
    other = questions("a wholly different secret seed", "three")
    assert not {name for name, _ in first} & {name for name, _ in other}
    # The file is needed to go on, and must be the same.
    (personascope.folder / "four").write_text("yet another secret of this kind")
    words = ("gym", "run", "--split", "private", "--seed-file", "four", "--questions-per-task", "1", *WORDS)
    assert personascope(*words, "--max-calls", "5", env=server.env).code == 1
    (personascope.folder / "four").write_text("yet another secret of that kind")
    changed = personascope("resume", "4", "--max-calls", "200", env=server.env)
    assert changed.code != 0 and "the seed have changed" in changed.err, changed.err
