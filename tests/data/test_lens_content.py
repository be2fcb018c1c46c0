"""The lens's affinities, tasks, situations and summaries keep to their standard."""

import re
from collections import Counter

import pytest
from content_checks import (DATA, check_breakage, check_clean, check_near_duplicates, check_openings, found, load_jsonl,
                            load_yaml, parse_yaml)

DOMAINS = ["Alarm", "Books", "Buses", "Calendar", "Events", "Finance", "Flights", "Games", "Hotels", "Media",
           "Messaging", "Movies", "Music", "Rental Cars", "Restaurants", "Services", "Shopping", "Sports", "Train",
           "Travel"]
ROLES = ["opening", "habit", "complaint", "exception", "closing"]
GENERAL = {"attribute", "value", "values", "domain"}
YAML_FILES = ["affinities", "situations", "summaries"]
GIVEAWAYS = ["your preference", "your favourite", "you prefer", "matches the user's preferences"]
IN_DIALOGUE = re.compile(r"\b(assistant|user|dialogue|agreed|stated|chosen|settled|named|confirmed|addressed|decides?|"
                         r"accepted|assigned|listed|approved|agrees?)\b")


def count(text):
    return len(str(text).split())


def holes(text):
    return re.findall(r"\{([a-z_]+)\}", text)


def check_list(where, items, least, longest=8):
    if not isinstance(items, list) or len(items) < least:
        yield f"{where}: needs a list of at least {least}"
        return
    for item in items:
        if not isinstance(item, str):
            yield f"{where}: not a text: {item!r}"
            continue
        yield from check_clean(where, item)
        if count(item) > longest:
            yield f"{where}: too long: {item}"
    repeated = [item for item, times in Counter(str(item).lower() for item in items).items() if times > 1]
    yield from (f"{where}: '{item}' is repeated" for item in repeated)


def check_affinities(affinities):
    if list(affinities) != DOMAINS:
        yield "not the 20 domains in order"
    for domain, attributes in affinities.items():
        if len(attributes) < 4:
            yield f"{domain}: {len(attributes)} attributes"
        for name, spec in attributes.items():
            where = f"{domain}.{name}"
            if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name) or name in GENERAL:
                yield f"{where}: not a good name"
            if set(spec) != {"kind", "values"} or spec["kind"] not in ("single", "list"):
                yield f"{where}: needs a kind (single or list) and values"
                continue
            yield from check_list(where, spec["values"], 8)
            for value in spec["values"]:
                if spec["kind"] == "list" and re.search(r"\band\b|,", str(value)):
                    yield f"{where}: ambiguous when joined: {value}"
                if str(value).startswith("no "):
                    yield f"{where}: reads badly in a sentence: {value}"


def check_task_text(task):
    where = task["id"]
    for field, least, most in (("description", 4, 20), ("user_intent", 15, 80), ("goal", 10, 50)):
        yield from check_clean(where, task[field])
        if not re.search(r"[.!?]$", task[field]) or re.search(r"[{}]", task[field]):
            yield f"{where}: {field} is not a sentence"
        if not least <= count(task[field]) <= most:
            yield f"{where}: {field} has {count(task[field])} words"
    if not re.search(r"\b(you|your|yourself)\b", task["user_intent"].lower()):
        yield f"{where}: the intent does not address the user"
    if not IN_DIALOGUE.search(task["goal"]):
        yield f"{where}: the goal cannot be seen in the dialogue"
    for phrase in GIVEAWAYS:
        if phrase in (task["user_intent"] + task["goal"]).lower():
            yield f"{where}: giveaway or unjudgeable: {phrase}"


def check_task_affinities(task, wanted, affinities):
    for domain, names in wanted.items():
        if domain not in affinities or not names or len(set(names)) != len(names):
            yield f"{task['id']}: unknown domain {domain}, or affinities empty or repeated"
            continue
        yield from (f"{task['id']}: unknown affinity {domain}.{name}" for name in names if name not in affinities[domain])


