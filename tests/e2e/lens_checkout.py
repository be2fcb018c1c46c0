"""A copy of the published program's repository in form: users of ours, prompts of our own words."""

from __future__ import annotations

import json

PROFILE = "{task_description}|{demographic_profile}|{user_affinity}|{interaction_summary}|{situation_context}"
ALL = {"D": "{demographic_profile}", "P": "{interaction_summary}", "S": "{situation_context}"}


def make_prompts():
    prompts = {"assistant": {}, "judge": {}}
    for span in ("single", "multi"):
        prompts["user", span] = {
            "system_prompt": f"Play the user ({span}). {{Braces}} and \"quotes\" stay — olé.\n",
            "task_prompt_initial_query": f"\nOpen ({span}):\n{PROFILE}\n{{{{now}}}}",
            "task_prompt": f"Go on ({span}):\n{PROFILE}\n<h>\n{{message_history}}\n</h>\n",
        }  # fmt: skip
    for family in ("CLAUDE", "LLAMA", "MISTRAL"):
        prompts["assistant"][f"{family}_SYSTEM_PROMPT"] = f"Assist as {family} {{do}}.\n"
        for letters in ("", "D", "P", "S", "DPS"):
            known = "\n".join(ALL[letter] for letter in letters)
            prompts["assistant"][f"{family}_TASK_PROMPT" + (f"_{letters}" if letters else "")] = (
                f"{family} {letters}\n{known}\n\n{{message_history}}\n\\end")
    for dimension in ("NATURALNESS", "COHERENCE"):
        for side in ("USER", "ASSISTANT"):
            prompts["judge"][f"EVAL_DIALOGUE_{dimension}_{side}"] = f"{dimension} {side} {{{{1-5}}}}\n{{conversation}}\n"
    prompts["judge"]["EVAL_DIALOGUE_TASK_COMPLETION"] = "TASK\n{conversation}\n{goal}\nVERDICT: \n"
    prompts["judge"]["EVAL_DIALOGUE_PERSONALIZATION"] = f"PERSONALIZATION\n{PROFILE}\n{{conversation}}"
    return prompts


def quote(text):
    return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'


def write_program(root, prompts):
    """The Python files, with what else stands in such files; nothing of them can be run."""
    for span, name in (("single", "src/generate_dialogue.py"), ("multi", "src/generate_dialogue_md.py")):
        text = "import nothing_like_it\n\nclass Client:\n    def __init__(self, system_prompt=\"\"):\n        self.system_prompt = system_prompt\n\n"
        text += "class UserWords:\n    def __init__(self):\n"
        for variable, prompt in prompts["user", span].items():
            text += f"        self.{variable} = {quote(prompt)}\n\n"
        text += "class AssistantWords:\n    def __init__(self, task_prompt):\n        self.task_prompt = task_prompt\n"
        write(root / name, text)
    for name, side in (("assistant", "assistant"), ("evaluation", "judge")):
        write(root / f"util/{name}_prompts.py",
              "".join(f"{variable} = {quote(prompt)}\n\n" for variable, prompt in prompts[side].items()))  # fmt: skip


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def publish(task_id):
    """Our ps-Alarm-1 and ps-multi-1 as the published program names its tasks."""
    domain, number = task_id.removeprefix("ps-").rsplit("-", 1)
    return f"MD-task-{number}" if domain == "multi" else f"SD-{domain}-task-{number}"


def make_checkout(personascope, users="0-2", tasks=2):
    """A copy with a few tasks of each user, and with characters that must come through."""
    root = personascope.folder / "copy"
    assert personascope("lens", "profiles", "--users", users, "-o", root / "data").code == 0
    for folder in sorted((root / "data/profile").iterdir()):
        for name in ("tasks.json", "tasks_md.json"):
            some = dict(list(json.loads((folder / name).read_text()).items())[:tasks])
            for task in some.values():
                task["User Intent"] += " {as} “you” like\tit"
                task["task_id"] = publish(task["task_id"])
            write(folder / name, json.dumps(some, indent=4))
        profile = json.loads((folder / "profile.json").read_text())
        profile["interactions"] = {domain: text + "\n {message_history} 🙂" for domain, text in profile["interactions"].items()}
        profile["interests"]["Buses**"] = 0
        write(folder / "profile.json", json.dumps(profile, indent=4))
    prompts = make_prompts()
    write_program(root, prompts)
    return root, prompts
