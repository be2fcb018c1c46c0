"""What the tests of the gym share: its tasks, ready-made questions, and models that answer by rule."""

import hashlib
import json
import pathlib

from fake_openai import system_text, user_text

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


def judge_words(judges=JUDGES):
    return [word for judge in judges for word in ("--judge", judge)]


def make_questions(folder, personas):
    folder.mkdir()
    for persona in personas:
        questions = {
            key: [f"Q{i} of {key}: what does \"{persona}\" do, or isn't it clear?" for i in range(10)]
            for key in FILE_KEYS.values()
        }
        (folder / f"{persona}.json").write_text(json.dumps(questions))
    return folder


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
            is_flag = member.get("type") == "boolean"
            value[name] = False if is_flag else verdict if "enum" in member or name == "verdict" else "Because."
        return json.dumps(value)
    return f"I would: {draw(prompt + (system_text(body) or ''), 10**9)}"


def grade_of(model, answer):
    return 1 + draw(answer, 5, model)
