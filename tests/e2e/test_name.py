"""The smallest evaluation: what a folder and a row of the catalog get from the program."""

import json

from harness import answers_of

RULES = [
    {"when": "*Ingrid Solheim*BEGINS*", "reply": "It is.\nVerdict: yes"},
    {"when": "*BEGINS*", "reply": "It is not.\nVerdict: no"},
    {"when": "*", "reply": "I am Ingrid."},
]


def name(personascope, *words):
    (personascope.folder / "s.json").write_text(json.dumps({"rules": RULES}))
    return personascope("name", "run", "--model", f"scripted/{personascope.folder / 's.json'}", *words)


def test_it_runs_and_is_shown_exported_resumed_and_estimated(personascope):
    ended = name(personascope, "-o", "items.jsonl", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["score"]["n"] == 3 and abs(found["score"]["value"] - 1 / 3) < 1e-9
    assert found["findings"]["headline"]["name"] == "gives its name"
    assert [line["score"] for line in answers_of(personascope.folder / "items.jsonl")] == [1, 0, 0]
    assert "33.3 %" in personascope("runs").out
    item = personascope("show", "1", "--item", "persona-1").out
    assert "Ingrid Solheim" in item and "I am Ingrid." in item and "Verdict: yes" in item
    again = personascope("resume", "1")
    assert again.code == 0 and "0 sent, 6 from the journal" in again.err
    assert "gives its name" in again.out
    estimate = name(personascope, "--estimate", "--json")
    assert estimate.code == 0 and '"calls": 3' in estimate.out
    exported = personascope("export", "1", "--what", "findings", "-o", "-").out
    assert json.loads(exported)["name"] == "gives its name"


def test_wrong_options_are_named(personascope):
    ended = name(personascope, "--persona", " ")
    assert ended.code == 2 and "--persona is empty" in ended.err
    ended = name(personascope, "--max-output-tokens", "0")
    assert ended.code == 2 and "--max-output-tokens" in ended.err
