"""The bench's value questions and comparison pairs keep to their standard."""

import json
import re
from collections import Counter

import pytest
from content_checks import (check_breakage, check_clean, check_fields, check_near_duplicates, check_openings, found,
                            load_jsonl, words)

ATTRIBUTES = [name.strip() for name in """age; sex; race; ancestry; household language; education; employment status;
    class of worker; industry category; occupation category; detailed job description; income; marital status;
    household type; family presence and age; place of birth; citizenship; veteran status; disability; health insurance;
    big five scores; defining quirks; mannerisms; personal time; lifestyle; ideology; political views; religion;
    cognitive difficulty; ability to speak english; vision difficulty; fertility; hearing difficulty""".split(";")]
TOPICS = "family work money faith health technology state environment death education community art".split()
KINDS = {"choice": 40, "number": 15, "set": 12, "open": 10}
OUT_OF_PLACE = re.compile(r"\b(as an ai|persona|language model|lorem|todo|placeholder)\b", re.I)
FIRST_PERSON = {"i", "my", "me", "we", "our", "us", "i'd"}


def check_text(where, text):
    if not isinstance(text, str):
        yield f"{where}: not a text"
        return
    yield from check_clean(where, text)
    if OUT_OF_PLACE.search(text):
        yield f"{where}: banned phrase"


def check_questions(rows):
    wrong = list(check_fields(rows, {"id": str, "question": str, "topic": str, "attributes": list, "requires": str}, r"q\d{3}"))
    yield from wrong
    if wrong:
        return
    topics, personal = Counter(), 0
    for row in rows:
        where, text = row["id"], row["question"]
        yield from check_text(where, text)
        if not text.endswith("?") or text.count("?") != 1:
            yield f"{where}: needs one question mark, at the end"
        if not 5 <= len(words(text)) <= 40:
            yield f"{where}: {len(words(text))} words"
        if row["topic"] not in TOPICS:
            yield f"{where}: unknown topic"
        named = row["attributes"]
        if not 2 <= len(set(named)) == len(named) <= 5 or not set(named) <= set(ATTRIBUTES):
            yield f"{where}: attributes {named}"
        for part in row["requires"].split(" & ") if row["requires"] else []:
            need = re.fullmatch(r"([a-z ]+)(!?=)(.+)", part)
            if not need or need[1] not in ATTRIBUTES:
                yield f"{where}: requires an unknown attribute: {part}"
        if {"colleague", "manager"} & set(words(text)) and "employment status" not in row["requires"]:
            yield f"{where}: speaks of work and does not require it"
        if re.search(r"\bmy (kids|child|children|son|daughter)\b", text, re.I) and "family presence" not in row["requires"]:
            yield f"{where}: speaks of children and does not require them"
        if re.search(r"\b(19|20)\d\d\b", text):
            yield f"{where}: names a year, so it may be about a single event"
        topics[row["topic"]] += 1
        personal += bool(FIRST_PERSON & set(words(text)))
    if len(rows) < 210:
        yield f"{len(rows)} questions"
    yield from (f"topic {topic}: {topics[topic]}" for topic in TOPICS if topics[topic] < 12)
    if not 0.15 <= personal / len(rows) <= 0.6:
        yield f"first-person questions: {personal} of {len(rows)}"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_gold(row):
    """The two golds are of the row's kind and cannot both be right for the same persona."""
    where, kind, options = row["id"], row["kind"], row.get("options")
    a, b = row["gold"]["a"], row["gold"]["b"]
    if kind in ("choice", "set"):
        if not isinstance(options, list) or not 3 <= len(options) <= 6 or len({o.lower() for o in options}) != len(options):
            yield f"{where}: needs 3 to 6 different options"
            return
    if kind == "choice":
        if a not in options or b not in options:
            yield f"{where}: a gold is no option"
        if a == b:
            yield f"{where}: golds are equal"
    elif kind == "set":
        for gold in (a, b):
            if not isinstance(gold, list) or not gold or len(set(gold)) != len(gold) or not set(gold) <= set(options):
                yield f"{where}: a gold is not a set of options"
        if sorted(a) == sorted(b):
            yield f"{where}: golds are equal"
    elif kind == "number":
        tolerance = row.get("tolerance", 0)
        if not is_number(a) or not is_number(b) or not is_number(tolerance) or tolerance < 0:
            yield f"{where}: gold or tolerance is not a number"
        elif abs(a - b) <= 2 * tolerance:
            yield f"{where}: golds are equal within the tolerance"
        yield from check_text(where, row.get("unit"))
    else:
        for gold in (a, b):
            yield from check_text(where, gold)
            if len(words(str(gold))) > 25:
                yield f"{where}: gold is too long"
        if words(str(a)) == words(str(b)):
            yield f"{where}: golds are equal"


