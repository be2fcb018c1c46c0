"""Importing users' own data for the bench: the forms of files, what is said of them, and Parquet."""

import json
import pathlib
import random
import sys

import pytest

from harness import answers_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEEL = ROOT / ".cache/parquet-26.0.0/wheel"  # scripts/setup-parquet puts it there
SCRIPT = f"scripted/{ROOT}/examples/bench-replies.yaml"
QUESTIONS = [f"Should the town spend more on matter {number}?" for number in range(12)]
PERSONAS = [
    {"Age": 30 + number, "Sex": "Female", "Big_Five_Scores": {"Openness": "High", "Extraversion": "Low"},
     "political_views": "Votes now and then", "Pets": ["a cat", "a dog"] if number % 2 else None}
    for number in range(8)
]  # fmt: skip


@pytest.fixture
def write_parquet(tmp_path):
    """Writes rows as a real Parquet file, by the library that we read it with."""
    sys.path.insert(0, str(WHEEL))
    try:
        import pyarrow
        import pyarrow.parquet
    finally:
        sys.path.remove(str(WHEEL))

    def write(name, rows, **options):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pyarrow.Table.from_pylist(rows)
        pyarrow.parquet.write_table(table, path, **options)
        return path

    return write


def test_parquet_and_csv_become_what_the_bench_runs_with(personascope, write_parquet, tmp_path):
    personas = write_parquet("personas.parquet", PERSONAS, row_group_size=3, compression="zstd")
    questions = tmp_path / "prism.csv"
    questions.write_text(",Question,user_id\n" + "".join(f"{i},{q},u{i}\n" for i, q in enumerate(QUESTIONS)))
    ended = personascope("import", "persona-bench", personas, questions, "-o", tmp_path / "mine", "--json")
    assert ended.code == 0, ended.err
    said = ended.json()
    assert said["files"] == [
        {"path": str(personas), "rows": 8, "personas": 8, "questions": 0},
        {"path": str(questions), "rows": 12, "personas": 0, "questions": 12},
    ]
    assert said["further_attributes"] == ["Pets"]
    assert said["unused_columns"] == ["user id"]
    assert len(said["missing_attributes"]) == 29
    assert said["dropped"] == said["odd"] == []
    assert answers_of(tmp_path / "mine/personas.jsonl")[1] == {
        "id": "u2", "age": "31", "sex": "Female", "big five scores": "Extraversion: Low, Openness: High",
        "political views": "Votes now and then", "Pets": "a cat, a dog",
    }  # fmt: skip
    assert json.loads((tmp_path / "mine/import.json").read_text()) == said

    run = personascope("bench", "main", "-n", "4", "--personas", said["personas_file"], "--questions",
                       said["questions_file"], "--model", SCRIPT, "--judge", SCRIPT, "--json")  # fmt: skip
    assert run.code == 0, run.err
    assert run.json()["score"]["n"] == 4


def test_people_read_what_was_taken_dropped_and_odd(personascope, tmp_path):
    (tmp_path / "q.jsonl").write_text('{"prompt": "Too short?"}\n{"prompt": ""}\n{"prompt": "Too short?"}\nno\n')
    ended = personascope("import", "persona-bench", tmp_path / "q.jsonl", "--name", "mine")
    assert ended.code == 0, ended.err
    assert "questions are from the column: prompt" in ended.out
    assert f"1 × an empty question ({tmp_path}/q.jsonl, line 2)" in ended.out
    assert f"1 × the question is repeated ({tmp_path}/q.jsonl, line 3)" in ended.out
    assert "1 × a question of fewer than 5 words" in ended.out
    made = personascope.home / "packs/mine/questions.jsonl"
    assert f"personascope bench main --questions {made}" in ended.out
    assert len(answers_of(made)) == 1
    kept = personascope("import", "persona-bench", tmp_path / "q.jsonl", "--name", "mine", "--force", "--keep-duplicates")
    assert kept.code == 0 and len(answers_of(made)) == 2


