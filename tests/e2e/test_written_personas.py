"""Personas whose open attributes a model writes: kept, dropped, resumed."""

import json

from harness import answers_of

OPEN = ["defining quirks", "mannerisms", "personal time", "lifestyle", "ideology", "political views"]


def write_script(personascope, name, phrases):
    """A model that writes one of the phrases, and a judge that finds "unthinkable" impossible."""
    rules = [
        {"when": "These attributes of a person*",
         "replies": [json.dumps({member: f"{phrase} ({member})" for member in OPEN}) for phrase in phrases]},
        {"when": "*unthinkable*", "reply": "Two of them exclude each other.\nVerdict: no"},
        {"when": "You judge one text*", "reply": "All can be.\nVerdict: yes"},
    ]  # fmt: skip
    (personascope.folder / name).write_text(json.dumps({"rules": rules}))
    return f"scripted/{personascope.folder / name}"


def write(personascope, script, *words):
    return personascope("bench", "personas", "--seed", "1", "--model", script, "-o", "p.jsonl", *words)


def test_contradictions_are_dropped_and_counted(personascope):
    script = write_script(personascope, "s.json", ["plain", "unthinkable", "fine"])
    ended = write(personascope, script, "--count", "6", "--json", "--max-connections", "1")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["evaluation"] == "bench/personas"
    lines = answers_of(personascope.folder / "p.jsonl")
    assert 0 < len(lines) < 6  # which phrase a persona gets is chance, but always the same
    assert (found["asked"], found["kept"], found["dropped"], found["failed"]) == (6, len(lines), 6 - len(lines), 0)
    assert found["personas"] == len(lines) and found["duplicates"] == 0
    assert "exclude each other" in found["contradictions"][0]["why"]
    assert all(len(line) == 35 for line in lines)
    assert all(line["mannerisms"] in ("plain (mannerisms)", "fine (mannerisms)") for line in lines)
    # The rest is as the lists draw it.
    drawn = personascope("bench", "personas", "--count", "6", "--seed", "1", "-q").out.splitlines()
    drawn = {line["id"]: line for line in map(json.loads, drawn)}
    assert all(line["income"] == drawn[line["id"]]["income"] for line in lines)

    again = write(personascope, script, "--count", "6")
    assert again.code == 0
    assert f"dropped   {6 - len(lines)} of 6 for a contradiction; 0 refused, 0 failed" in again.out
    assert "  0 sent" in again.err


def test_judging_again_writes_another_file(personascope):
    script = write_script(personascope, "s.json", ["plain"])
    assert write(personascope, script, "--count", "3").code == 0
    before = (personascope.folder / "p.jsonl").read_bytes()
    (personascope.folder / "p.jsonl").write_bytes(before + b"\n")
    for words in ((), ("-o", "-")):
        refused = personascope("rescore", "1", *words)
        assert refused.code == 2 and "with --output" in refused.err
    again = personascope("rescore", "1", "-o", "q.jsonl", "--json")
    assert again.code == 0, again.err
    assert (personascope.folder / "q.jsonl").read_bytes() == before
    assert (personascope.folder / "p.jsonl").read_bytes() == before + b"\n"


def test_a_run_that_was_stopped_is_resumed(personascope):
    script = write_script(personascope, "s.json", ["plain"])
    stopped = write(personascope, script, "--count", "8", "--max-calls", "5", "--max-connections", "1")
    assert stopped.code == 1
    assert not (personascope.folder / "p.jsonl").exists()
    resumed = personascope("resume", "1", "--max-calls", "100")
    assert resumed.code == 0, resumed.err
    assert len(answers_of(personascope.folder / "p.jsonl")) == 8


def test_wrong_use_is_refused_before_anything_is_spent(personascope):
    script = write_script(personascope, "s.json", ["plain"])
    ended = personascope("bench", "personas", "--model", script)
    assert ended.code == 2 and "name it with --output" in ended.err
    ended = personascope("bench", "personas", "--judge", script)
    assert ended.code == 2 and "need --model" in ended.err
    ended = write(personascope, script, "--count", "3", "--estimate", "--json")
    assert ended.code == 0, ended.err
    assert [row["calls"] for row in ended.json()["parts"]] == [3, 3]
    assert not (personascope.folder / "p.jsonl").exists()