def check_tasks(single, multi, affinities):
    used, per_domain, mixed = set(), Counter(), Counter()
    for task in single:
        if set(task) != {"id", "domain", "description", "user_intent", "goal", "affinities"}:
            yield f"{task.get('id')}: fields {sorted(task)}"
            continue
        per_domain[task["domain"]] += 1
        if task["id"] != f"ps-{task['domain']}-{per_domain[task['domain']]}":
            yield f"{task['id']}: id out of order"
        yield from check_task_text(task)
        yield from check_task_affinities(task, {task["domain"]: task["affinities"]}, affinities)
        used |= {(task["domain"], name) for name in task["affinities"]}
    for number, task in enumerate(multi, 1):
        if set(task) != {"id", "domains", "description", "user_intent", "goal", "affinities"}:
            yield f"{task.get('id')}: fields {sorted(task)}"
            continue
        if task["id"] != f"ps-multi-{number}":
            yield f"{task['id']}: id out of order"
        if not 2 <= len(set(task["domains"])) == len(task["domains"]) <= 4 or list(task["affinities"]) != task["domains"]:
            yield f"{task['id']}: needs two to four different domains, each with affinities"
        mixed.update(task["domains"])
        yield from check_task_text(task)
        yield from check_task_affinities(task, task["affinities"], affinities)
        used |= {(domain, name) for domain, names in task["affinities"].items() for name in names}
    if len(single) < 105 or len(multi) < 26:
        yield f"{len(single)} and {len(multi)} tasks"
    yield from (f"{domain}: {per_domain[domain]} tasks" for domain in DOMAINS if per_domain[domain] < 5)
    yield from (f"{domain}: in no task across domains" for domain in DOMAINS if not mixed[domain])
    yield from (f"{domain}.{name}: no task uses it" for domain in affinities for name in affinities[domain]
                if (domain, name) not in used)


def check_task_sameness(tasks):
    yield from check_openings([task["description"] for task in tasks], 0.06)
    yield from check_openings([task["user_intent"] for task in tasks], 0.1)
    for field in ("description", "user_intent", "goal"):
        yield from check_near_duplicates([(task["id"], task[field]) for task in tasks], 0.5)


def check_situations(situations):
    if len(situations) < 5:
        yield f"{len(situations)} keys"
    for key, values in situations.items():
        yield from check_list(key, values, 10)


def check_sentence(where, sentence, allowed):
    text = sentence.get("text", "")
    if set(sentence) != {"role", "text"} or sentence["role"] not in ROLES:
        yield f"{where}: needs a role and a text: {sentence}"
        return
    yield from check_clean(where, text)
    named = holes(text)
    if text.count("{") != len(named) or text.count("}") != len(named) or len(set(named)) != len(named):
        yield f"{where}: malformed or repeated placeholder: {text}"
    if not set(named) <= allowed or {"value", "values"} <= set(named):
        yield f"{where}: unknown or clashing placeholders: {text}"
    if not re.match(r"['A-Z]", text) or not text.endswith("."):
        yield f"{where}: not a sentence: {text}"


def check_summaries(summaries, affinities):
    if list(summaries["domain_names"]) != DOMAINS or list(summaries["domains"]) != DOMAINS:
        yield "domain_names or domains: not the 20 domains in order"
        return
    for domain in DOMAINS:
        names = summaries["attribute_names"].get(domain, {})
        if set(names) != set(affinities[domain]):
            yield f"{domain}: attribute_names and affinities differ"
        yield from check_list(f"{domain} attribute_names", list(names.values()), 4)
        yield from (f"{domain}.{name}: unknown in domain_only" for name in summaries["domain_only"].get(domain, [])
                    if name not in affinities[domain])
        mentioned = set()
        for sentence in summaries["domains"][domain]:
            yield from check_sentence(domain, sentence, set(affinities[domain]))
            if not holes(sentence.get("text", "")):
                yield f"{domain}: no placeholder: {sentence}"
            mentioned |= set(holes(sentence.get("text", "")))
        yield from (f"{domain}.{name}: no sentence mentions it" for name in set(affinities[domain]) - mentioned)
    roles = Counter()
    for sentence in summaries["patterns"]:
        yield from check_sentence("patterns", sentence, GENERAL)
        roles[sentence.get("role")] += 1
    yield from (f"role {role}: {roles[role]} patterns" for role in ROLES if roles[role] < 10)
    if len(summaries["patterns"]) < 60:
        yield f"{len(summaries['patterns'])} patterns"
    texts = [sentence["text"] for sentence in summaries["patterns"]]
    yield from check_openings(texts, 0.1)
    texts += [sentence["text"] for domain in DOMAINS for sentence in summaries["domains"][domain]]
    yield from check_near_duplicates([(text, text) for text in texts], 0.55)


