"""Importing a user's own copy of a published benchmark: what is made of it, and what goes wrong."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

TASKS = ["Expected Action", "Toxicity", "Linguistic Habits", "Persona Consistency", "Action Justification"]
PERSONAS = ["A ferryman's \"lucky\" niece", "A beekeeper on night shifts — 61"]
QUESTION_PROMPT = "\n   Ask {persona} about {settings}:\n\t{num_questions} of {task}, {{so}} {description}\n"


@pytest.fixture
def checkout(tmp_path):
    """A repository in the published form, of our own words."""
    root = tmp_path / "copy"

    def write(name, text):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for persona in PERSONAS:
        questions = {task: [f"{task}, {number}: why?" for number in range(10)] for task in TASKS}
        write(f"questions/benchmark-v1/{persona}.json", json.dumps(questions, indent=4))
    write("code/personas.py", f"benchmark_personas = {PERSONAS!r}\n")
    write("code/eval_tasks.py", f"tasks = {TASKS!r}\nquestion_requirements = {dict.fromkeys(TASKS, 'A “good” one.')!r}\n"
                                "settings_list = ['Ferry', \"Queen's Hall\"]\n")  # fmt: skip
    write("code/utils.py", "def ask(persona):\n    persona_prompt = f\"Be {persona}.\"\n    return persona_prompt\n")
    write("code/run.py", "def choose(persona):\n    settings_prompt = f'''{persona}: {settings_list}'''\n"
                         f"    question_prompt = f'''{QUESTION_PROMPT}'''\n"
                         "    dir = f\"../scores/{save_name\"\n")  # fmt: skip
    write("prompts/score_examples/prompt.txt", "{persona} {question} {rubric}")
    write("prompts/score_examples/parallel_examples.txt", "{rubrics}")
    write("prompts/rubric_grading/prompt.txt", "{rubrics}")
    write("prompts/rubric_grading/sys_prompt.txt", "Grade.")
    for task in TASKS:
        write(f"rubrics/{task}.txt", "{persona} {question} {response} {score_example}")
    scores = {task if task != "Toxicity" else "Toxicity Control": 4.0 for task in TASKS}
    write("evaluations/20250101_mine/scores.json", json.dumps({**scores, "PersonaScore": 3.5}))
    return root


def test_a_copy_becomes_a_pack(personascope, checkout):
    ended = personascope("import", "personagym", checkout, "--json")
    assert ended.code == 0, ended.err
    said = ended.json()
    assert said["found"] == {"personas": 2, "environments": 2, "questions": 100, "prompts": 7, "rubrics": 5,
                             "descriptions": 5, "published": 1}  # fmt: skip
    assert said["missing"] == []
    assert said["odd"] == ["evaluations/20250101_mine/scores.json: PersonaScore 3.5 is not the mean of its tasks, "
                           "4.00: one of the figures is a misprint"]  # fmt: skip
    pack = personascope.home / "packs/benchmark-v1"
    assert said["folder"] == str(pack)
    personas = [json.loads(line)["persona"] for line in (pack / "personas.jsonl").read_text().splitlines()]
    assert personas == PERSONAS
    assert (pack / "reference/write-questions.txt").read_text() == QUESTION_PROMPT
    assert json.loads((pack / "published.json").read_text())[0]["persona_score"] == {"mean": 3.5}


def test_people_read_what_was_found_and_what_is_odd(personascope, checkout):
    (checkout / "code/utils.py").unlink()
    ended = personascope("import", "personagym", checkout, "--name", "mine")
    assert ended.code == 0, ended.err
    assert "questions                     100" in ended.out
    assert "prompt persona-system.txt: code/utils.py: does not exist" in ended.out
    assert "is a misprint" in ended.out
    assert f"pack mine is in {personascope.home}/packs/mine" in ended.out


def test_a_pack_is_replaced_only_by_force(personascope, checkout):
    assert personascope("import", "personagym", checkout).code == 0
    again = personascope("import", "personagym", checkout)
    assert again.code == 2
    assert "exists already" in again.err and "force" in again.err
    (checkout / "code/personas.py").write_text("benchmark_personas = ['Somebody else']")
    assert personascope("import", "personagym", checkout, "--force").code == 0
    packs = personascope.home / "packs"
    assert "Somebody else" in (packs / "benchmark-v1/personas.jsonl").read_text()
    assert os.listdir(packs) == ["benchmark-v1"]


def test_nothing_of_the_copy_is_run(personascope, checkout):
    (checkout / "code/personas.py").write_text(
        f"benchmark_personas = ['x']\nopen({str(checkout / 'was-run')!r}, 'w').close()\n")
    assert personascope("import", "personagym", checkout).code == 0
    assert not (checkout / "was-run").exists()


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["personagum", "x"], "what can be imported: personagym"),
        (["personagym"], "name the folder"),
        (["personagym", "nowhere"], "is not a folder"),
        (["personagym", "."], "not a copy of PersonaGym"),
        (["personagym", ".", "--name", "../x"], "cannot be a pack's name"),
        (["personagym", ".", "--name", ".hidden"], "cannot be a pack's name"),
    ],
)
def test_bad_input_gets_one_sentence(personascope, words, sentence):
    ended = personascope("import", *words)
    assert ended.code == 2
    assert sentence in ended.err
    assert ended.err.count("\n") == 1
    assert not (personascope.home / "packs").exists()


def test_without_a_word_it_lists_what_can_be_imported(personascope):
    assert "personagym" in personascope("import").out
    assert personascope("import", "--json").json()["kinds"][0]["kind"] == "personagym"


def test_the_table_of_unprintable_characters_is_what_its_tool_writes(tmp_path):
    """Only where the tests' Python is the one that the table is of."""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the table is Python 3.11's")
    root = pathlib.Path(__file__).resolve().parents[2]
    copy = tmp_path / "src/files"
    (tmp_path / "tools").mkdir()
    copy.mkdir(parents=True)
    tool = tmp_path / "tools/make_python_tables.py"
    tool.write_text((root / "tools/make_python_tables.py").read_text())
    subprocess.run([sys.executable, tool], check=True)

    def numbers(path):
        return (path / "python_unprintable.cpp").read_text().split()

    assert "".join(numbers(copy)) == "".join(numbers(root / "src/files"))
    for name in ("python_repr.jsonl", "python_literals.jsonl"):
        assert (copy / "testdata" / name).read_text() == (root / "src/files/testdata" / name).read_text()
