"""The tree of the lens says what the run found: nothing missing, nothing stale, nothing of another run."""

import json
import pathlib

from lens_models import lens, models, script  # noqa: F401 (models is a fixture)

WORDS = ("--users", "0-1", "--tasks-per-user", "1", "--output", "out")


def bytes_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change(model, *rules):
    pathlib.Path(model.removeprefix("scripted/")).write_text(json.dumps({"rules": list(rules)}))


def test_an_unread_verdict_has_a_file(personascope, models):
    def texts_of(protocol, folder, rule):
        change(models["judge"], rule)
        ended = lens(personascope, models, "run", *WORDS[:-1], folder, "--protocol", protocol, "--dimension", "coherence",
                     "--side", "assistant", "--fresh", "--fail-on-error", "2")  # fmt: skip
        assert ended.code == 0, ended.err
        found = personascope("lens", "gather", folder, "--json").json()
        assert (found["files"], found["unread"], found["count"]) == (2, 2, 0)
        return {path.read_text() for path in (personascope.folder / folder).rglob("*_asst.txt")}

    for protocol, end in (("chat", "\n"), ("reference", "")):
        assert texts_of(protocol, protocol, {"when": "*", "reply": "So it goes."}) == {"So it goes." + end}
        [text] = texts_of(protocol, protocol + "2", {"when": "*", "error": "context_too_long"})
        assert text.startswith("No verdict: ")


def test_a_file_of_an_older_run_does_not_pass_for_a_new_one(personascope, models):
    assert lens(personascope, models, "run", *WORDS, "--dimension", "personalization").code == 0
    out = personascope.folder / "out"
    assert len(list(out.rglob("*_dialogue.json"))) == len(list(out.rglob("*.txt"))) == 2
    change(models["assistant"], {"when": "*", "error": "context_too_long"})
    ended = lens(personascope, models, "run", *WORDS, "--dimension", "personalization", "--fresh", "--fail-on-error", "2")
    assert ended.code == 0, ended.err
    assert set(bytes_below(out)) == {"models.json"}


def test_a_dialogue_that_cannot_be_read_stays_and_its_verdict_goes(personascope, models):
    assert lens(personascope, models, "run", *WORDS, "--dimension", "personalization").code == 0
    out = personascope.folder / "out"
    [path] = (out / "dialogue/user0").rglob("*.json")
    path.write_text("{")
    ended = lens(personascope, models, "evaluate", "--output", "out", "-d", "personalization", "--fail-on-error", "1")
    assert ended.code == 0, ended.err
    assert path.read_text() == "{"
    assert not list((out / "evaluation/user0").rglob("*.txt"))
    assert len(list((out / "evaluation/user1").rglob("*.txt"))) == 1


def test_a_run_that_is_scored_again_leaves_the_files_alone(personascope, models):
    assert lens(personascope, models, "run", *WORDS, "--dimension", "personalization").code == 0
    assert lens(personascope, models, "evaluate", "--output", "out", "-d", "personalization").code == 0
    before = bytes_below(personascope.folder / "out")
    change(models["judge"], {"when": "*", "reply": "No.\nVerdict: 1"})
    for run, again in (("1", "3"), ("2", "4")):
        ended = personascope("rescore", run, "--json")
        assert ended.code == 0, ended.err
        assert ended.json()["dimensions"]["personalization"]["mean"] == 1
        assert "output" not in ended.json()
        assert bytes_below(personascope.folder / "out") == before
        assert personascope("lens", "gather", again, "--json").json()["mean"] == 1
    assert personascope("lens", "gather", "out", "--json").json()["mean"] == 3


def test_only_published_dimensions_have_published_numbers(personascope, models):
    ended = lens(personascope, models, "run", *WORDS, "--dimension", "first_turn_leak")
    assert ended.code == 0, ended.err
    for place in ("1", "out"):
        found = personascope("lens", "gather", place, "--json").json()
        assert found["rate"] == 0 and "reference" not in found
        assert "published arithmetic" not in personascope("lens", "gather", place).out


def test_what_does_not_fit_is_answered_with_what_there_is(personascope, models):
    assert lens(personascope, models, "run", *WORDS, "--dimension", "personalization").code == 0
    for place in ("1", "out"):
        for words in (("-m", "nosuch"), ("--users", "900"), ("-d", "coherence"), ("-md",)):
            ended = personascope("lens", "gather", place, *words)
            assert ended.code == 2, words
            assert "no verdict matches" in ended.err and "personalization" in ended.err and "user0 to user1" in ended.err
            assert ended.err.count("\n") == 1
