"""The lens's prompts and rubrics keep to their form."""

import re

import pytest
from content_checks import DATA, check_breakage, check_prompt, check_rubric, found, load_yaml

PROFILE = {"demographics", "affinities"}
USER = PROFILE | {"summary", "situation", "task"}
JUDGED = {"asks", "background", "criteria", "does_not_matter", "judge_mistakes", "examples", "conversation", "scale"}
PROMPTS = {"user-system": USER | {"domain"}, "user-system-multi": USER | {"domains"}, "user-opening": set(),
           "assistant-system": {"known"}, "assistant-system-multi": {"known"}, "write-summary": PROFILE | {"domain"},
           "judge": JUDGED, "judge-score-only": JUDGED}
FIVE = [1, 2, 3, 4, 5]
SCALES = {"task-completion": {"False": 0, "True": 1}, "personalization": [1, 2, 3, 4],
          "naturalness-user": FIVE, "naturalness-assistant": FIVE, "coherence-user": FIVE, "coherence-assistant": FIVE,
          "first-turn-leak": {"no": 0, "yes": 1}, "turn-personalization": [1, 2, 3, 4]}
SECTIONS = {"demographics", "affinities", "summary", "situation", "task", "goal", "nothing"}


def check_lens_rubric(name, text, rubric):
    if not re.match(r"# background: [a-z, ]+\. conversation: .+\.\n", text):
        yield f"{name}: does not say what goes into the background"
    yield from check_rubric(name, rubric, SCALES[name], version=2 if name == "personalization" else 1, prompt="../prompts/judge.md",
                            score_prompt="../prompts/judge-score-only.md")


def check_sections(sections, rubric_texts):
    if set(sections) != SECTIONS:
        yield f"sections {sorted(sections)}"
    for name, text in sections.items():
        if re.findall(r"\{(\w+)\}", text) != ([] if name == "nothing" else [name]):
            yield f"section {name}: its field is not {name}"
    for name, text in rubric_texts.items():
        told = re.match(r"# background: ([a-z, ]+)\.", text)
        yield from (f"{name}: no section {part}" for part in (told[1].split(", ") if told else []) if part not in sections)


def check_user_prompts(prompts):
    yield from (f"{name}: does not say how to end" for name in ("user-system", "user-system-multi")
                if prompts[name].count("TERMINATE") != 1)
    yield from (f"{name}: tells of the end mark" for name, text in prompts.items()
                if not name.startswith("user-system") and "TERMINATE" in text)


@pytest.fixture(scope="module")
def content():
    texts = {name: (DATA / f"lens/rubrics/{name}.yaml").read_text(encoding="utf-8") for name in SCALES}
    return {"prompts": {name: (DATA / f"lens/prompts/{name}.md").read_text(encoding="utf-8") for name in PROMPTS},
            "texts": texts, "rubrics": {name: load_yaml(f"lens/rubrics/{name}.yaml") for name in SCALES},
            "sections": load_yaml("lens/sections.yaml")}


CHECKS = {
    "prompts": lambda c: [p for name, text in c["prompts"].items() for p in check_prompt(name, text, PROMPTS[name], (1, 2))],
    "user prompts": lambda c: check_user_prompts(c["prompts"]),
    "rubrics": lambda c: [p for name in SCALES for p in check_lens_rubric(name, c["texts"][name], c["rubrics"][name])],
    "sections": lambda c: check_sections(c["sections"], c["texts"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_no_other_files():
    assert {path.stem for path in (DATA / "lens/prompts").iterdir()} == set(PROMPTS)
    assert {path.stem for path in (DATA / "lens/rubrics").iterdir()} == set(SCALES)


def edit(part, name, old, new):
    def change(content):
        assert old in content[part][name]
        content[part][name] = content[part][name].replace(old, new)
    return change


BREAKAGES = [
    ("prompts", edit("prompts", "user-system", "{task}", ""), "placeholders"),
    ("prompts", edit("prompts", "judge", "{conversation}\n[[CONVERSATION ENDS]]", "[[CONVERSATION ENDS]]\n{conversation}"), "markers"),
    ("prompts", edit("prompts", "judge", "verdict:", "form:"), "verdict"),
    ("prompts", edit("prompts", "user-opening", "do", "do " * 290), "words"),
    ("user prompts", edit("prompts", "user-system", "TERMINATE", "the end"), "how to end"),
    ("user prompts", edit("prompts", "assistant-system", "Lead", "TERMINATE or lead"), "end mark"),
    ("rubrics", edit("texts", "personalization", "# background:", "#"), "background"),
    ("rubrics", lambda c: c["rubrics"]["personalization"].update(scale=FIVE), "scale is"),
    ("rubrics", lambda c: c["rubrics"]["personalization"]["criteria"].pop(2), "differ"),
    ("rubrics", lambda c: c["rubrics"]["personalization"].update(asks="Fit"), "asks nothing"),
    ("rubrics", lambda c: c["rubrics"]["personalization"]["does_not_matter"].append("Length"), "not a sentence"),
    ("sections", lambda c: c["sections"].pop("goal"), "task-completion: no section goal"),
    ("sections", lambda c: c["sections"].pop("nothing"), "sections ["),
    ("sections", edit("sections", "goal", "{goal}", "{task}"), "its field is not goal"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
