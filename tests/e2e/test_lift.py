"""`lift`: the likelihood judge on stored answers, by the model inside the program."""

import pathlib

import pytest

from harness import answers_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANSWERS = answers_of(ROOT / "examples/lift-answers.jsonl")
CONTROL = answers_of(ROOT / "examples/lift-control.jsonl")
PERSONAS = ROOT / "examples/lift-personas.jsonl"
FIRST = [line for line in ANSWERS if line["id"].endswith("-1")]


def lift(personascope, lines, *args, **rest):
    path = personascope.write("answers.jsonl", lines)
    return personascope("lift", path, *args, timeout=300, **rest)


def test_the_right_persona_shows_in_hand_written_answers(personascope):
    control = personascope.write("control.jsonl", CONTROL)
    ended = lift(personascope, FIRST, "--personas", PERSONAS, "--control", control, "-o", "readings.jsonl", "--json")
    assert ended.code == 0, ended.err
    results = ended.json()["results"]
    assert results["reader"] == "embedded/smollm2-135m"
    answers = results["answers"]
    assert answers["lift"]["n"] == answers["lift"]["clusters"] == 8
    assert answers["lift"]["value"] > 0.15 and answers["lift"]["interval"][0] > 0
    found = answers["identification"]
    assert found["chance_accuracy"] == pytest.approx(1 / 8)
    assert found["accuracy"]["value"] >= 5 / 8
    assert results["control"]["lift_difference"]["value"] > 0.05
    assert results["control"]["accuracy_difference"]["value"] > 0.2
    lines = answers_of(personascope.folder / "readings.jsonl")
    assert [line["kind"] for line in lines] == ["answer"] * 8 + ["control"] * 8
    assert [line["id"] for line in lines[:8]] == [line["id"] for line in FIRST]
    assert lines[0]["persona"] == "keeper" and len(lines[0]["candidates"]) == 8
    assert lines[0]["candidates"][0]["persona"] == "keeper"
    # Once more, everything comes from the journal and the numbers are the same.
    again = lift(personascope, FIRST, "--personas", PERSONAS, "--control", control, "-o", "again.jsonl", "--replay", "--json")
    assert again.code == 0, again.err
    assert again.json()["results"] == results
    assert (personascope.folder / "again.jsonl").read_bytes() == (personascope.folder / "readings.jsonl").read_bytes()


def test_an_id_without_its_file_is_noticed(personascope):
    lines = [dict(line, persona=name) for line, name in zip(FIRST, ("keeper", "A cook of 50."))]
    notes = lift(personascope, lines, "--json").json()["results"]["notes"]
    assert any('"keeper"' in note and "`personas`" in note for note in notes)
    own = lift(personascope, FIRST[:2], "--personas", PERSONAS, "--json").json()["results"]["notes"]
    assert not any("`personas`" in note for note in own)


def test_swapped_answers_do_not_show_their_persona(personascope):
    swapped = [dict(line, answer=other["answer"]) for line, other in zip(FIRST, FIRST[1:] + FIRST[:1])]
    ended = lift(personascope, swapped, "--personas", PERSONAS, "--json")
    found = ended.json()["results"]["answers"]["identification"]
    assert found["accuracy"]["value"] <= 2 / 8


def test_the_table_names_the_reader_chance_and_who_was_taken_for_whom(personascope):
    ended = lift(personascope, FIRST[:3], "--personas", PERSONAS, "--distractors", "2", "--content-free")
    assert ended.code == 0, ended.err
    assert "reader  embedded/smollm2-135m\n" in ended.out
    assert "by chance: named right" in ended.out and "33.3 %" in ended.out
    assert "answers minus content-free" in ended.out
    assert "persona \\ named" in ended.out
    shown = " ".join(personascope("show", "1", "--notes").out.split())
    assert "not grades" in shown and "There is no control" in shown
    assert "no interval: it needs at least 5 personas" in shown


def test_an_empty_answer_fails_alone_and_is_counted(personascope):
    lines = [{"id": 1, "persona": "a sailor", "question": "Who?", "answer": "A sailor."},
             {"id": 2, "persona": "a baker", "question": "Who?", "answer": ""}]
    ended = lift(personascope, lines, "-o", "readings.jsonl")
    assert ended.code == 1
    assert "1 answered, 1 failed of 2 items" in ended.err
    read, empty = answers_of(personascope.folder / "readings.jsonl")
    assert read["id"] == 1 and read["lift"] is not None
    assert empty["error"]["kind"] == "invalid" and "no text" in empty["error"]["message"]


def test_it_is_estimated_and_explained_and_not_rescored(personascope):
    path = personascope.write("answers.jsonl", FIRST[:2])
    estimate = personascope("estimate", "lift", path, "--personas", PERSONAS, "--distractors", "1", "--json").json()
    assert estimate["calls"] == 2 * 3
    stopped = personascope("lift", path, "--personas", PERSONAS, "--distractors", "1", "--replay")
    assert stopped.code == 1
    misses = personascope("explain-miss", "1", "--json").json()["misses"]
    assert {miss["item"] for miss in misses} == {"keeper-1", "baker-1"}
    rescored = personascope("rescore", "1")
    assert rescored.code == 2 and "which do not change" in rescored.err


@pytest.mark.parametrize(
    "line, args, complaint",
    [
        ({"id": "a", "question": "q", "answer": "x"}, (), 'line 1: it has no text "persona"'),
        ({"id": "a", "persona": "p", "answer": "x"}, (), 'line 1: it has no text "question"'),
        ({"id": "a", "persona": "p", "question": "q"}, (), 'line 1: it has no text "answer"'),
        ({"id": "a", "persona": " ", "question": "q", "answer": "x"}, (), "the persona is empty"),
        ({"id": "a", "persona": "nobody", "question": "q", "answer": "x"}, ("--personas", PERSONAS),
         '"nobody" is neither an id nor a text'),
        ({"id": "a", "persona": "p", "question": "q", "answer": "x"}, ("--model", "openai/gpt-4o"),
         "use an embedded model, such as embedded/smollm2-135m, or one that vLLM serves"),
        ({"id": "a", "persona": "p", "question": "q", "answer": "x"}, ("--control", ROOT / "examples/lift-control.jsonl"),
         "answers no question of"),
    ],
)
def test_bad_input_is_one_sentence_before_anything_is_read(personascope, line, args, complaint):
    ended = lift(personascope, [line], *args, env={"OPENAI_API_KEY": "key"})
    assert ended.code == 2, ended.err
    assert complaint in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert personascope("runs", "--json").json()["runs"] == []
