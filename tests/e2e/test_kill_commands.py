"""kill -9 at any moment of every command that writes a file: it is whole or not there, nothing is left
behind, and what is resumed or run again ends as if undisturbed."""

import json
import os
import pathlib
import random
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
REPLIES = f"scripted/{EXAMPLES}/replies.yaml"
JUDGE = f"scripted/{EXAMPLES}/judge-replies.yaml"
CRITIC = f"scripted/{EXAMPLES}/bench-replies.yaml"
KILLS = int(os.environ.get("PERSONASCOPE_KILLS", "4"))  # for each command
SLOW = ["--fixed-connections", "4"]

COMMANDS = {
    "batch": ["batch", EXAMPLES / "requests.jsonl", "--model", REPLIES, "-o", "OUT", *SLOW],
    "judge": ["judge", EXAMPLES / "answers.jsonl", "--rubric", ROOT / "data/rubrics/helpfulness.yaml",
              "--judge", JUDGE, "-o", "OUT", *SLOW],
    "gym": ["gym", "run", "--limit", "2", "--questions-per-task", "2", "--model", REPLIES, "--judge", JUDGE,
            "--reader", "none", "-o", "OUT", *SLOW],
    "bench": ["bench", "main", "--limit", "2", "--model", CRITIC, "--judge", CRITIC, "--reader", "none",
              "-o", "OUT", *SLOW],
    "bench personas": ["bench", "personas", "--count", "2000", "-o", "OUT"],
    "lens": ["lens", "run", "--limit", "2", "--model", REPLIES, "--user-model", REPLIES, "--judge", JUDGE,
             "-o", "OUT", *SLOW],
    "lens profiles": ["lens", "profiles", "--count", "60", "-o", "OUT"],
}


def tree(place):
    """The bytes of a file, or of every file of a folder."""
    if place.is_dir():
        return {str(p.relative_to(place)): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}
    return place.read_bytes() if place.exists() else None


def words_for(name, output):
    return [output if word == "OUT" else word for word in COMMANDS[name]]


def start_words(personascope, name, output):
    """What goes on with the command: `resume` if it has a run already."""
    if personascope.store.exists():
        runs = personascope("runs", "--json")
        if runs.code == 0 and runs.json()["runs"]:
            return ["resume", "1"]
    return words_for(name, output)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_killed_ends_as_if_undisturbed(personascope, name):
    before = time.monotonic()
    whole = personascope(*words_for(name, "undisturbed"), "--store", "undisturbed.db", timeout=120)
    took = time.monotonic() - before
    assert whole.code == 0, whole.err
    expected = tree(personascope.folder / "undisturbed")
    assert expected
    output = personascope.folder / "killed"
    moments = random.Random(name)
    kills = 0
    for _ in range(KILLS):
        process = personascope.start(*start_words(personascope, name, output))
        time.sleep(moments.uniform(0, took))
        process.kill()
        kills += process.wait() != 0
        process.stderr.close(), process.stdout.close()
        found = tree(output)
        if isinstance(found, dict):
            assert all(expected.get(file) == content for file, content in found.items()
                       if not pathlib.Path(file).name.startswith(".")), "a file is whole or not there"
        else:
            assert found in (None, expected), "the output is whole or not there"
    ended = personascope(*start_words(personascope, name, output), timeout=120)
    if ended.code != 0:  # what was written before the kill is not written over unasked
        ended = personascope(*words_for(name, output), "--force", timeout=120)
    assert ended.code == 0, ended.err
    assert tree(output) == expected
    left = [p for p in personascope.folder.rglob("*") if p.name.startswith(".") and p.suffix == ".part"]
    assert left == []
    if personascope.store.exists():
        assert personascope("store", "check").code == 0


def test_an_export_that_is_killed_is_whole_or_not_there(personascope):
    assert personascope(*words_for("gym", "out.jsonl"), timeout=120).code == 0
    words = ["export", "1", "-o", "items.jsonl"]
    before = time.monotonic()
    assert personascope(*words).code == 0
    took = time.monotonic() - before
    output = personascope.folder / "items.jsonl"
    expected = output.read_bytes()
    assert json.loads(expected.splitlines()[0])
    output.unlink()
    moments = random.Random("export")
    for _ in range(KILLS):
        process = personascope.start(*words)
        time.sleep(moments.uniform(0, took))
        process.kill()
        process.wait()
        process.stderr.close(), process.stdout.close()
        assert tree(output) in (None, expected)
        if output.exists():
            output.unlink()
    assert personascope(*words).code == 0 and output.read_bytes() == expected
