"""The templates in the published programs' shapes can be filled by str.format with exactly their fields."""

import re
import string

import pytest
from content_checks import DATA, TYPOGRAPHIC, check_breakage, check_clean, found, load_yaml

FIELDS = {
    "gym/reference/persona-system.txt": {"persona"},
    "gym/reference/choose-environments.txt": {"persona", "settings_list"},
    "gym/reference/write-questions.txt": {"persona", "settings", "num_questions", "task", "description"},
    "gym/reference/examples-item.txt": {"persona", "question", "rubric"},
    "gym/reference/examples.txt": {"rubrics"},
    "gym/reference/grading.txt": {"rubrics"},
    "gym/reference/grading-system.txt": set(),
}
PROFILE = {"demographics", "affinities", "summary", "situation", "task"}
FIELDS |= {
    "lens/reference/user-system.txt": set(),
    "lens/reference/user-multi-system.txt": set(),
    "lens/reference/user-first.txt": PROFILE | {"domain"},
    "lens/reference/user-multi-first.txt": PROFILE | {"domains"},
    "lens/reference/user.txt": PROFILE | {"domain", "history"},
    "lens/reference/user-multi.txt": PROFILE | {"domains", "history"},
    "lens/reference/assistant-system.txt": set(),
    "lens/reference/assistant.txt": {"known", "history"},
    "lens/reference/judge-task-completion.txt": {"goal", "conversation"},
    "lens/reference/judge-personalization.txt": PROFILE | {"conversation"},
}
TASKS = ["expected-action", "toxicity-control", "linguistic-habits", "persona-consistency", "action-justification"]
RUBRICS = {f"gym/reference/rubrics/{task}.txt": task for task in TASKS}
FIELDS |= {name: {"persona", "question", "response", "score_example"} for name in RUBRICS}
TALK = [f"{kind}-{who}" for kind in ("naturalness", "coherence") for who in ("user", "assistant")]
FIELDS |= {f"lens/reference/judge-{rubric}.txt": {"task", "conversation"} for rubric in TALK}
LENS_RUBRICS = {f"lens/reference/judge-{rubric}.txt": rubric for rubric in ["task-completion", "personalization", *TALK]}
CLOSING = "Therefore, the final score is"
SHAPES = {
    "gym/reference/examples.txt": ["Rubric 1 Examples:\nScore 1:  Response - ", "\nScore 5:  Response - "],
    "gym/reference/grading.txt": ["(1) Evaluation: ", f"{CLOSING} N\n"],
    **{name: [CLOSING] for name in RUBRICS},
    "lens/reference/judge-task-completion.txt": ["\nJustification: ", "\nVERDICT: True or False"],
    "lens/reference/judge-personalization.txt": ["\nJustification: ", "\nPersonalization Score: "],
    **{f"lens/reference/judge-{name}.txt": ["\nJustification: ", f"\n{name.split('-')[0].capitalize()} Score: "]
       for name in TALK},
    "lens/reference/user.txt": ["TERMINATE"], "lens/reference/user-multi.txt": ["TERMINATE"],
}


def check_fields(templates):
    for name, text in templates.items():
        try:
            parts = list(string.Formatter().parse(text))
        except ValueError as error:
            yield f"{name}: cannot be filled: {error}"
            continue
        used = {field for _, field, _, _ in parts if field is not None}
        if used != FIELDS[name] or any(spec or conversion for _, _, spec, conversion in parts):
            yield f"{name}: fields {sorted(used)}"
        elif any(f"<{field}>" not in text.format(**{f: f"<{f}>" for f in used}) for field in used):
            yield f"{name}: a field is not filled"
        if text != text.strip() or re.search(r"[ \t]\n|\n\n\n|[\x00-\x09\x0b-\x1f\x7f]", text) or TYPOGRAPHIC.search(text):
            yield f"{name}: stray white space, control or unusual character"
        yield from (f"{name}: lacks {shape!r}" for shape in SHAPES.get(name, []) if shape not in text)


