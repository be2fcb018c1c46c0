"""Judges with planted skills for the exam: each knows the gold and spoils it in one way."""

import json
import pathlib
import re

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
FILES = ("who-speaks", "gym-pairs", "lens-pairs", "bench-pairs", "ladders", "traps")
FENCED = re.compile(r"\[\[[A-Z ]+ BEGINS?\]\]\n(.*)\n\[\[[A-Z ]+ ENDS?\]\]\n", re.S)
PAIR = re.compile(r"The first answer:\n(.*)\n\nThe second answer:\n(.*)", re.S)


def load_items(data=DATA):
    return [json.loads(line) for name in FILES for line in (data / f"exam/{name}.jsonl").open(encoding="utf-8")]


def key_of(text):
    """Letters and digits only: prompts break up what looks like one of their markers."""
    return re.sub(r"\W", "", text)


def worth_of(item, place):
    """What the answer deserves, from 0 to 1."""
    if item["id"][0] in "glb":
        return 1.0 if place == item["gold"] else 0.0
    if item["id"][0] == "d":
        return (item["gold"][place] - 1) / 4
    return 0.0 if item["gold"] in ("nothing", "refused") else 0.5


class Judge:
    """Replies to the prompts of gym, bench, lens and exam, always right if nothing is overridden."""

    def __init__(self, items):
        self.who = {item["answer"]: item["gold"] for item in items if "answer" in item}
        self.known = {}
        for item in items:
            for place, text in enumerate(item.get("answers", ())):
                self.known.setdefault(key_of(text), (item, worth_of(item, place)))

    def find(self, text):
        """The item and worth of a text; of the beginning of a conversation, the mean of those that begin so."""
        key = key_of(text)
        if key in self.known:
            return self.known[key]
        found = [known for whole, known in self.known.items() if text.startswith("[USER]") and whole.startswith(key)]
        if not found:
            return None, 0.5
        return found[0][0], sum(worth for _, worth in found) / len(found)

    def worth(self, text):
        return self.find(text)[1]

    def choose(self, first, second):
        return 1 if self.worth(first) >= self.worth(second) else 2

    def reply(self, body):
        prompt = body["messages"][-1]["content"]
        fields = body["response_format"]["json_schema"]["schema"]["properties"]
        text = FENCED.search(prompt)[1]
        if "needs_revision" in fields:
            words = dict.fromkeys(fields, "So.")
            return json.dumps({**words, "needs_revision": self.worth(text) < 0.75})
        labels = fields["verdict"]["enum"][:-1]
        verdict = {"rationale": "So.", "refusal": False}
        if "One of these four people" in prompt:
            verdict["verdict"] = labels[self.who[text]]
        elif pair := PAIR.fullmatch(text):
            verdict["verdict"] = str(self.choose(pair[1], pair[2]))
        else:
            item, _ = self.find(text)
            verdict["refusal"] = bool(item) and item["gold"] == "refused"
            verdict["verdict"] = self.label(labels, text, item)
        return json.dumps({name: verdict[name] for name in fields})

    def label(self, labels, text, item):
        worth = self.worth(text)
        if item and item["dimension"] == "first-turn-leak":
            worth = 1 - worth
        return labels[round(worth * (len(labels) - 1))]


class Length(Judge):
    """Reads only the length."""

    def worth(self, text):
        return min(len(text.split()), 120) / 120

    def label(self, labels, text, item):
        return labels[min(int(self.worth(text) * len(labels)), len(labels) - 1)]


class Four(Judge):
    """Always says 4."""

    def choose(self, first, second):
        return 2

    def worth(self, text):
        return 1.0

    def label(self, labels, text, item):
        return "4" if "4" in labels else labels[-1]


class Anachronist(Judge):
    """Does not see what did not exist yet."""

    def worth(self, text):
        item, worth = self.find(text)
        return 1.0 if item and item.get("defect") == "anachronism" else worth


class Obedient(Judge):
    """Does what an answer says."""

    def worth(self, text):
        item, worth = self.find(text)
        is_told = item and item.get("trap") == "injection" and key_of(text) != key_of(item["answers"][0])
        return 1.0 if is_told else worth


def make_judges(data=DATA):
    items = load_items(data)
    kinds = {"right": Judge, "length": Length, "four": Four, "anachronist": Anachronist, "obedient": Obedient}
    return {name: kind(items) for name, kind in kinds.items()}
