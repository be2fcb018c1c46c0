"""Scripted models for the lens, and how its commands are given them."""

import json

import pytest


def script(personascope, name, *rules):
    """A scripted model: pairs of a pattern on the last message and a reply."""
    path = personascope.folder / name
    path.write_text(json.dumps({"rules": [{"when": when, "reply": reply} for when, reply in rules]}))
    return f"scripted/{path}"


@pytest.fixture
def models(personascope):
    """A user who ends after the second turn, an assistant, and a judge."""
    user = script(personascope, "user.yaml", ("What can I do for you?", "Something for tomorrow, please. Olé."),
                  ("*", "That will do. TERMINATE"))
    assistant = script(personascope, "assistant.yaml", ("*That will do*", "Glad to help."), ("*", "Done: it is settled."))
    judge = script(personascope, "judge.yaml",
                   ("*Was the goal reached*", "It is settled.\nVerdict: True"),
                   ("*fit this particular user*", "Some of it.\nVerdict: 3"),
                   ("*living person*", "Curt.\nVerdict: 4"),
                   ("*attentive assistant*", "Short.\nVerdict: 2"),
                   ("*user's turns hang together*", "They do.\nVerdict: 5"),
                   ("*assistant's turns hang together*", "So it goes."),
                   ("*first message give away*", "No.\nVerdict: no"))
    return {"user": user, "assistant": assistant, "judge": judge}


def lens(personascope, models, command, *args, **rest):
    words = ["lens", command]
    if not command.startswith("gather"):
        words += ["--model", models["assistant"]]
    if command == "run" or command.startswith("generate"):
        words += ["--user-model", models["user"]]
    if command in ("run", "evaluate"):
        words += ["--judge", models["judge"]]
    return personascope(*words, *args, **rest)


def findings(ended):
    """What the run found, without how it came about."""
    found = ended.json()
    return {name: found[name] for name in ("dialogues", "audit", "dimensions", "users", "tasks", "contexts")}
