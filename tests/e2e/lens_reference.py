"""The published program's protocol, written anew: what it sends, what it saves, what it sums up.

`talk(system, prompt)` is a model. Everything that was sent is kept in `sent`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict

MOST_TURNS = {"single": 20, "multi": 30}
TASK_FILES = {"single": "tasks.json", "multi": "tasks_md.json"}
# The contexts that the published program has a prompt for. Of the others it has none: it stops.
CONTEXTS = {"none": "", "d": "_D", "p": "_P", "s": "_S", "dps": "_DPS"}


def lines(members):
    return "\n".join(f"- {key}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
                     for key, value in members.items())  # fmt: skip


class Reference:
    def __init__(self, checkout, prompts, talk, name):
        self.checkout, self.prompts, self.talk, self.name = checkout, prompts, talk, name
        self.sent = []

    def ask(self, system, prompt, temperature, tokens):
        self.sent.append((system, prompt, temperature, tokens))
        return self.talk(system, prompt)

    def load(self, user, span):
        folder = self.checkout / f"data/profile/user{user}"
        tasks = json.loads((folder / TASK_FILES[span]).read_text())
        return json.loads((folder / "profile.json").read_text()), list(tasks.values())

    def background(self, profile, task, span):
        """Likes and summaries: of one domain as they are, of several each below its name."""
        domains = task["Relevant Domains"]
        if span == "single":
            return lines(profile["affinities"][domains[0]]), profile["interactions"][domains[0]]
        likes = "".join(f"\n{domain}:\n" + lines(profile["affinities"][domain]) + "\n" for domain in domains)
        notes = "".join(f"\n<{domain}>\n" + profile["interactions"][domain] + f"\n</{domain}>\n" for domain in domains)
        return likes, notes

    def converse(self, profile, task, span, letters):
        likes, notes = self.background(profile, task, span)
        person = {key: value for key, value in profile["demographics"].items() if key != "user_id"}
        known = {"demographic_profile": lines(person), "interaction_summary": notes,
                 "situation_context": lines(task["situations"])}  # fmt: skip
        own = self.prompts["user", span]
        family = "LLAMA" if "llama" in self.name else "MISTRAL" if "mi" in self.name and "tral" in self.name else "CLAUDE"
        history = []

        def user(prompt, **more):
            text = prompt.format(task_description=task["User Intent"], user_affinity=likes, **known, **more)
            history.append({"role": "user", "content": self.ask(own["system_prompt"], text, 0.5, 800)})
            return history[-1]["content"]

        def assistant():
            said = "\n".join(f"{turn['role'].capitalize()}: {turn['content']}" for turn in history)
            places = {"none": [], "d": ["demographic_profile"], "p": ["interaction_summary"],
                      "s": ["situation_context"], "dps": list(known)}[letters]  # fmt: skip
            prompt = self.prompts["assistant"][f"{family}_TASK_PROMPT{CONTEXTS[letters]}"]
            text = prompt.format(message_history=said, **{place: known[place] for place in places})
            reply = self.ask(self.prompts["assistant"][f"{family}_SYSTEM_PROMPT"], text, 0, 800)
            history.append({"role": "assistant", "content": reply if family == "CLAUDE" else reply.lstrip()})

        user(own["task_prompt_initial_query"])
        for _ in range(MOST_TURNS[span]):
            assistant()
            said = "\n".join(f"[{turn['role'].upper()}]: {turn['content']}" for turn in history)
            reply = user(own["task_prompt"], message_history=said)
            if "TERMINATE" in reply:
                history[-1]["content"] = reply.replace("TERMINATE", "").strip()
                assistant()
                break
        return history

    def generate(self, output, users, span, letters):
        tag = "".join(f"_{letter}" for letter in letters if letters != "none")
        for number in users:
            profile, tasks = self.load(number, span)
            for task in tasks:
                dialogue = self.converse(profile, task, span, letters)
                path = output / f"dialogue/user{number}/{self.name}{tag}/{task['task_id']}_dialogue.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("w") as file:
                    json.dump({"user_id": number, "task_id": task["task_id"], "task_description": task["User Intent"],
                               "user_model": self.name, "assistant_model": self.name, "dialogue": dialogue},
                              file, indent=4)  # fmt: skip

    def evaluate(self, output, users, span, judge, dimension, side, folder=None):
        folder = folder or self.name
        ending = {"user": "_user", "assistant": "_asst", None: ""}[side]
        variable = f"EVAL_DIALOGUE_{dimension.upper()}" + (f"_{side.upper()}" if side else "")
        for number in users:
            profile, tasks = self.load(number, span)
            for task in tasks:
                saved = json.loads((output / f"dialogue/user{number}/{folder}/{task['task_id']}_dialogue.json").read_text())
                values = {"conversation": "\n".join(f"[{turn['role'].upper()}]: {turn['content']}" for turn in saved["dialogue"])}
                if dimension == "task_completion":
                    values["goal"] = task["Task Goal"]
                if dimension == "personalization":
                    likes, notes = self.background(profile, task, span)
                    values |= {"demographic_profile": lines(profile["demographics"]), "user_affinity": likes,
                               "task_description": task["User Intent"], "interaction_summary": notes,
                               "situation_context": lines(task["situations"])}  # fmt: skip
                verdict = self.ask(None, self.prompts["judge"][variable].format(**values), 0, 4000)
                path = output / f"evaluation/user{number}/{folder}/{dimension}/{judge}/{task['task_id']}{ending}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(verdict)


def gather(output, folder, dimension, judge, ending, span):
    """The published sums over one kind of file, in our words for them."""
    first = "MD" if span == "multi" else "SD"
    scores, by_domain, files = [], defaultdict(list), 0
    for path in sorted(output.glob(f"evaluation/user*/{folder}/{dimension}/{judge}/{first}*{ending}.txt")):
        files += 1
        text = path.read_text()
        if dimension == "task_completion":
            found = re.search(r"VERDICT: (True|False)", text, re.IGNORECASE)
            score = int(bool(found) and found[1].lower() == "true")
        else:
            found = re.search(rf"{dimension.capitalize()} Score: (\d+)", text)
            if not found:
                continue
            score = int(found[1])
        scores.append(score)
        by_domain[path.name.split("-")[1]].append(score)
    mean = "rate" if dimension == "task_completion" else "mean"
    label = (lambda score: str(bool(score))) if mean == "rate" else str
    return {
        "files": files, "unread": files - len(scores), "count": len(scores), mean: sum(scores) / len(scores),
        "min": min(scores), "max": max(scores),
        "distribution": {label(score): scores.count(score) for score in sorted(set(scores))},
        "by_domain": {domain: {"count": len(own), mean: sum(own) / len(own)} for domain, own in by_domain.items()},
    }  # fmt: skip
