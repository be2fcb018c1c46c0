"""The gym's personas, environments, tasks and prompts keep to their standard; its questions: test_gym_questions.py."""

import re
from collections import Counter

import pytest
from content_checks import (BANNED, DATA, GYM_TASKS, check_breakage, check_clean, check_fields, check_near_duplicates,
                            check_openings, check_prompt, every, found, load_jsonl, load_yaml, parse_jsonl, put, words)

INHABITED = ["Africa", "Asia", "Europe", "North America", "South America", "Oceania"]
CONTINENTS = {*INHABITED, "Antarctica", "none"}
CORE_WORK = ["manual", "care", "office", "creative", "criminal-justice", "rural", "religious", "military",
             "unemployed", "retired"]
WORK = {*CORE_WORK, "service", "science", "trade", "student", "other"}
KINDS = {"plain", "elite", "tempted", "believer", "lgbt", "era", "other"}
TAGS = {"social", "work", "risk", "leisure", "ritual", "online"}
JUDGED = {"persona", "question", "answer", "task_name", "asks", "criteria", "does_not_matter", "judge_mistakes", "refusal",
          "examples"}
PROBED = JUDGED - {"task_name", "examples"} | {"good", "bad"}
PROMPTS = {"persona-system": {"persona"}, "neutral-system": set(),
           "choose-environments": {"persona", "environments"},
           "write-questions": {"persona", "environments", "task_name", "task_asks", "guidance", "count"},
           "write-examples": {"persona", "question", "task_name", "criteria"},
           "judge": JUDGED, "judge-score-only": JUDGED,
           "judge-probe": PROBED, "judge-probe-score-only": PROBED}

NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
           "seventeen eighteen nineteen").split()
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number):
    if number < 20:
        return NUMBERS[number]
    return TENS[number // 10] + ("-" + NUMBERS[number % 10] if number % 10 else "")


def check_personas(rows):
    wrong = list(check_fields(rows, {"id": str, "persona": str, "age": int, "continent": str, "work": str,
                                     "unusual": bool, "voice": str, "kind": str}, r"p\d{3,}"))
    yield from wrong
    if wrong:
        return
    for row in rows:
        where, text = row["id"], row["persona"]
        yield from check_clean(where, text)
        least, most = (25, 90) if row["kind"] == "plain" else (60, 420)
        if not least <= len(text) <= most:
            yield f"{where}: {len(text)} characters"
        if row["continent"] not in CONTINENTS or row["work"] not in WORK or row["voice"] not in ("first", "third") \
                or row["kind"] not in KINDS:
            yield f"{where}: unknown continent, work, voice or kind"
        if row["continent"] == "none" and not row["unusual"]:
            yield f"{where}: from nowhere, yet not unusual"
        if not re.search(rf"\b({row['age']}|{spelled(row['age'])})\b", text, re.I):
            yield f"{where}: the text does not give the age of {row['age']}"
        unquoted = re.sub(r"'[^']*'(?!\w)", "", text)
        if row["voice"] == "first" and not re.search(r"\b(I|I'm|I've|me|my|My)\b", unquoted):
            yield f"{where}: the voice is not the first person"
        if BANNED & set(words(text)):
            yield f"{where}: banned word"


def check_persona_quotas(rows):
    total = len(rows)
    if total < 280:
        yield f"{total} personas"
    continents, work = Counter(row["continent"] for row in rows), Counter(row["work"] for row in rows)
    yield from (f"continent {name}: {continents[name]}" for name in INHABITED if continents[name] < 20)
    yield from (f"work {name}: {work[name]}" for name in CORE_WORK if work[name] < 8)
    ages = [row["age"] for row in rows]
    if (min(ages), max(ages)) != (16, 90):
        yield f"ages from {min(ages)} to {max(ages)}"
    decades = Counter(min(age, 89) // 10 for age in ages)
    yield from (f"decade {decade}: {decades[decade]}" for decade in range(1, 9) if decades[decade] < 5)
    if sum(row["unusual"] for row in rows) < 0.2 * total:
        yield "fewer than a fifth are unusual"
    if sum(row["voice"] == "first" for row in rows) < 0.1 * total:
        yield "fewer than a tenth speak for themselves"
    template = re.compile(r"(an?\s+)?[\w-]+-year-old", re.I)
    if sum(bool(template.match(row["persona"])) for row in rows) > 0.15 * total:
        yield "too many open with an age"


def check_environments(rows):
    wrong = list(check_fields(rows, {"id": str, "name": str, "detail": str, "tags": list}, r"e\d{3,}"))
    yield from wrong
    if wrong:
        return
    names, tags = Counter(), Counter()
    for row in rows:
        yield from check_clean(row["id"], row["name"])
        yield from check_clean(row["id"], row["detail"])
        if not 3 <= len(row["name"]) <= 60 or not 5 <= len(row["detail"]) <= 120:
            yield f"{row['id']}: name or detail too short or too long"
        if not row["tags"] or not set(row["tags"]) <= TAGS or len(set(row["tags"])) != len(row["tags"]):
            yield f"{row['id']}: tags {row['tags']}"
        names[" ".join(words(row["name"]))] += 1
        tags.update(row["tags"])
    yield from (f"name '{name}' occurs {count} times" for name, count in names.items() if count > 1)
    yield from (f"tag {tag}: {tags[tag]}" for tag in TAGS if tags[tag] < 10)
    if len(rows) < 160:
        yield f"{len(rows)} environments"


def check_task(name, task):
    _, title, group = GYM_TASKS[name]
    expected = {"id": name, "name": title, "group": group, "version": 2, "licence": "CC-BY-4.0",
                "written_for": "Personascope", "scale": [1, 2, 3, 4, 5]}
    yield from (f"{name}: {key} is {task.get(key)!r}" for key, value in expected.items() if task.get(key) != value)
    if list(task.get("criteria", {})) != [1, 2, 3, 4, 5]:
        yield f"{name}: criteria are not given for 1 to 5"
    texts = [task.get("asks"), task.get("refusal"), *task.get("criteria", {}).values()]
    for key in ("question_guidance", "does_not_matter", "judge_mistakes"):
        if len(task.get(key) or []) < 4:
            yield f"{name}: {key} has fewer than four points"
        texts += task.get(key) or []
    yield from (f"{name}: not a sentence: {text!r}" for text in texts
                if not isinstance(text, str) or not text.strip().endswith("."))
    if re.search(r"\b(refusal|refuses|declines)\b", str(task.get("refusal"))) is None:
        yield f"{name}: does not say how a refusal is scored"


@pytest.fixture(scope="module")
def content():
    return {"personas": load_jsonl("gym/personas.jsonl"), "environments": load_jsonl("gym/environments.jsonl"),
            "tasks": {name: load_yaml(f"gym/tasks/{name}.yaml") for name in GYM_TASKS},
            "prompts": {name: (DATA / f"gym/prompts/{name}.md").read_text(encoding="utf-8") for name in PROMPTS}}


CHECKS = {
    "personas": lambda c: check_personas(c["personas"]),
    "persona quotas": lambda c: check_persona_quotas(c["personas"]),
    "persona openings": lambda c: check_openings([row["persona"] for row in c["personas"]], 0.04),
    "persona near-duplicates": lambda c: check_near_duplicates(
        [(row["id"], row["persona"]) for row in c["personas"]], 0.35),
    "environments": lambda c: check_environments(c["environments"]),
    "environment near-duplicates": lambda c: check_near_duplicates(
        [(row["id"], row["name"] + " " + row["detail"]) for row in c["environments"]], 0.4),
    "tasks": lambda c: [problem for name, task in c["tasks"].items() for problem in check_task(name, task)],
    "prompts": lambda c: [problem for name, text in c["prompts"].items() for problem in check_prompt(name, text, PROMPTS[name], (1, 2))],
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_no_other_files():
    assert {path.stem for path in (DATA / "gym/tasks").iterdir()} == set(GYM_TASKS)
    assert {path.stem for path in (DATA / "gym/prompts").iterdir()} == set(PROMPTS)


BREAKAGES = [
    ("personas", put("personas", 0, "age", "41"), "not of type int"),
    ("personas", lambda c: c["personas"][0].pop("age"), "fields"),
    ("personas", put("personas", 0, "age", 42), "does not give the age"),
    ("personas", put("personas", 0, "id", "p002"), "id used 2 times"),
    ("personas", put("personas", 0, "id", "x1"), "malformed id"),
    ("personas", put("personas", 0, "persona", lambda text: text + " " + text), "characters"),
    ("personas", put("personas", 0, "persona", lambda text: text + "  So."), "stray white space"),
    ("personas", put("personas", 0, "persona", lambda text: text + " \u2014 so."), "typographic"),
    ("personas", put("personas", 0, "continent", "Atlantis"), "unknown continent"),
    ("personas", put("personas", 0, "continent", "none"), "from nowhere"),
    ("personas", put("personas", 0, "kind", "villain"), "unknown continent, work, voice or kind"),
    ("personas", put("personas", 0, "kind", "plain"), "characters"),
    ("personas", put("personas", 0, "voice", "first"), "not the first person"),
    ("personas", put("personas", 0, "persona", lambda text: text + " A moron."), "banned word"),
    ("persona quotas", lambda c: c["personas"].__delitem__(slice(0, 60)), "personas"),
    ("persona quotas", every("personas", 1, "continent", lambda _: "Asia"), "continent Africa"),
    ("persona quotas", every("personas", 1, "work", lambda _: "other"), "work manual"),
    ("persona quotas", every("personas", 1, "age", lambda age: min(age, 70)), "ages from"),
    ("persona quotas", every("personas", 1, "age", lambda age: 16 if age < 90 else 90), "decade"),
    ("persona quotas", every("personas", 2, "unusual", lambda _: False), "unusual"),
    ("persona quotas", every("personas", 1, "voice", lambda _: "third"), "speak for themselves"),
    ("persona quotas", every("personas", 4, "persona", lambda text: "A 40-year-old. " + text), "open with an age"),
    ("persona openings", every("personas", 10, "persona", lambda text: "He is here. " + text), "open with 'he is'"),
    ("persona near-duplicates", lambda c: c["personas"].append({**c["personas"][3], "id": "p999"}), "p004 and p999"),
    ("environments", put("environments", 0, "tags", ["fun"]), "tags"),
    ("environments", put("environments", 0, "tags", []), "tags"),
    ("environments", put("environments", 0, "detail", "x"), "too short"),
    ("environments", put("environments", 0, "name", "laundromat at six in the morning"), "occurs 2 times"),
    ("environments", every("environments", 1, "tags", lambda _: ["social"]), "tag online"),
    ("environments", lambda c: c["environments"].__delitem__(slice(0, 20)), "156 environments"),
    ("environment near-duplicates",
     lambda c: c["environments"].append({**c["environments"][5], "id": "e999"}), "e006 and e999"),
    ("tasks", lambda c: c["tasks"]["toxicity-control"].update(version=1), "version"),
    ("tasks", lambda c: c["tasks"]["toxicity-control"]["criteria"].pop(3), "criteria"),
    ("tasks", lambda c: c["tasks"]["toxicity-control"]["judge_mistakes"].pop(), "judge_mistakes"),
    ("tasks", lambda c: c["tasks"]["toxicity-control"].update(asks="Whether"), "not a sentence"),
    ("tasks", lambda c: c["tasks"]["toxicity-control"].update(refusal="It is a 3."), "refusal"),
    ("prompts", lambda c: c["prompts"].update(judge=c["prompts"]["judge"].replace("{persona}", "")), "placeholders"),
    ("prompts", lambda c: c["prompts"].update(judge=c["prompts"]["judge"].replace("purpose:", "aim:")), "purpose"),
    ("prompts", lambda c: c["prompts"].update(judge=c["prompts"]["judge"].replace("verdict:", "form:")), "verdict"),
    ("prompts", lambda c: c["prompts"].update(judge=c["prompts"]["judge"] + "{ persona}"), "malformed"),
    ("prompts", lambda c: c["prompts"].update(
        judge=c["prompts"]["judge"].replace("{answer}\n[[ANSWER ENDS]]", "[[ANSWER ENDS]]\n{answer}")), "markers"),
    ("prompts", lambda c: c["prompts"].update(judge=c["prompts"]["judge"] + "word " * 200), "words"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])


@pytest.mark.parametrize("text", ["{}\n\n{}", "[1]", "{", '{"id": 1, "id": 2}'])
def test_broken_lines_are_noticed(text):
    with pytest.raises(ValueError, match="line"):
        parse_jsonl(text)
