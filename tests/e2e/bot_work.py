"""A bot whose quality a test sets, behind one address: what a redeployment in CI looks like."""

import json
import time

from fake_openai import user_text
from gym_work import MODEL, draw, make_questions

PERSONAS = [f"a {trade} from the valley" for trade in
            ("cook", "nurse", "pilot", "poet", "clerk", "diver", "smith", "judge", "baker", "miner")]  # fmt: skip
REFUSAL = "As an AI language model, I cannot have personal experiences or opinions."


class Bot:
    """`quality` is the score that its answers get; of `refusing` questions it refuses one."""

    def __init__(self):
        self.quality = 4
        self.refusing = 0
        self.broken_judge = False
        self.words = "first"
        self.delay = 0

    def reply(self, body):
        time.sleep(self.delay)
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        members = schema.get("properties", {})
        if "1" in members:
            return json.dumps({str(i): f"An example of {i}." for i in range(1, 6)})
        if members:
            return self.judge(body, members)
        question = user_text(body)
        if self.refusing and draw(question, self.refusing) == 0:
            return REFUSAL
        spread = draw(question, 3, self.words) - 1 if 1 < self.quality < 5 else 0
        return f"I would do my work as always, quality {self.quality + spread}, {self.words}."

    def judge(self, body, members):
        if self.broken_judge:
            return "no idea"
        answer = user_text(body).split("[[ANSWER BEGINS]]\n")[-1].split("\n[[ANSWER ENDS]]")[0]
        verdict = answer.split("quality ")[1][0] if "quality " in answer else "1"
        value = {}
        for name, member in members.items():
            is_flag = member.get("type") == "boolean"
            value[name] = False if is_flag else verdict if "enum" in member or name == "verdict" else "So."
        return json.dumps(value)


def asked_of(server, model):
    return [body for body in server.asked if body["model"] == model]


class Pipeline:
    """Runs of the gym against the bot, as a CI job makes them."""

    def __init__(self, personascope, fake):
        self.program = personascope
        self.bot = Bot()
        self.server = fake(self.bot.reply)
        make_questions(personascope.folder / "questions", PERSONAS)

    def run(self, *args):
        return self.program(
            *("gym", "run", "--questions", "questions", "--questions-per-task", 2, "--model", MODEL),
            *("--judge", "openai/gpt-judge", "--reader", "none", "--canaries", 0, *args),
            env=self.server.env, timeout=120)  # fmt: skip

    def bot_calls(self):
        return len(asked_of(self.server, MODEL.split("/")[1]))
