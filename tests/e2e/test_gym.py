"""The gym: both protocols against numbers worked out here, its files, its flags, its bad inputs."""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import statistics

import pytest

from fake_openai import FakeOpenAi, system_text, user_text
from harness import answers_of

GYM = pathlib.Path(__file__).parents[2] / "data" / "gym"
TASKS = {
    "expected-action": "Expected Action",
    "toxicity-control": "Toxicity Control",
    "linguistic-habits": "Linguistic Habits",
    "persona-consistency": "Persona Consistency",
    "action-justification": "Action Justification",
}
FILE_KEYS = {**TASKS, "toxicity-control": "Toxicity"}
MODEL = "openai/gpt-tested"
JUDGES = ["openai/gpt-judge", "together/meta-llama/judge"]


def draw(text, below, salt=""):
    """A number that depends on the text alone."""
    return int(hashlib.sha256((salt + text).encode()).hexdigest(), 16) % below


@pytest.fixture
def fake():
    servers = []

    def start(reply):
        servers.append(FakeOpenAi(reply))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def judge_words(judges=JUDGES):
    return [word for judge in judges for word in ("--judge", judge)]


# ---- the published program's way, written anew from its description ----


def published_grades(reply):
    blocks = re.findall(r"\(\d+\) Evaluation:(.*?)(?=\(\d+\) Evaluation:|$)", reply, re.DOTALL)
    grades = []
    for block in blocks:
        found = re.search(r"Therefore, the final score is\s*(\d+)", block)
        grades.append(int(found[1]) if found else 0)
    return grades


def published_average(grades):
    read = len(grades) - grades.count(0)
    return sum(grades) / read if read else sum(grades)


def published_examples(reply):
    found = re.findall(
        r'Score (\d+): *Response - *"?(.*?)"?(?=\n*Score \d+: *Response -|$)', reply, re.S
    )
    text = "\n\n".join(f'Score {score}: "{response.strip()}"' for score, response in found)
    return "\n\n".join(line for line in text.split("\n") if line.startswith("Score"))


def reference_template(name):
    return (GYM / "reference" / name).read_bytes().decode()


class Published:
    """Plays every model, and knows what the published program would have made of it."""

    def __init__(self, seed=""):
        self.seed = seed
        self.grading_system = reference_template("grading-system.txt")

    def reply(self, body):
        prompt = user_text(body)
        if body.get("temperature") == 0.9:
            return f"It's what I'd do: {draw(prompt, 10**6)} — \"surely\"\n\ttrue."
        if prompt.startswith(reference_template("examples.txt").split("{")[0]):
            return "\n".join(
                f"Rubric {i} Examples:\n"
                + "\n\n".join(f"Score {s}:  Response - \"it's {i}{s}\"" for s in range(1, 6))
                for i in range(1, 6)
            )
        # A grade for each answer; some replies lack a block, some a number, some go off the scale.
        odd = draw(prompt, 7, body["model"] + self.seed)
        blocks = []
        for i in range(1, 6):
            score = 1 + draw(prompt, 5, f"{body['model']}{i}{self.seed}")
            if odd == i:
                score = [45, "**4**", "unclear"][draw(prompt, 3, self.seed)]
            blocks.append(f"({i}) Evaluation: It says so. Therefore, the final score is {score}.\n")
        return "" if odd == 6 else "".join(blocks)


def make_questions(folder, personas):
    folder.mkdir()
    for persona in personas:
        questions = {
            key: [f"Q{i} of {key}: what does \"{persona}\" do, or isn't it clear?" for i in range(10)]
            for key in FILE_KEYS.values()
        }
        (folder / f"{persona}.json").write_text(json.dumps(questions))
    return folder