MONEY = re.compile(r"\b(costs?|pays?|paid|spend|spending|budget|voucher for|sum of|quote[^.]* is|fare of|at most|"
                   r"charged you|borrow|add up to at (?:least|most)) (?:you )?(?:at most |about )?\d[\d,.]*(?! [a-z]*metres)")


def check_money(tasks):
    """A sum has a currency."""
    for task in tasks:
        for field in ("user_intent", "goal"):
            yield from (f"{task['id']}: a sum without a currency: {sum_[0]}" for sum_ in MONEY.finditer(task[field]))


def check_head(name, text):
    head = text.split("\n\n")[0]
    yield from (f"{name}: the head lacks '{needed}'" for needed in
                ("version: 2.0.0", "licence: CC-BY-4.0", "written for Personascope") if needed not in head)


@pytest.fixture(scope="module")
def content():
    loaded = {name: load_yaml(f"lens/{name}.yaml") for name in YAML_FILES}
    heads = {name: (DATA / f"lens/{name}.yaml").read_text(encoding="utf-8") for name in YAML_FILES}
    return {**loaded, "heads": heads, "single": load_jsonl("lens/tasks.jsonl"),
            "multi": load_jsonl("lens/tasks_multi.jsonl")}


CHECKS = {
    "heads": lambda c: [problem for name, text in c["heads"].items() for problem in check_head(name, text)],
    "affinities": lambda c: check_affinities(c["affinities"]),
    "tasks": lambda c: check_tasks(c["single"], c["multi"], c["affinities"]),
    "task sameness": lambda c: check_task_sameness(c["single"] + c["multi"]),
    "situations": lambda c: check_situations(c["situations"]),
    "summaries": lambda c: check_summaries(c["summaries"], c["affinities"]),
    "money": lambda c: check_money(c["single"] + c["multi"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def sound(content):
    return content["affinities"]["Alarm"]["sound"]


def pattern(content, text):
    content["summaries"]["patterns"][0]["text"] = text


BREAKAGES = [
    ("heads", lambda c: c["heads"].update(affinities="# version: 1.0.0\n\n"), "lacks 'licence"),
    ("affinities", lambda c: c["affinities"].pop("Travel"), "20 domains"),
    ("affinities", lambda c: [c["affinities"]["Alarm"].pop(name) for name in ("sound", "snooze", "wake_style")],
     "3 attributes"),
    ("affinities", lambda c: c["affinities"]["Alarm"].update(value=sound(c)), "not a good name"),
    ("affinities", lambda c: sound(c).update(kind="many"), "needs a kind"),
    ("affinities", lambda c: sound(c).update(values=["birdsong"]), "at least 8"),
    ("affinities", lambda c: sound(c)["values"].append("Birdsong"), "repeated"),
    ("affinities", lambda c: sound(c)["values"].append("a b c d e f g h i"), "too long"),
    ("affinities", lambda c: sound(c)["values"].append(" bells"), "stray"),
    ("affinities", lambda c: sound(c)["values"].append(7), "not a text"),
    ("affinities", lambda c: sound(c)["values"].append("no sound"), "reads badly"),
    ("affinities", lambda c: sound(c).update(kind="list", values=sound(c)["values"] + ["bells and drums"]), "ambiguous"),
    ("tasks", lambda c: c["single"][0].pop("goal"), "fields"),
    ("tasks", lambda c: c["single"][0].update(id="ps-Alarm-9"), "out of order"),
    ("tasks", lambda c: c["single"][0].update(description="Set it."), "description has 2 words"),
    ("tasks", lambda c: c["single"][0].update(goal="It all ends well and everybody in the house is awake by five"),
     "not a sentence"),
    ("tasks", lambda c: c["single"][0].update(goal="It all ends well and everybody in the house is awake by five."),
     "cannot be seen"),
    ("tasks", lambda c: c["single"][0].update(user_intent="A neighbour drives to the ferry tomorrow and will be at the "
                                              "door at five, so an alarm is wanted."), "does not address"),
    ("tasks", lambda c: c["single"][0].update(user_intent=c["single"][0]["user_intent"] + " You prefer birdsong."),
     "giveaway"),
    ("tasks", lambda c: c["single"][0].update(affinities=["colour"]), "unknown affinity"),
    ("tasks", lambda c: c["single"][0].update(affinities=["sound", "sound"]), "repeated"),
    ("tasks", lambda c: c["multi"][0].update(id="ps-multi-2"), "out of order"),
    ("tasks", lambda c: c["multi"][0].update(domains=["Flights"]), "two to four"),
    ("tasks", lambda c: c["multi"][0].pop("domains"), "fields"),
    ("tasks", lambda c: c["single"].__delitem__(slice(0, 20)), "97 and 28 tasks"),
    ("tasks", lambda c: c["single"].__delitem__(slice(0, 2)), "Alarm: 4 tasks"),
    ("tasks", lambda c: c.update(multi=[task for task in c["multi"] if "Buses" not in task["domains"]]),
     "Buses: in no task"),
    ("tasks", lambda c: c["affinities"]["Alarm"].update(colour=sound(c)), "no task uses it"),
    ("task sameness", lambda c: [task.update(description="Find a " + task["description"]) for task in c["single"][::5]],
     "open with 'find a'"),
    ("task sameness", lambda c: [task.update(user_intent="You have " + task["user_intent"]) for task in c["single"][::4]],
     "open with 'you have'"),
    ("task sameness", lambda c: c["single"][1].update(goal=c["single"][0]["goal"]), "near-duplicates"),
    ("situations", lambda c: [c["situations"].popitem() for _ in range(4)], "3 keys"),
    ("situations", lambda c: c["situations"]["day"].pop(), "at least 10"),
    ("summaries", lambda c: c["summaries"]["domain_names"].pop("Travel"), "20 domains"),
    ("summaries", lambda c: c["summaries"]["attribute_names"]["Alarm"].pop("sound"), "differ"),
    ("summaries", lambda c: c["summaries"]["domain_only"].update(Alarm=["colour"]), "unknown in domain_only"),
    ("summaries", lambda c: c["summaries"]["domains"]["Alarm"].pop(), "no sentence mentions it"),
    ("summaries", lambda c: c["summaries"]["domains"]["Alarm"].append({"role": "habit", "text": "They rise."}),
     "no placeholder"),
    ("summaries", lambda c: c["summaries"]["patterns"][0].update(role="coda"), "needs a role"),
    ("summaries", lambda c: pattern(c, "They like {value} and {values}."), "clashing"),
    ("summaries", lambda c: pattern(c, "They like {colour}."), "unknown or clashing"),
    ("summaries", lambda c: pattern(c, "They like {value."), "malformed"),
    ("summaries", lambda c: pattern(c, "they like {value}."), "not a sentence"),
    ("summaries", lambda c: pattern(c, c["summaries"]["patterns"][1]["text"]), "near-duplicates"),
    ("summaries", lambda c: c["summaries"]["patterns"].__delitem__(slice(0, 26)), "role opening: 0"),
    ("summaries", lambda c: c["summaries"]["patterns"].__delitem__(slice(0, 70)), "55 patterns"),
    ("summaries", lambda c: [p.update(text="They say, " + p["text"]) for p in c["summaries"]["patterns"][::8]],
     "open with 'they say'"),
    ("money", lambda c: c["single"][0].update(goal="The user agrees to pay 40 for it."), "without a currency"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])


def test_repeated_keys_are_noticed():
    with pytest.raises(ValueError, match="repeated key"):
        parse_yaml("sound: 1\nsound: 2\n")
