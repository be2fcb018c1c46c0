"""`--data-version` of bench and lens; the gym's is in test_gym_probes.py."""

import json
import pathlib

import pytest

from harness import answers_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ("--model", f"scripted/{ROOT}/examples/bench-replies.yaml", "--judge", f"scripted/{ROOT}/examples/bench-replies.yaml",
         "--reader", "none", "--controls", "none", "--canaries", "0")


def first(path):
    return json.loads((ROOT / "data" / path).read_text(encoding="utf-8").splitlines()[0])


@pytest.mark.parametrize("version, folder", [((), "bench"), (("--data-version", "2"), "bench"), (("--data-version", "1"), "bench/v1")])
def test_the_bench_takes_personas_and_questions_of_the_version(personascope, version, folder):
    ended = personascope("bench", "main", *BENCH, "-n", "1", *version, "-o", "items.jsonl")
    assert ended.code == 0, ended.err
    item = answers_of(personascope.folder / "items.jsonl")[0]
    assert item["question"] == first(f"{folder}/questions.jsonl")["question"]
    assert item["id"].startswith(first(f"{folder}/personas.jsonl")["id"] + "/")
    compared = personascope("estimate", "bench", "comparison", *BENCH[:4], *version, "--json")
    assert compared.code == 0, compared.err


def test_the_lens_draws_users_and_tasks_of_the_version(personascope, fake):
    server = fake(lambda body: "Done, thanks. TERMINATE" if body["model"] == "u" else "Here it is.")
    words = ("--model", "openai/a", "--user-model", "openai/u", "--users", "0", "--limit", "1", "--max-turns", "2")
    ids = {}
    for version in ("1", "2"):
        ended = personascope("lens", "generate", *words, "--data-version", version, "--items", f"{version}.jsonl", env=server.env)
        assert ended.code == 0, ended.err
        ids[version] = answers_of(personascope.folder / f"{version}.jsonl")[0]["id"]
    assert "/SD-" in ids["1"] and "/ps-" in ids["2"]
    asked = len(server.asked)
    again = personascope("lens", "generate", *words, "--data-version", "1", "--items", "again.jsonl", env=server.env)
    assert again.code == 0 and len(server.asked) == asked, again.err


@pytest.mark.parametrize("words, said", [
    (("bench", "main", *BENCH, "--data-version", "3"), "has no version 3 of its data (--data-version); it has 1 and 2"),
    (("bench", "main", *BENCH, "--data-version", "1", "--personas", "p.jsonl", "--questions", "q.jsonl"), "yours are named"),
    (("lens", "run", "--data-version", "3"), "has no version 3 of its data (--data-version); it has 1 and 2"),
    (("lens", "run", "--data-version", "1", "--data", "folder"), "--data-version chooses among our own users"),
])
def test_what_does_not_fit_together_is_said(personascope, words, said):
    ended = personascope(*words)
    assert ended.code == 2 and said in ended.err, ended.err
