"""The gym's reference protocol, against the published program's way, written anew from its description."""

import json
import re

import pytest

from fake_openai import system_text, user_text
from gym_work import FILE_KEYS, GYM, MODEL, TASKS, draw, judge_words, make_questions


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