def check_comparison(row):
    where, kind = str(row.get("id")), row.get("kind")
    needed = {"id", "a", "b", "distinct", "question", "kind", "gold", "states_rule", "reasoning"}
    optional = {"choice": {"options"}, "set": {"options"}, "number": {"unit", "tolerance"}}.get(kind, set())
    if kind not in KINDS or not needed <= set(row) <= needed | optional:
        yield f"{where}: kind {kind}, fields {sorted(row)}"
        return
    if not isinstance(row["states_rule"], bool):
        yield f"{where}: states_rule must be true or false"
    a, b = row["a"], row["b"]
    if set(a) != set(b) or not set(a) <= set(ATTRIBUTES):
        yield f"{where}: a and b need the same known attributes"
        return
    differ = {name for name in a if a[name] != b[name]}
    if not row["distinct"] or len(set(row["distinct"])) != len(row["distinct"]) or set(row["distinct"]) != differ:
        yield f"{where}: distinct is {row['distinct']}, but they differ in {sorted(differ)}"
    if not 4 <= len(a) - len(differ) <= 8:
        yield f"{where}: they share {len(a) - len(differ)} attributes"
    for side in (a, b, row["reasoning"], {"question": row["question"]}):
        for text in side.values():
            yield from check_text(where, text)
    if not 5 <= len(words(row["question"])) <= 70:
        yield f"{where}: question has {len(words(row['question']))} words"
    if set(row["gold"]) != {"a", "b"} or set(row["reasoning"]) != {"a", "b"}:
        yield f"{where}: gold and reasoning need a and b"
        return
    yield from check_gold(row)


def check_comparison_quotas(rows):
    kinds = Counter(row["kind"] for row in rows)
    yield from (f"kind {kind}: {kinds[kind]}" for kind, least in KINDS.items() if kinds[kind] < least)
    if len(rows) < 84:
        yield f"{len(rows)} comparisons"
    stated = sum(row["states_rule"] for row in rows)
    if 3 * stated > len(rows):
        yield f"{stated} of {len(rows)} state their rule"
    ids = Counter(row["id"] for row in rows)
    yield from (f"id {name} is malformed or used twice" for name, count in ids.items()
                if count > 1 or not re.fullmatch(r"c\d{3}", name))
    pairs = Counter(json.dumps([row["a"], row["b"]], sort_keys=True) for row in rows)
    if max(pairs.values()) > 1:
        yield "a pair of personas occurs twice"
    if len({name for row in rows for name in row["distinct"]}) < 30:
        yield "too few attributes make a difference"
    places = Counter(row["options"].index(row["gold"][side]) for row in rows if row["kind"] == "choice" for side in "ab")
    yield from (f"option {place + 1} is right {count} times" for place, count in places.items()
                if count > 0.35 * sum(places.values()))


@pytest.fixture(scope="module")
def content():
    return {"questions": load_jsonl("bench/questions.jsonl"), "comparisons": load_jsonl("bench/comparisons.jsonl")}