def test_a_folder_is_read_with_its_training_part_first(personascope, write_parquet, tmp_path):
    write_parquet("set/data/test-00000-of-00001.parquet", [{"question": QUESTIONS[0]}])
    write_parquet("set/data/train-00000-of-00001.parquet", [{"question": QUESTIONS[1]}])
    (tmp_path / "set/dataset_infos.json").write_text('{\n"default": {}\n}')
    (tmp_path / "set/README.md").write_text("question")
    ended = personascope("import", "persona-bench", tmp_path / "set", "--json")
    assert ended.code == 0, ended.err
    assert [pathlib.Path(file["path"]).name[:5] for file in ended.json()["files"]] == ["train", "test-"]
    assert [line["question"] for line in answers_of(pathlib.Path(ended.json()["questions_file"]))] == [
        QUESTIONS[1], QUESTIONS[0],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name, content, words",
    [
        ("cut.parquet", b"PAR1\x15\x04\x15\x10", "cannot be read as Parquet"),
        ("page.parquet", b"<!DOCTYPE html>", "is not one; fetch it again"),
        ("x.csv", b"colour,size\nred,1\n", "line 2: neither a question nor one of the 33 attributes"),
        ("empty.csv", b"", "the table is empty"),
        ("header.csv", b"question\n", "there are no rows"),
        ("x.csv.gz", b"\x1f\x8b\x08\x00", "is compressed; unpack it first"),
    ],
)
def test_what_cannot_be_imported_is_refused_in_a_sentence(personascope, tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    ended = personascope("import", "persona-bench", path)
    assert ended.code == 2, (ended.out, ended.err)
    assert words in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert not (personascope.home / "packs").exists()


def test_wrong_use_is_refused(personascope, tmp_path):
    assert "name files or folders" in personascope("import", "persona-bench").err
    assert "no such file" in personascope("import", "persona-bench", tmp_path / "none.csv").err
    (tmp_path / "nothing").mkdir()
    assert "contains no .parquet" in personascope("import", "persona-bench", tmp_path / "nothing").err
    assert "without --output" in personascope("import", "personagym", tmp_path, "-o", tmp_path / "x").err
    source = tmp_path / "questions.jsonl"
    source.write_text('{"question": "Is this what would be overwritten?"}\n')
    same = personascope("import", "persona-bench", source, "-o", tmp_path, "--force")
    assert same.code == 2 and "is an input of this run" in same.err
    assert personascope("import", "persona-bench", source).code == 0
    again = personascope("import", "persona-bench", source)
    assert again.code == 2 and "--force replaces it" in again.err


def test_without_the_reader_of_parquet_a_sentence_says_how_to_get_it(personascope, write_parquet):
    path = write_parquet("q.parquet", [{"question": QUESTIONS[0]}])
    ended = personascope("import", "persona-bench", path, env={"PERSONASCOPE_PARQUET_ROWS": "/nowhere/parquet_rows"})
    assert ended.code == 2
    assert "run scripts/setup-parquet" in ended.err
    # One that dies is not believed, whatever it printed before.
    reader = personascope.folder / "reader"
    reader.write_text('#!/bin/sh\necho \'{"question": "Is this row to be believed?"}\'\nkill -SEGV $$\n')
    reader.chmod(0o755)
    ended = personascope("import", "persona-bench", path, env={"PERSONASCOPE_PARQUET_ROWS": str(reader)})
    assert ended.code == 2
    assert "its reader was ended by signal 11" in ended.err
    assert not (personascope.home / "packs/persona-bench/questions.jsonl").exists()


def test_a_damaged_parquet_file_gives_a_sentence_or_the_rows(personascope, write_parquet, tmp_path):
    whole = write_parquet("whole.parquet", [{"question": q, "n": [{"a": 1}]} for q in QUESTIONS]).read_bytes()
    chance = random.Random(7)
    codes = []
    for number in range(40):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 3, 30])):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        if number % 4 == 0:
            damaged = damaged[: chance.randrange(8, len(damaged))]
        path = tmp_path / "damaged.parquet"
        path.write_bytes(damaged)
        ended = personascope("import", "persona-bench", path, "--force")
        codes.append(ended.code)
        assert ended.code in (0, 2), ended.err
        assert len(ended.err.strip().splitlines()) <= 1, ended.err
    assert codes.count(2) >= 20