def check_rubrics(templates, tasks):
    """A rubric says what its task says: one wording of the criteria, in two forms."""
    for name, task in RUBRICS.items():
        points = [f"Score {score}: {text}" for score, text in tasks[task]["criteria"].items()]
        points += [tasks[task]["name"], tasks[task]["asks"], tasks[task]["refusal"], *tasks[task]["does_not_matter"]]
        yield from (f"{name}: not as in the task: {point}" for point in points if point not in templates[name])


def check_lens_rubrics(templates, rubrics, sections):
    for name, rubric in LENS_RUBRICS.items():
        points = [f"\n{score}: {text}\n" for score, text in rubrics[rubric]["criteria"].items()]
        points += [rubrics[rubric]["asks"], *rubrics[rubric]["does_not_matter"]]
        points += [sections[field] for field in FIELDS[name] - {"conversation"}]
        yield from (f"{name}: not as in the rubric: {point}" for point in points if point not in templates[name])


def check_descriptions(descriptions):
    if list(descriptions) != TASKS:
        yield f"descriptions of {list(descriptions)}"
    for task, text in descriptions.items():
        yield from check_clean(task, text)
        if not 30 <= len(text.split()) <= 80:
            yield f"{task}: {len(text.split())} words"


def check_pack(pack):
    expected = {"name": str, "version": int, "written_by": str, "licence": str, "languages": list}
    yield from (f"{name} is {pack.get(name)!r}" for name, kind in expected.items() if type(pack.get(name)) is not kind)


@pytest.fixture(scope="module")
def content():
    return {"templates": {name: (DATA / name).read_text(encoding="utf-8") for name in FIELDS},
            "tasks": {task: load_yaml(f"gym/tasks/{task}.yaml") for task in TASKS},
            "rubrics": {rubric: load_yaml(f"lens/rubrics/{rubric}.yaml") for rubric in LENS_RUBRICS.values()},
            "sections": load_yaml("lens/sections.yaml"),
            "descriptions": load_yaml("gym/reference/descriptions.yaml"), "pack": load_yaml("gym/pack.yaml")}


CHECKS = {
    "fields": lambda c: check_fields(c["templates"]),
    "rubrics": lambda c: check_rubrics(c["templates"], c["tasks"]),
    "lens rubrics": lambda c: check_lens_rubrics(c["templates"], c["rubrics"], c["sections"]),
    "descriptions": lambda c: check_descriptions(c["descriptions"]),
    "pack": lambda c: check_pack(c["pack"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_no_other_files():
    here = {str(path.relative_to(DATA)) for path in DATA.glob("*/reference/**/*.txt")}
    assert here == set(FIELDS)


def edit(name, old, new):
    def change(content):
        text = content["templates"][f"gym/reference/{name}"]
        assert old in text
        content["templates"][f"gym/reference/{name}"] = text.replace(old, new)
    return change


BREAKAGES = [
    ("fields", edit("examples.txt", "{rubrics}", "{rubric}"), "fields ['rubric']"),
    ("fields", edit("examples.txt", "{rubrics}", "{rubrics!r}"), "fields"),
    ("fields", edit("examples.txt", "{rubrics}", "{rubrics"), "cannot be filled"),
    ("fields", edit("grading-system.txt", "You", "{} You"), "fields"),
    ("fields", edit("grading.txt", "{rubrics}", "{rubrics} \n"), "stray white space"),
    ("fields", edit("grading.txt", "(1) Evaluation:", "1. Evaluation:"), "lacks '(1) Evaluation"),
    ("fields", edit("examples.txt", "Score 5:  ", "Score 5: "), "lacks"),
    ("rubrics", lambda c: c["tasks"]["expected-action"]["criteria"].update({3: "Middling."}), "not as in the task"),
    ("lens rubrics", lambda c: c["rubrics"]["personalization"]["criteria"].update({3: "Middling."}), "not as in"),
    ("lens rubrics", lambda c: c["sections"].update(goal="The aim:\n{goal}"), "judge-task-completion.txt: not as in"),
    ("descriptions", lambda c: c["descriptions"].pop("expected-action"), "descriptions of"),
    ("descriptions", lambda c: c["descriptions"].update({"expected-action": "A question."}), "2 words"),
    ("pack", lambda c: c["pack"].pop("licence"), "licence is None"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