CHECKS = {
    "questions": lambda c: check_questions(c["questions"]),
    "question openings": lambda c: check_openings([row["question"] for row in c["questions"]], 0.05),
    "question near-duplicates": lambda c: check_near_duplicates(
        [(row["id"], row["question"]) for row in c["questions"]], 0.45),
    "comparisons": lambda c: [problem for row in c["comparisons"] for problem in check_comparison(row)],
    "comparison quotas": lambda c: check_comparison_quotas(c["comparisons"]),
    "comparison near-duplicates": lambda c: check_near_duplicates(
        [(row["id"], row["question"]) for row in c["comparisons"]], 0.45),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def of_kind(content, kind):
    return next(row for row in content["comparisons"] if row["kind"] == kind)


def everywhere(part, field, value):
    def change(content):
        for row in content[part]:
            row[field] = value
    return change


BREAKAGES = [
    ("questions", lambda c: c["questions"][0].pop("topic"), "fields"),
    ("questions", lambda c: c["questions"][0].update(id="q002"), "used 2 times"),
    ("questions", lambda c: c["questions"][0].update(requires="height=1"), "unknown attribute"),
    ("questions", lambda c: c["questions"][0].update(question="Do I have to thank my manager for it?"), "speaks of work"),
    ("questions", lambda c: c["questions"][0].update(question="Do I have to thank my son for it?"), "speaks of children"),
    ("questions", lambda c: c["questions"][0].update(question="Whose customs win. Why"), "question mark"),
    ("questions", lambda c: c["questions"][0].update(question="Whose customs win?"), "3 words"),
    ("questions", lambda c: c["questions"][0].update(question=" Whose customs ought to win here?"), "stray"),
    ("questions", lambda c: c["questions"][0].update(question="What would this persona do here?"), "banned"),
    ("questions", lambda c: c["questions"][0].update(question="Was the vote of 2016 a mistake?"), "year"),
    ("questions", lambda c: c["questions"][0].update(topic="sport"), "unknown topic"),
    ("questions", lambda c: c["questions"][0].update(attributes=["age"]), "attributes"),
    ("questions", lambda c: c["questions"][0].update(attributes=["age", "shoe size"]), "attributes"),
    ("questions", lambda c: c["questions"].__delitem__(slice(0, 40)), "186 questions"),
    ("questions", everywhere("questions", "topic", "art"), "topic family: 0"),
    ("questions", everywhere("questions", "question", "Ought people ever to lie kindly?"), "first-person"),
    ("question openings", lambda c: [row.update(question="Ought we " + row["question"]) for row in c["questions"][::10]],
     "open with 'ought we'"),
    ("question near-duplicates", lambda c: c["questions"].append({**c["questions"][4], "id": "q999"}), "q005 and q999"),
    ("comparisons", lambda c: c["comparisons"][0].update(kind="essay"), "kind essay"),
    ("comparisons", lambda c: c["comparisons"][0].update(hint="x"), "fields"),
    ("comparisons", lambda c: c["comparisons"][0]["a"].pop("age"), "same known attributes"),
    ("comparisons", lambda c: c["comparisons"][0]["a"].update(age="17"), "but they differ in"),
    ("comparisons", lambda c: c["comparisons"][0].update(distinct=[]), "distinct is []"),
    ("comparisons", lambda c: [c["comparisons"][0][side].pop(name) for side in "ab" for name in ("age", "sex", "education")],
     "they share 3"),
    ("comparisons", lambda c: c["comparisons"][0].update(question="Which one?"), "question has 2 words"),
    ("comparisons", lambda c: c["comparisons"][0]["reasoning"].update(a="  "), "stray"),
    ("comparisons", lambda c: c["comparisons"][0].update(states_rule="no"), "must be true or false"),
    ("comparisons", lambda c: c["comparisons"][0]["reasoning"].pop("a"), "need a and b"),
    ("comparisons", lambda c: of_kind(c, "choice").update(options=["x", "X", "y"]), "different options"),
    ("comparisons", lambda c: of_kind(c, "choice")["gold"].update(a="x"), "no option"),
    ("comparisons", lambda c: of_kind(c, "choice")["gold"].update(a=of_kind(c, "choice")["gold"]["b"]), "equal"),
    ("comparisons", lambda c: of_kind(c, "set")["gold"].update(a=[]), "not a set"),
    ("comparisons", lambda c: of_kind(c, "set")["gold"].update(a=of_kind(c, "set")["gold"]["b"]), "equal"),
    ("comparisons", lambda c: of_kind(c, "number")["gold"].update(a="12"), "not a number"),
    ("comparisons", lambda c: of_kind(c, "number").update(tolerance=10000), "within the tolerance"),
    ("comparisons", lambda c: of_kind(c, "number").pop("unit"), "not a text"),
    ("comparisons", lambda c: of_kind(c, "open")["gold"].update(a="word " * 29 + "word"), "too long"),
    ("comparisons", lambda c: of_kind(c, "open")["gold"].update(a=of_kind(c, "open")["gold"]["b"]), "equal"),
    ("comparison quotas", lambda c: c["comparisons"].__delitem__(slice(0, 15)), "80 comparisons"),
    ("comparison quotas", lambda c: c.update(comparisons=[r for r in c["comparisons"] if r["kind"] != "open"]), "kind open"),
    ("comparison quotas", lambda c: c["comparisons"][0].update(id="c002"), "used twice"),
    ("comparison quotas", lambda c: c["comparisons"].append({**c["comparisons"][0], "id": "c999"}), "occurs twice"),
    ("comparison quotas", everywhere("comparisons", "distinct", ["age"]), "too few attributes"),
    ("comparison quotas", lambda c: [r["options"].sort(key=lambda o: o != r["gold"]["a"]) for r in c["comparisons"]
                                     if r["kind"] == "choice"], "option 1 is right"),
    ("comparison near-duplicates",
     lambda c: c["comparisons"].append({**c["comparisons"][2], "id": "c999"}), "c003 and c999"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