@pytest.mark.parametrize("as_published", [False, True])
def test_reference_protocol_equals_the_published_arithmetic_to_the_last_digit(
    personascope, fake, as_published
):
    played = Published()
    server = fake(played.reply)
    personas = ["a lighthouse keeper's daughter", "A \"poet\""]
    folder = make_questions(personascope.folder / "questions", personas)
    ended = personascope(
        *("gym", "run", "--questions", folder, "--model", MODEL, *judge_words(), "--json"),
        *("--protocol", "reference", "--scores", "scores.json", "--responses", "answers"),
        *("--fail-on-error", "1000"),
        *(["--as-published"] if as_published else []),
        env=server.env,
        timeout=120,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    # 2 personas x 5 tasks x 2 batches: 1 example call and 2 grades each, and 100 answers.
    assert len(server.asked) == 100 + 20 * 3
    asked = {(body["model"], user_text(body)): body for body in server.asked}
    assert len(asked) == len(server.asked)

    system = reference_template("persona-system.txt")
    expected = {}
    for persona in personas:
        questions = json.loads((folder / f"{persona}.json").read_text())
        written = json.loads((personascope.folder / "answers" / f"{persona}_qa.json").read_text())
        task_scores = {}
        for id, name in TASKS.items():
            pairs = []
            for question in questions[FILE_KEYS[id]]:
                body = asked["gpt-tested", question]
                assert system_text(body) == system.format(persona=persona)
                assert (body["top_p"], body["frequency_penalty"]) == (0.9, 0)
                pairs.append([question, played.reply(body)])
            assert written[FILE_KEYS[id]] == pairs
            rubric = reference_template(f"rubrics/{id}.txt")
            scores = []
            for begin in (0, 5):
                batch = pairs[begin : begin + 5]
                items = [
                    reference_template("examples-item.txt").format(
                        persona=persona, question=question, rubric=rubric
                    )
                    for question, _ in batch
                ]
                prompt = reference_template("examples.txt").format(rubrics=items)
                reply = played.reply(asked["gpt-judge", prompt])
                if as_published:
                    examples = published_examples(reply)
                else:
                    parts = re.split(r"Rubric \d+ Examples:", reply)[1:]
                    examples = [published_examples(part) for part in parts]
                filled = [
                    rubric.format(
                        persona=persona, question=q, response=a, score_example=examples[i]
                    )
                    for i, (q, a) in enumerate(batch)
                ]
                prompt = reference_template("grading.txt").format(rubrics=filled)
                averages = []
                for model in ("gpt-judge", "meta-llama/judge"):
                    body = asked[model, prompt]
                    has_system = system_text(body) == played.grading_system
                    assert has_system == (model == "gpt-judge")
                    averages.append(published_average(published_grades(played.reply(body))))
                scores.append(sum(averages) / len(averages))
            task_scores[name] = sum(scores) / len(scores)
        overall = 0
        for name in task_scores:
            overall += task_scores[name]
        expected[persona] = (task_scores, overall / len(task_scores))

    for row in result["reference"]["personas"]:
        task_scores, overall = expected[row["persona"]]
        assert row["tasks"] == task_scores
        assert row["PersonaScore"] == overall
    scores = json.loads((personascope.folder / "scores.json").read_text())
    assert list(scores) == [*TASKS.values(), "PersonaScore"]
    assert scores["PersonaScore"] == sum(e[1] for e in (expected[p] for p in sorted(personas))) / 2
    assert result["protocol"] == "reference"


# ---- the strict protocol ----


def strict_reply(body):
    """Answers, examples and verdicts; the verdict depends on the answer that is judged."""
    prompt = user_text(body)
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    members = schema.get("properties", {})
    if "questions" in members:
        count = members["questions"]["minItems"]
        return json.dumps({"questions": [f"What would you do first, number {i}?" for i in range(count)]})
    if "environments" in members:
        return json.dumps({"environments": members["environments"]["items"]["enum"][:3]})
    if "1" in members:
        return json.dumps({str(i): f"An example of {i}." for i in range(1, 6)})
    if members:
        answer = prompt.split("[[ANSWER BEGINS]]\n")[-1].split("\n[[ANSWER ENDS]]")[0]
        verdict = "1" if answer in ("", ":", "Thought process:") else str(grade_of(body["model"], answer))
        value = {}
        for name, member in members.items():
            value[name] = verdict if "enum" in member or name == "verdict" else "Because."
        return json.dumps(value)
    return f"I would: {draw(prompt + (system_text(body) or ''), 10**9)}"


def grade_of(model, answer):
    return 1 + draw(answer, 5, model)


def test_strict_protocol_counts_and_averages_every_verdict(personascope, fake):
    server = fake(strict_reply)
    ended = personascope(
        *("gym", "run", "--limit", "6", "--questions-per-task", "3", "--model", MODEL),
        *(*judge_words(["openai/gpt-judge", "openai/gpt-other"]), "-o", "items.jsonl", "--json"),
        *("--canaries", "1", "--reader", "none"),
        env=server.env,
        timeout=120,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    items = answers_of(personascope.folder / "items.jsonl")
    assert len(items) == 6 * 5 * 3
    assert result["outcomes"] == {
        "scored": 90,
        "cannot_assess": 0,
        "refused": 0,
        "failed": 0,
        "low_mass": 0,
    }
    by_persona = {}
    for item in items:
        score = statistics.mean(grade_of(m, item["answer"]) for m in ("gpt-judge", "gpt-other"))
        assert item["score"] == score, item
        assert "An example of 3." in item["examples"]
        by_persona.setdefault(item["persona"], {}).setdefault(item["task"], []).append(score)
    personas = {}
    for persona, tasks in by_persona.items():
        personas[persona] = statistics.mean(statistics.mean(scores) for scores in tasks.values())
    for row in result["personas"]:
        assert row["persona_score"] == pytest.approx(personas[row["persona"]], abs=1e-12)
    score = result["persona_score"]
    assert score["mean"] == pytest.approx(statistics.mean(personas.values()), abs=1e-12)
    assert score["sd"] == pytest.approx(statistics.stdev(personas.values()), abs=1e-12)
    assert score["clusters"] == 6
    assert score["ci95"][0] < score["mean"] < score["ci95"][1]
    for name in TASKS.values():
        every = [s for tasks in by_persona.values() for s in tasks[name]]
        assert result["tasks"][name]["mean"] == pytest.approx(statistics.mean(every), abs=1e-12)
        assert result["tasks"][name]["n"] == 18
    # 90 answers, 90 example calls, 2 x (90 + 4 canaries) verdicts, and each of them once.
    assert len(server.asked) == 90 + 90 + 2 * 94
    assert result["cost_usd"] is None and result["usage"]["calls"] == len(server.asked)
    # The same again costs nothing and gives the same.
    again = personascope(
        *("gym", "run", "--limit", "6", "--questions-per-task", "3", "--model", MODEL),
        *(*judge_words(["openai/gpt-judge", "openai/gpt-other"]), "-o", "again.jsonl", "--json"),
        *("--canaries", "1", "--reader", "none"),
        env=server.env,
        timeout=120,
    )
    assert again.json()["session"]["sent"] == 0
    assert (personascope.folder / "again.jsonl").read_bytes() == (
        personascope.folder / "items.jsonl"
    ).read_bytes()


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


@pytest.mark.parametrize(
    "lists, said",
    [
        (["What would you do first?"], "1 questions were written instead of 2"),
        ([f"What would you do, {i}?" for i in range(3)], "3 questions were written instead of 2"),
        (["What would you do now?"] * 2, "was written twice"),
        (["Was würdest du zuerst tun, wenn der Turm brennt und niemand hilft?"] * 2, "language"),
    ],
)
def test_a_bad_list_of_questions_is_tried_again_and_then_an_outcome(
    personascope, fake, lists, said
):
    def reply(body):
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        if "questions" not in schema.get("properties", {}):
            return strict_reply(body)
        return json.dumps({"questions": lists})

    server = fake(reply)
    ended = personascope(
        *("gym", "run", "--persona", "the keeper of a lighthouse in the north", "--model", MODEL),
        *("--question-model", "openai/gpt-writer", "--judge", "openai/gpt-judge"),
        *("--questions-per-task", "2", "--task", "expected-action", "--reader", "none"),
        *("-o", "items.jsonl", "--json"),
        env=server.env,
    )
    assert ended.code == 1
    assert ended.json()["outcomes"]["failed"] == 2
    items = answers_of(personascope.folder / "items.jsonl")
    assert [item["outcome"] for item in items] == ["failed", "failed"]
    assert items[0]["error"]["kind"] == "unparsable"
    if "instead" not in said:  # a wrong count does not fit the schema either, which says so
        assert said in items[0]["error"]["message"]
    writes = [body for body in server.asked if body["model"] == "gpt-writer"]
    assert 1 + 5 <= len(writes) <= 1 + 15


def test_a_refusal_is_an_outcome_of_its_own(personascope, fake):
    def reply(body):
        text = strict_reply(body)
        if body["model"] == "gpt-tested" and draw(user_text(body), 2):
            return "As an AI language model, I have no persona."
        return text

    server = fake(reply)
    ended = personascope(
        *("gym", "run", "--limit", "2", "--questions-per-task", "4", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--json"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    assert 0 < result["outcomes"]["refused"] < 40
    assert result["outcomes"]["refused"] + result["outcomes"]["scored"] == 40
    assert sum(t["outcomes"]["refused"] for t in result["tasks"].values()) == (
        result["outcomes"]["refused"]
    )


def test_the_published_programs_flags_work(personascope, fake):
    played = Published()
    server = fake(played.reply)
    persona = "a retired nurse"
    (personascope.folder / "questions").mkdir()
    make_questions(personascope.folder / "questions" / "mine", [persona])
    ended = personascope(
        *("gym", "run", "--persona_list", f"['{persona}']", "--model", "gpt-tested"),
        *("--saved_questions", "mine", "--model_name", "tested", "--save_name", "first"),
        *("--fail-on-error", "1000"),
        *("--protocol", "reference", "--judge", "gpt-judge", "--judge", "meta-llama/judge"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    assert (personascope.folder / "results" / "tested" / f"{persona}_qa.json").is_file()
    first = json.loads((personascope.folder / "scores" / "first" / "scores.json").read_text())
    graded = personascope(
        *("gym", "run", "--persona_list", f'["{persona}"]', "--saved_responses", "results/tested"),
        *("--protocol", "reference", "--judge", "gpt-judge", "--judge", "meta-llama/judge"),
        *("--save_name", "second", "--model", "gpt-tested", "--fail-on-error", "1000"),
        env=server.env,
    )
    assert graded.code == 0, graded.err
    second = json.loads((personascope.folder / "scores" / "second" / "scores.json").read_text())
    assert first == second


def test_a_run_goes_on_where_it_stopped_and_only_the_judge_is_asked_again(personascope, fake):
    server = fake(strict_reply)
    words = (
        *("gym", "run", "--limit", "2", "--questions-per-task", "2", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--canaries", "0"),
    )
    stopped = personascope(*words, "-o", "items.jsonl", "--max-calls", "17", env=server.env)
    assert stopped.code == 1
    asked = len(server.asked)
    assert asked == 17
    resumed = personascope("resume", "1", "--max-calls", "99", "--json", env=server.env)
    assert resumed.code == 0, resumed.err
    assert len(server.asked) == 20 * 3
    assert len(answers_of(personascope.folder / "items.jsonl")) == 20
    shown = personascope("show", "1")
    assert "PersonaScore" in shown.out
    server.asked.clear()
    again = personascope("rescore", "1", "-o", "again.jsonl", "--max-calls", "99", "--json", env=server.env)
    assert again.code == 0, again.err
    assert len(server.asked) == 20 * 2  # examples and verdicts
    assert again.json()["persona_score"] == resumed.json()["persona_score"]


def test_two_stored_runs_can_be_compared(personascope, fake):
    server = fake(strict_reply)
    for model in ("openai/gpt-one", "openai/gpt-two"):
        ended = personascope(
            *("gym", "run", "--limit", "6", "--questions-per-task", "2", "--model", model),
            *("--judge", "openai/gpt-judge", "--reader", "none", "-o", f"{model[-3:]}.jsonl"),
            env=server.env,
        )
        assert ended.code == 0, ended.err
    scores = {}
    for name in ("one", "two"):
        for item in answers_of(personascope.folder / f"{name}.jsonl"):
            scores.setdefault(item["id"], []).append(item["score"])
    result = personascope("compare", "1", "2", "--json").json()
    assert result["items"] == 60 and result["clusters"] == 6
    means = [run["mean"]["value"] for run in result["runs"]]
    assert means == pytest.approx([statistics.mean(c) for c in zip(*scores.values())])
    assert personascope("compare", "1").code == 2
    missing = personascope("compare", "1", "9")
    assert missing.code == 2 and "no run 9" in missing.err


@pytest.mark.parametrize("limit, code", [("1", 0), ("5.1", 100)])
def test_a_score_under_the_threshold_ends_with_100(personascope, fake, limit, code):
    server = fake(strict_reply)
    ended = personascope(
        *("gym", "run", "--limit", "2", "--questions-per-task", "1", "--model", MODEL),
        *("--judge", "openai/gpt-judge", "--reader", "none", "--fail-under", limit),
        env=server.env,
    )
    assert ended.code == code, ended.err
    assert ("is under 5.1" in ended.err) == (code == 100)


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
    (personascope.folder / "warmth.yaml").write_text(
        "name: Warmth\nversion: 1\nasks: Is it warm?\nscale: [1, 2, 3, 4, 5]\n"
        "criteria: {1: cold, 2: cool, 3: mild, 4: warm, 5: hot}\n"
        "question_guidance: [Asks for a welcome.]\n"
    )
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


def test_refusals_are_counted_under_the_reference_protocol_too(personascope, fake):
    played = Published()

    def reply(body):
        if body.get("temperature") == 0.9:
            return "As an AI, I have no persona." if draw(user_text(body), 2) else "I would."
        return played.reply(body)

    server = fake(reply)
    folder = make_questions(personascope.folder / "questions", ["a nurse"])
    ended = personascope(
        *("gym", "run", "--questions", folder, "--model", MODEL, *judge_words(), "--json"),
        *("--protocol", "reference", "--fail-on-error", "1000"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    files = json.loads((folder / "a nurse.json").read_text())
    assert result["outcomes"]["refused"] == sum(
        draw(question, 2) for questions in files.values() for question in questions
    )
    assert result["reference"]["PersonaScore"] > 0


def test_an_estimate_sends_nothing(personascope, fake):
    server = fake(strict_reply)
    ended = personascope(
        *("estimate", "gym", "run", "--limit", "3", "--model", MODEL, *judge_words(), "--json"),
        *("--reader", "none"),
        env=server.env,
    )
    assert ended.code == 0, ended.err
    calls = {part["model"]: part["calls"] for part in ended.json()["parts"]}
    assert calls == {
        "openai/gpt-tested (answers)": 150,
        "openai/gpt-judge (examples)": 150,
        "openai/gpt-judge (grades)": 158,
        "together/meta-llama/judge (grades)": 158,
    }
    assert server.asked == []


@pytest.mark.parametrize(
    "words, said",
    [
        (["--persona", " "], "--persona is empty"),
        (["--persona", "a", "--persona", "a"], "is given twice"),
        (["--personas", "nowhere.txt"], "nowhere.txt"),
        (["--personas", "latin1.txt"], "is not in UTF-8"),
        (["--persona_list", "import os"], "must be a list of texts"),
        (["--persona_list", '["a nurse", " "]'], "must be a list of texts"),
        (["--task", "singing"], "there is no task singing"),
        (["--task", "toxicity", "--task", "toxicity-control"], "is named twice"),
        (["--tasks", "two.yaml"], "their mean would say nothing"),
        (["--responses", "two.yaml/answers"], "cannot be made"),
        (["--questions", "two.yaml/exam"], "cannot be made"),
        (["--scores", "two.yaml/scores.json"], "two.yaml"),
        (["--questions", "broken"], "index.json"),
        (["--saved_responses", "answers", "--epochs", "2"], "--epochs"),
        (["--benchmark", "nothing"], "there is no pack nothing"),
        (["--benchmark", "../x"], "there is no pack ../x"),
        (["--as-published"], "--protocol reference"),
        (["--judge", "openai/gpt-judge"], "named twice"),
        (["--questions-per-task", "11"], "ask for fewer"),
        (["--saved_responses", "nowhere"], "nowhere"),
        (["--tasks", "nowhere.yaml"], "nowhere.yaml"),
        (["--reader", "openai/gpt-4o"], "likel"),
        (["--protokol", "strict"], "did you mean --protocol"),
    ],
)
def test_bad_input_is_said_before_anything_is_spent(personascope, fake, words, said):
    server = fake(strict_reply)
    (personascope.folder / "two.yaml").write_text(
        "name: Warmth\nversion: 1\nasks: Is it warm?\nscale: [0, 1]\ncriteria: {0: no, 1: yes}\n"
    )
    (personascope.folder / "latin1.txt").write_bytes(b"the owner of a caf\xe9\n")
    (personascope.folder / "broken").mkdir()
    (personascope.folder / "broken" / "index.json").write_text("[1]")
    (personascope.folder / "answers").mkdir()
    (personascope.folder / "answers" / "a nurse_qa.json").write_text("{}")
    ended = personascope(
        *("gym", "run", "--model", MODEL, "--judge", "openai/gpt-judge", *words), env=server.env
    )
    assert ended.code == 2, ended.err
    assert said in ended.err
    assert server.asked == []
    assert personascope("runs", "--json").json()["runs"] == []


def test_it_runs_on_the_embedded_model(personascope):
    ended = personascope(
        *("gym", "run", "--persona", "a high school physics teacher", "--task", "expected-action"),
        *("--questions-per-task", "1", "--max-output-tokens", "24", "--readings", "1"),
        *("--controls", "1", "--canaries", "0", "--json"),
        timeout=300,
    )
    assert ended.code == 0, ended.err
    result = ended.json()
    assert result["model"] == result["judges"][0] == "embedded/smollm2-135m"
    assert result["exam"]["questions"] == {"written": 1}
    assert any("wrote its own exam" in note for note in result["notes"])
    assert any("tiny model" in note for note in result["notes"])
    assert result["likelihood"]["answers"]["lift"]["n"] == 1
    assert result["outcomes"]["scored"] == 1
