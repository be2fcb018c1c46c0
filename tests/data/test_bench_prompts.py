"""The bench's prompts and rubrics keep to their form."""

import pytest
from content_checks import DATA, check_breakage, check_prompt, check_rubric, found, load_yaml

ASKED = {"persona", "question"}
RULES = {"asks", "criteria", "does_not_matter", "judge_mistakes"}
JUDGED = RULES | {"scale", "answer", "question"}
PROMPTS = {
    "answer-baseline": {"question"}, "answer-output-only": ASKED, "answer-chain-of-thought": ASKED,
    "answer-demographic-summary": ASKED, "answer-comparison": ASKED | {"form"},
    "answer-comparison-baseline": {"question", "form"}, "critic": ASKED | RULES | {"answer"},
    "debate-personalization": ASKED | {"answer", "debate"}, "debate-helpfulness": ASKED | {"answer", "debate"},
    "judge-debate": JUDGED | {"persona", "debate"}, "judge-debate-score-only": JUDGED | {"persona", "debate"},
    "judge-gold": JUDGED | {"gold"}, "judge-gold-score-only": JUDGED | {"gold"},
    "write-open-attributes": {"persona", "attributes"}}
MEMBERS = {
    "answer-baseline": ["answer_to_question"], "answer-output-only": ["answer_to_question"],
    "answer-chain-of-thought": ["chain_of_thought", "answer_to_question"],
    "answer-demographic-summary": ["demographic_summary", "answer_to_question"],
    "critic": ["chain_of_thought", "personalization_critic", "helpfulness_critic", "conclusion", "needs_revision"]}
RUBRICS = {"fit": {}, "consistency": {},
           "fit-after-debate": {"prompt": "../prompts/judge-debate.md",
                                "score_prompt": "../prompts/judge-debate-score-only.md"},
           "gold": {"prompt": "../prompts/judge-gold.md", "score_prompt": "../prompts/judge-gold-score-only.md"}}
SAME = ["asks", "scale", "criteria", "does_not_matter", "judge_mistakes"]
FORMS = {"choice": "{options}", "number": "{unit}", "set": "{options}", "open": ""}


def check_members(prompts):
    """The members of a structured answer are named in the order in which they are to be written."""
    for name, members in MEMBERS.items():
        places = [prompts[name].find(f'"{member}": ') for member in members]
        if -1 in places or places != sorted(places):
            yield f"{name}: not the members {members}"


def check_rubrics(rubrics):
    for name, prompts in RUBRICS.items():
        yield from check_rubric(name, rubrics[name], {"no": 0, "yes": 1}, **prompts)
    yield from (f"fit and fit-after-debate differ in {key}" for key in SAME
                if rubrics["fit"][key] != rubrics["fit-after-debate"][key])


def check_forms(forms):
    if list(forms) != list(FORMS):
        yield f"forms {list(forms)}"
    yield from (f"{kind}: lacks {hole}" for kind, hole in FORMS.items() if hole not in forms.get(kind, ""))


@pytest.fixture(scope="module")
def content():
    return {"prompts": {name: (DATA / f"bench/prompts/{name}.md").read_text(encoding="utf-8") for name in PROMPTS},
            "rubrics": {name: load_yaml(f"bench/rubrics/{name}.yaml") for name in RUBRICS},
            "forms": load_yaml("bench/answer-forms.yaml")}


CHECKS = {
    "prompts": lambda c: [p for name, text in c["prompts"].items() for p in check_prompt(name, text, PROMPTS[name], (1, 2))],
    "members": lambda c: check_members(c["prompts"]),
    "rubrics": lambda c: check_rubrics(c["rubrics"]),
    "forms": lambda c: check_forms(c["forms"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_no_other_files():
    assert {path.stem for path in (DATA / "bench/prompts").iterdir()} == set(PROMPTS)
    assert {path.stem for path in (DATA / "bench/rubrics").iterdir()} == set(RUBRICS)


def edit(name, old, new):
    def change(content):
        assert old in content["prompts"][name]
        content["prompts"][name] = content["prompts"][name].replace(old, new)
    return change


BREAKAGES = [
    ("prompts", edit("answer-output-only", "{persona}", ""), "placeholders"),
    ("prompts", edit("critic", "{answer}\n[[ANSWER ENDS]]", "[[ANSWER ENDS]]\n{answer}"), "markers"),
    ("prompts", edit("critic", "verdict:", "form:"), "verdict is not defined"),
    ("members", edit("critic", "needs_revision", "revise"), "not the members"),
    ("members", edit("answer-chain-of-thought", '"chain_of_thought": ..., ', ""), "not the members"),
    ("rubrics", lambda c: c["rubrics"]["fit"].update(asks="Does it?"), "differ in asks"),
    ("rubrics", lambda c: c["rubrics"]["gold"].pop("prompt"), "prompt is None"),
    ("rubrics", lambda c: c["rubrics"]["gold"]["criteria"].pop("no"), "criteria and scale differ"),
    ("forms", lambda c: c["forms"].pop("set"), "forms ["),
    ("forms", lambda c: c["forms"].update(number="a number"), "number: lacks {unit}"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
