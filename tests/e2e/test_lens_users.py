"""Where the users of the lens come from: drawn, ready-made, written by a model, or read from files."""

import json
import pathlib

import pytest

from harness import answers_of
from lens_models import findings, lens, models, script  # noqa: F401 (models is a fixture)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_a_run_is_not_resumed_with_other_users(personascope, models):
    assert personascope("lens", "profiles", "--count", "3", "-o", "own").code == 0
    stopped = lens(personascope, models, "run", "--data", "own", "--tasks-per-user", "1", "--max-calls", "4",
                   "--max-connections", "1")
    assert stopped.code == 1, stopped.err
    profile = personascope.folder / "own/profile/user2/profile.json"
    text = profile.read_text()
    profile.write_text(text.replace("1", "0", 1))
    ended = personascope("resume", "1", "--max-calls", "1000")
    assert ended.code == 2 and "have changed since the run was started" in ended.err
    profile.write_text(text)
    assert personascope("resume", "1", "--max-calls", "1000").code == 0


def test_profiles_by_seed_are_data_for_the_lens(personascope, models):
    made = personascope("lens", "profiles", "--count", "12", "-o", "own", "--json")
    assert made.code == 0, made.err
    assert made.json()["users"] == 12
    again = personascope("lens", "profiles", "--count", "12", "-o", "again", "--json")
    assert again.code == 0
    for path in sorted((personascope.folder / "own").rglob("*.json")):
        other = personascope.folder / "again" / path.relative_to(personascope.folder / "own")
        text = path.read_text()
        assert other.read_text() == text
        assert json.dumps(json.loads(text), indent=4) == text, "as Python would write it"
    words = ("--users", "0-11", "--tasks-per-user", "1", "--dimension", "personalization", "--json")
    drawn = lens(personascope, models, "run", *words)
    read = lens(personascope, models, "run", "--data", "own", *words)
    assert read.code == 0, read.err
    assert findings(read) == findings(drawn)


def test_a_model_writes_the_summaries(personascope, models):
    writer = script(personascope, "writer.yaml", ('*area "Books"*', "  They asked for {books}. Olé.\n"), ('*area "Music"*', " "),
                    ("*", "They took what was offered."))
    words = ("lens", "profiles", "--count", "3", "--seed", "4", "-o")
    stopped = personascope(*words, "own", "--model", writer, "--max-calls", "9", "--max-connections", "2")
    assert stopped.code == 1, stopped.err
    ended = personascope("resume", "1", "--max-calls", "1000", "--json")
    assert ended.code == 0, ended.err
    assert personascope(*words, "plain").code == 0
    written = 0
    for user in range(3):
        own, plain = (json.loads((personascope.folder / f"{name}/profile/user{user}/profile.json").read_text())
                      for name in ("own", "plain"))
        for domain, text in own["interactions"].items():
            if plain["interests"][domain] == 0 or domain == "Music":
                assert text == plain["interactions"][domain], "our own sentences stay"
                continue
            assert text == ("They asked for {books}. Olé." if domain == "Books" else "They took what was offered.")
            written += 1
        assert {**own, "interactions": 0} == {**plain, "interactions": 0}
    found = ended.json()
    assert (found["users"], found["written"]) == (3, written)
    assert lens(personascope, models, "run", "--data", "own", "--tasks-per-user", "1").code == 0
    estimate = personascope("lens", "profiles", "--count", "3", "--seed", "4", "-o", "x", "--model", writer, "--estimate", "--json")
    assert estimate.code == 0 and f'"calls": {written + found["kept"]}' in estimate.out.replace('":', '": ').replace("  ", " ")


def test_the_ready_made_users_are_those_of_seed_0(personascope, models):
    folder = ROOT / "data/lens/users"
    numbers = sorted(int(path.stem.removeprefix("ps-")) for path in folder.iterdir())
    assert len(numbers) == 30
    made = personascope("lens", "profiles", "--users", ",".join(map(str, numbers)), "-o", "own")
    assert made.code == 0, made.err
    for number in numbers:
        drawn = personascope.folder / f"own/profile/user{number}/profile.json"
        assert (folder / f"ps-{number}.json").read_text() == drawn.read_text(), "or say that they were edited"
    ended = lens(personascope, models, "generate", "--tasks-per-user", "1", "--json")
    assert ended.code == 0, ended.err
    assert {path.name for path in (personascope.folder / "output/dialogue").iterdir()} == {f"user{n}" for n in numbers}


@pytest.mark.parametrize("spoil, message", [
    (lambda user: user.joinpath("tasks.json").write_text('{"Task 1": {"task_id": "SD-Zoo-task-1"}}'),
     'Task 1: "User Intent" is missing'),
    (lambda user: user.joinpath("tasks.json").unlink(), "tasks.json"),
])
def test_a_spoilt_task_file_is_one_outcome_and_the_others_go_on(personascope, models, spoil, message):
    assert personascope("lens", "profiles", "--count", "2", "-o", "own").code == 0
    spoil(personascope.folder / "own/profile/user0")
    words = ("--data", "own", "--tasks-per-user", "1", "--items", "items.jsonl")
    ended = lens(personascope, models, "run", *words, "--users", "0")
    assert ended.code == 2 and message in ended.err
    assert ended.err.count("\n") == 1, "one sentence"
    ended = lens(personascope, models, "run", *words, "--fail-on-error", "1")
    assert ended.code == 0, ended.err
    first, second = answers_of(personascope.folder / "items.jsonl")
    assert (first["id"], first["outcome"]) == ("user0/tasks.json", "failed") and message in first["error"]["message"]
    assert second["id"].startswith("user1/") and second["outcome"] == "scored"


def test_a_spoilt_profile_is_the_outcome_of_its_dialogues(personascope, models):
    assert personascope("lens", "profiles", "--count", "2", "-o", "own").code == 0
    profile = personascope.folder / "own/profile/user0/profile.json"
    spoilt = json.loads(profile.read_text())
    del spoilt["interactions"]
    profile.write_text(json.dumps(spoilt))
    ended = lens(personascope, models, "run", "--data", "own", "--tasks-per-user", "1", "--fail-on-error", "1",
                 "--items", "items.jsonl")
    assert ended.code == 0, ended.err
    first, second = answers_of(personascope.folder / "items.jsonl")
    assert first["error"]["message"].endswith('profile.json: "interactions" is missing')
    assert second["outcome"] == "scored"


def test_users_who_were_written_are_not_written_over(personascope):
    words = ("lens", "profiles", "--users", "3", "-o", "own")
    assert personascope(*words).code == 0
    profile = personascope.folder / "own/profile/user3/profile.json"
    text = profile.read_text()
    profile.write_text("mine")
    for more in ((), ("--model", script(personascope, "writer.yaml", ("*", "They came.")))):
        ended = personascope(*words, *more)
        assert ended.code == 2 and "user3/profile.json exists already" in ended.err
    assert profile.read_text() == "mine"
    assert personascope("lens", "profiles", "--users", "4", "-o", "own").code == 0, "another user beside it"
    assert personascope(*words, "--force").code == 0
    assert profile.read_text() == text


def test_evaluate_takes_the_users_of_whom_there_are_dialogues(personascope, models):
    assert lens(personascope, models, "generate", "--users", "2,40,1499", "--tasks-per-user", "2").code == 0
    ended = lens(personascope, models, "evaluate", "-d", "personalization", "--json")
    assert ended.code == 0, ended.err
    assert (ended.json()["users"], ended.json()["dialogues"]["given"]) == (3, 6)
