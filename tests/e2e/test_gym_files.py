"""What the gym reads and writes: personas, tasks, questions, answers, and their folders."""

import json

from gym_work import FILE_KEYS, GYM, MODEL, strict_reply
from harness import answers_of

WARMTH = (
    "name: Warmth\nversion: 1\nasks: Is it warm?\nscale: [1, 2, 3, 4, 5]\n"
    "criteria: {1: cold, 2: cool, 3: mild, 4: warm, 5: hot}\nquestion_guidance: [Asks for a welcome.]\n"
)


def test_a_persona_text_is_never_a_path_and_questions_are_written_for_it(personascope, fake):
    server = fake(strict_reply)
    personas = ["../../etc/passwd", "x" * 300, "a \"quoted\" d'Artagnan 👽", "a/b\\c"]
    words = [word for persona in personas for word in ("--persona", persona)]
    ended = personascope(
        *("gym", "questions", *words, "--question-model", "openai/gpt-writer"),
        *("--questions-per-task", "2", "--questions", "mine", "--json"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    assert ended.json()["exam"] == {
        "questions": {"written": 4},
        "question_model": "openai/gpt-writer",
        "example_model": None,
    }
    folder = personascope.folder / "mine"
    assert (folder / f"{personas[2]}.json").is_file()
    index = json.loads((folder / "index.json").read_text())
    assert sorted(index.values()) == sorted([personas[0], personas[1], personas[3]])
    for name in index:
        assert set(json.loads((folder / f"{name}.json").read_text())) == set(FILE_KEYS.values())
    assert not list(personascope.folder.parent.glob("etc*"))
    # They are taken up again under the same texts, without a writer.
    answered = personascope(
        *("gym", "answer", "--questions", "mine", "--questions-per-task", "2", "--model", MODEL),
        *("--responses", "answers", "-o", "-"),
        env=server.env,
    )
    assert answered.code == 0, answered.err
    assert {line["persona"] for line in answers_of(answered.out)} == set(personas)
    graded = personascope(
        *("gym", "grade", "--responses", "answers", "--questions-per-task", "2", "--json"),
        *("--judge", "openai/gpt-judge", "--reader", "none"),
        env=server.env,
    )
    assert graded.code == 0, graded.err
    assert graded.json()["outcomes"]["scored"] == 40


def test_personas_come_in_many_forms(personascope, fake):
    server = fake(strict_reply)
    folder = personascope.folder
    (folder / "a.txt").write_text("a nurse\n\na sailor\n")
    (folder / "b.yaml").write_text("- a nurse\n- {age: 41, work: welder}\n")
    (folder / "c.jsonl").write_text('{"id": "n", "persona": "a nurse"}\n{"age": 7}\n')
    (folder / "d.csv").write_text("persona,age\na nurse,3\na sailor,4\n")
    for name, second in [
        ("a.txt", "a sailor"),
        ("b.yaml", "age: 41; work: welder"),
        ("c.jsonl", "age: 7"),
        ("d.csv", "a sailor"),
    ]:
        ended = personascope(
            *("gym", "questions", "--personas", name, "--question-model", "openai/gpt-w"),
            *("--task", "expected-action", "--questions-per-task", "1", "-o", "-"),
            env=server.env,
        )
        assert ended.code == 0, ended.err
        assert [line["persona"] for line in answers_of(ended.out)] == ["a nurse", second], name


def test_a_task_of_ones_own_is_a_file(personascope, fake):
    server = fake(strict_reply)
    (personascope.folder / "warmth.yaml").write_text(WARMTH)
    ended = personascope(
        *("gym", "run", "--persona", "a nurse", "--tasks", "warmth.yaml", "--task", "warmth"),
        *("--task", "expected-action", "--questions-per-task", "2", "--model", MODEL, "--json"),
        *("--judge", "openai/gpt-judge", "--reader", "none"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    assert set(ended.json()["tasks"]) == {"Warmth", "Expected Action"}


def test_ready_made_questions_go_by_the_personas_text_not_by_its_id(personascope, fake):
    server = fake(strict_reply)
    first = json.loads((GYM / "questions.jsonl").read_text().splitlines()[0])["persona"]
    texts = {p["id"]: p["persona"] for p in answers_of(GYM / "personas.jsonl")}
    rows = [{"id": first, "persona": "a nurse"}, {"id": "mine", "persona": texts[first]}]
    (personascope.folder / "p.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    ended = personascope(
        *("gym", "questions", "--personas", "p.jsonl", "--questions-per-task", "1", "--json"),
        *("--question-model", "openai/gpt-w"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    assert ended.json()["exam"]["questions"] == {"ready-made": 1, "written": 1}


def test_a_folder_keeps_what_was_in_it(personascope, fake):
    server = fake(strict_reply)

    def write_for(*personas):
        ended = personascope(
            *("gym", "questions", "--question-model", "openai/gpt-w", "--questions", "exam"),
            *("--questions-per-task", "1", "--task", "expected-action"),
            *(word for persona in personas for word in ("--persona", persona)),
            env=server.env,
        )
        assert ended.code == 0, ended.err
        count = "1 persona" if len(personas) == 1 else f"{len(personas)} personas"
        assert ended.out == (f"protocol   strict\nquestions  written by openai/gpt-w for {count}\n"
                             f"files      {personascope.folder / 'exam'}\n")

    write_for("a/b")
    write_for("c/d", "index")
    folder = personascope.folder / "exam"
    assert sorted(json.loads((folder / "index.json").read_text()).values()) == ["a/b", "c/d", "index"]
    words = ("--model", MODEL, "--questions-per-task", "1", "--task", "expected-action")
    # Answers may stand beside the questions, and names as others write them are found.
    (folder / "a nurse .json").write_text('{"Expected Action": ["What do you do now?"]}')
    for _ in range(2):
        answered = personascope(
            *("gym", "answer", "--questions", "exam", "--responses", "exam", *words, "-o", "-"),
            env=server.env,
        )
        assert answered.code == 0, answered.err
        personas = {line["persona"] for line in answers_of(answered.out)}
        assert personas == {"a/b", "c/d", "index", "a nurse "}
    # A folder with some of the personas is neither taken from nor written over.
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ended = personascope(
        *("gym", "run", "--questions", "exam", "--persona", "a/b", "--persona", "new", *words),
        *("--judge", "openai/gpt-judge", "--reader", "none"),
        env=server.env,
    )
    assert ended.code == 2
    assert "has files for 1 of the 2 personas" in ended.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_answers_that_change_under_a_run_are_told(personascope, fake):
    server = fake(strict_reply)
    words = ("--questions-per-task", "2", "--task", "expected-action")
    answered = personascope(
        *("gym", "answer", "--limit", "1", "--model", MODEL, "--responses", "r", *words),
        env=server.env,
    )
    assert answered.code == 0, answered.err
    grade = ("gym", "grade", "--responses", "r", "--judge", "openai/gpt-judge", "--reader", "none")
    assert personascope(*grade, *words, "--max-calls", "1", env=server.env).code == 1
    file = next((personascope.folder / "r").glob("*_qa.json"))
    whole = file.read_text()
    file.write_text(whole.replace("I would", "I never would"))
    server.asked.clear()
    changed = personascope("resume", "2", "--max-calls", "99", env=server.env)
    assert changed.code == 2
    assert "have changed since the run was started" in changed.err
    assert server.asked == []
    file.write_text(whole)
    assert personascope("resume", "2", "--max-calls", "99", env=server.env).code == 0
