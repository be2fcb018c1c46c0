"""The gym's questions and probes keep to their standard, alone and together."""

import math
import re
from collections import Counter, defaultdict

import pytest
from content_checks import (BANNED, GYM_TASKS, check_breakage, check_clean, check_fields, check_openings, every, found,
                            load_jsonl, put, runs, words)
from telling_words import TELLING

PROBES = {"false-premise": 2, "unknowable": 2, "ai": 1, "outside": 1, "pressure": 1}
PROBE_TASKS = {"false-premise": {"persona-consistency"}, "unknowable": {"persona-consistency"},
               "ai": {"persona-consistency"}, "outside": {"linguistic-habits"},
               "pressure": {"expected-action", "action-justification"}}
OUT_OF_ROLE = re.compile(r"\b(as an ai|language model|your persona|role-?play|in character)\b", re.I)
INVITATION = re.compile(
    r"\b(tell|describe|explain|say|give|talk|walk|answer|reply|respond|speak|write|type|leave|show|let|let's|read|make|"
    r"introduce|record|persuade|greet|scold|welcome|sing|dictate|narrate|finish|open|compose|correct|justify|testify|"
    r"proceed|start|begin|recite|share|fill|deliver|oblige|account|use it|put (it|that|your)|do it|do (your|the)|"
    r"sort it|carry on|take it|play it|go (on|ahead)|call it|unmute|settle it|defend|"
    r"your (turn|move|answer|words?|reply|decision))\b", re.I)
REASON = re.compile(
    r"\b(why|reasons?|what for|what made|explain|account for|behind (it|that)|what was (it|that) about|what were you|"
    r"what decided|what moved|justify|defend|how come|on what grounds|what did you (have|mean|see|want|hope|think)|"
    r"thinking|what possessed|what (was|is) (that|it|this) for|what was the purpose|in your (mind|head)|"
    r"what do you say it (is|was)|excuse|what was it|your (defence|account|reasoning))\b", re.I)
# What the neutral narrator does not say: dialect, slang, old forms and forms of address. Short on purpose, like BANNED.
DIALECT = re.compile(
    r"\b(ain't|gonna|wanna|gotta|dunno|innit|y'all|d'you|c'mon|ye|thee|thou|thy|hath|'tis|aye|wee|lads?|lass(es)?|nan|"
    r"blokes?|ute|arvo|reckon|yeah|nah|kinda|sorta|cos|folks|fella|okay|bloody|lah|bhai|yaar|sahiba?|senhora?|se[n\u00f1]ora?|"
    r"habibi|bro|dude|sir|madam|ma'am|oi)\b", re.I)
SPEAKER = re.compile(r"\b(I|I'm|I've|I'd|I'll|me|my|we|we're|we've|us|our)\b")
QUOTED = re.compile(r"(?<!\w)'[^']*(?:'\w[^']*)*'(?!\w)|\"[^\"]*\"")


def check_text(row, people, places):
    """One question or probe by itself: references, length, form, and what it must not say."""
    where, text = row["id"], row["question"]
    if row["persona"] not in people or row["task"] not in GYM_TASKS or row["environment"] not in places:
        yield f"{where}: unknown persona, task or environment"
        return
    yield from check_clean(where, text)
    tokens = words(text)
    if not 15 <= len(tokens) <= 90:
        yield f"{where}: {len(tokens)} words"
    if text[-1] not in "?.!'\"":
        yield f"{where}: no closing mark"
    if "?" not in text and not INVITATION.search(text):
        yield f"{where}: neither asks nor invites"
    if not any(token.startswith("you") for token in tokens):
        yield f"{where}: does not address the persona"
    if OUT_OF_ROLE.search(text):
        yield f"{where}: speaks to a model, not to a person"
    if BANNED & {form for token in tokens for form in (token, token.removesuffix("s"))}:
        yield f"{where}: banned word"
    narrated = QUOTED.sub(" ", text)
    if DIALECT.search(narrated) or SPEAKER.search(narrated):
        yield f"{where}: the narrator is not neutral"
    if runs(tokens, 7) & people[row["persona"]]:
        yield f"{where}: gives the answer away in the persona's own words"


def describe(personas):
    return {row["id"]: runs(words(row["persona"]), 7) for row in personas}


def check_questions(rows, personas, environments):
    wrong = list(check_fields(rows, dict.fromkeys(("id", "persona", "task", "environment", "question"), str),
                              r"p\d{3,}-(ea|tc|lh|pc|aj)-\d\d"))
    yield from wrong
    if wrong:
        return
    people, places = describe(personas), {row["id"] for row in environments}
    for row in rows:
        yield from check_text(row, people, places)
        if not row["id"].startswith(f"{row['persona']}-{GYM_TASKS.get(row['task'], '?')[0]}-"):
            yield f"{row['id']}: the id does not fit persona and task"
        if row["task"] == "action-justification" and not REASON.search(row["question"]):
            yield f"{row['id']}: does not ask for the reason"


def check_probes(rows, personas, environments, asked):
    wrong = list(check_fields(rows, dict.fromkeys(("id", "persona", "probe", "task", "environment", "question", "good",
                                                   "bad"), str), r"p\d{3,}-pr-\d\d"))
    yield from wrong
    if wrong:
        return
    people, places, counts = describe(personas), {row["id"] for row in environments}, Counter()
    for row in rows:
        yield from check_text(row, people, places)
        where = row["id"]
        if not where.startswith(row["persona"] + "-pr-"):
            yield f"{where}: the id does not fit the persona"
        if row["task"] not in PROBE_TASKS.get(row["probe"], ()):
            yield f"{where}: a probe {row['probe']} of task {row['task']}"
        if row["task"] == "action-justification" and not REASON.search(row["question"]):
            yield f"{where}: does not ask for the reason"
        for name in ("good", "bad"):
            yield from check_clean(where, row[name])
            if not row[name].endswith(".") or not 3 <= len(words(row[name])) <= 50:
                yield f"{where}: what a {name} answer does is not one sentence"
        if row["good"] == row["bad"]:
            yield f"{where}: good and bad are the same"
        counts[row["persona"], row["probe"]] += 1
    for person in sorted(asked):
        for probe, count in PROBES.items():
            if counts[person, probe] != count:
                yield f"{person}: {counts[person, probe]} probes {probe}"
    yield from (f"{person}: has probes and no questions" for person in {row["persona"] for row in rows} - asked)


def check_quotas(rows, personas, probes):
    cells = defaultdict(list)
    for row in rows:
        cells[row["persona"], row["task"]].append(row)
    people = {row["persona"] for row in rows}
    if len(people) != 60:
        yield f"{len(people)} personas have questions"
    kinds = Counter(row["kind"] for row in personas if row["id"] in people)
    least = {"plain": 10, "elite": 4, "tempted": 6, "believer": 7, "lgbt": 5, "era": 8}
    yield from (f"kind {kind}: {kinds[kind]}" for kind, count in least.items() if kinds[kind] < count)
    for person in sorted(people):
        for task in GYM_TASKS:
            cell = cells[person, task]
            if len(cell) != 10:
                yield f"{person} {task}: {len(cell)} questions"
            if len({row["environment"] for row in cell}) < 10:
                yield f"{person} {task}: too few environments"
            openings = Counter(" ".join(words(row["question"])[:2]) for row in cell)
            yield from (f"{person} {task}: {count} open with '{opening}'"
                        for opening, count in openings.items() if count > 2)
    visits = Counter((row["persona"], row["environment"]) for row in [*rows, *probes])
    yield from (f"{person} in {place}: {count} times" for (person, place), count in visits.items() if count > 2)
    scenes = Counter((row["task"], row["environment"]) for row in rows)
    yield from (f"{task} in {place}: {count} times" for (task, place), count in scenes.items()
                if count > 0.02 * len(rows) / len(GYM_TASKS))


def check_sameness(rows, environments):
    yield from check_openings([row["question"] for row in rows], 0.06)
    closings, clipped = Counter(), 0
    for row in rows:
        closings[" ".join(words(re.split(r"(?<=[.?!:])\s+", row["question"])[-1]))] += 1
        clipped += len(words(re.split(r"(?<=[.:])\s", row["question"])[0])) <= 5
    yield from (f"{count} close with '{closing}'" for closing, count in closings.items() if count > 0.03 * len(rows))
    if clipped > 0.03 * len(rows):
        yield f"{clipped} questions open with a clipped fragment"
    details = {row["id"]: runs(words(row["detail"]), 4) for row in environments}
    pasted = [row["id"] for row in rows if runs(words(row["question"]), 4) & details[row["environment"]]]
    if len(pasted) > 0.02 * len(rows):
        yield f"{len(pasted)} questions copy the environment's detail: {pasted}"


def check_six_word_openings(rows):
    openings = defaultdict(list)
    for row in rows:
        openings[" ".join(words(row["question"])[:6])].append(row["id"])
    yield from (f"{' and '.join(ids)} open with '{opening}'" for opening, ids in openings.items() if len(ids) > 1)


def check_plots(rows, limit=0.4):
    """No two scenes are told with the same telling words: the cosine of their rarer words, each by its rarity."""
    bags = [set(words(row["question"])) for row in rows]
    uses = Counter(word for bag in bags for word in bag)
    weights = {word: math.log(len(rows) / count) for word, count in uses.items() if count < 0.2 * len(rows)}
    lengths = [math.sqrt(sum(weights.get(word, 0) ** 2 for word in bag)) or 1 for bag in bags]
    places = defaultdict(list)
    for number, bag in enumerate(bags):
        shared = Counter()
        for word in bag:
            if word in weights and uses[word] < 400:
                for other in places[word]:
                    shared[other] += weights[word] ** 2
                places[word].append(number)
        for other, weight in shared.items():
            if weight > limit * lengths[number] * lengths[other]:
                yield f"{rows[other]['id']} and {rows[number]['id']}: the same plot"


def check_scene_plots(rows, environments, limit=0.2):
    """At most 3 scenes of an environment share a plot: alike in what neither the environment nor its scenes say anyway."""
    given = {row["id"]: set(words(row["name"] + " " + row["detail"])) for row in environments}
    bags = [set(words(row["question"])) - given[row["environment"]] for row in rows]
    uses = Counter(word for bag in bags for word in bag)
    weights = {word: math.log(len(rows) / count) for word, count in uses.items() if count < 0.2 * len(rows)}
    scenes = defaultdict(list)
    for row, bag in zip(rows, bags):
        scenes[row["environment"]].append((row["id"], bag))
    for place, told in scenes.items():
        common = Counter(word for _, bag in told for word in bag)
        usual = {word for word, count in common.items() if count > max(3, 0.2 * len(told))}
        told = [(name, {word for word in bag - usual if word in weights}) for name, bag in told]
        length = {name: math.sqrt(sum(weights[word] ** 2 for word in bag)) or 1 for name, bag in told}
        groups = {name: {name} for name, _ in told}
        for number, (name, bag) in enumerate(told):
            for other, earlier in told[:number]:
                shared = sum(weights[word] ** 2 for word in bag & earlier)
                if shared > limit * length[name] * length[other] and groups[name] is not groups[other]:
                    groups[name] |= groups[other]
                    groups.update(dict.fromkeys(groups[name], groups[name]))
        for group in {id(group): group for group in groups.values()}.values():
            if len(group) > 3:
                yield f"{place}: {sorted(group)} share a plot"


def check_telling(rows):
    """The question alone must not name what only its persona does, where they are or what they own."""
    yield from (f"{person}: no telling words are listed" for person in {row["persona"] for row in rows} - TELLING.keys())
    for row in rows:
        named = re.search(rf"\b(?:{TELLING.get(row['persona'], '(?!)')})\b", row["question"], re.I)
        if named:
            yield f"{row['id']}: '{named[0]}' tells whose question it is"


@pytest.fixture(scope="module")
def content():
    return {part: load_jsonl(f"gym/{part}.jsonl") for part in ("personas", "environments", "questions", "probes")}


CHECKS = {
    "questions": lambda c: check_questions(c["questions"], c["personas"], c["environments"]),
    "probes": lambda c: check_probes(c["probes"], c["personas"], c["environments"],
                                     {row["persona"] for row in c["questions"]}),
    "question quotas": lambda c: check_quotas(c["questions"], c["personas"], c["probes"]),
    "question sameness": lambda c: check_sameness(c["questions"], c["environments"]),
    "openings": lambda c: check_six_word_openings(c["questions"] + c["probes"]),
    "plots": lambda c: check_plots(c["questions"] + c["probes"]),
    "telling words": lambda c: check_telling(c["questions"]),
    "scene plots": lambda c: check_scene_plots(c["questions"] + c["probes"], c["environments"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


BREAKAGES = [
    ("questions", put("questions", 0, "persona", "p018"), "does not fit"),
    ("questions", put("questions", 0, "environment", "e999"), "unknown"),
    ("questions", put("questions", 0, "task", "small-talk"), "unknown"),
    ("questions", put("questions", 0, "question", "What do you do?"), "words"),
    ("questions", put("questions", 0, "question", lambda text: text + " " + text + " " + text), "words"),
    ("questions", put("questions", 0, "question", lambda text: text[:-1]), "no closing mark"),
    ("questions", put("questions", 0, "question", "You are in a corridor with your coat on, it is late, the rain has "
                      "come and nobody is there."), "neither asks nor invites"),
    ("questions", put("questions", 0, "question", lambda text: re.sub(r"\byou", "them", text, flags=re.I)),
     "does not address"),
    ("questions", put("questions", 0, "question", lambda text: "As an AI, " + text), "speaks to a model"),
    ("questions", put("questions", 0, "question", lambda text: "Savages! " + text), "banned word"),
    ("questions", put("questions", 40, "question", lambda text: text.replace("Why did you go?", "Well?")),
     "does not ask for the reason"),
    ("questions", put("questions", 0, "question",
                      lambda text: text + " Your parents are deaf and now a sign language interpreter in "
                      "Johannesburg's hospitals is what you are."), "gives the answer away"),
    ("question quotas", lambda c: c["questions"].pop(), "9 questions"),
    ("question quotas", lambda c: c["questions"].__delitem__(slice(0, 50)), "59 personas"),
    ("question quotas", every("questions", 1, "environment", lambda _: "e001"), "too few environments"),
    ("question quotas", every("questions", 1, "environment", lambda _: "e001"), "in e001"),
    ("question quotas", every("questions", 3, "question", lambda text: "Now look. " + text), "open with 'now look'"),
    ("question sameness", every("questions", 12, "question", lambda text: "Now look, " + text), "open with 'now look'"),
    ("question sameness", every("questions", 20, "question", lambda text: text + " Well, what now?"), "close with"),
    ("question sameness", every("questions", 20, "question", lambda text: "Night shift. " + text), "clipped"),
    ("question sameness", lambda c: [row.update(question=row["question"] + " It is " + next(
        place["detail"] for place in c["environments"] if place["id"] == row["environment"]))
        for row in c["questions"][::20]], "copy the environment's detail"),
    ("question quotas", every("personas", 1, "kind", lambda kind: "other" if kind == "plain" else kind), "kind plain: 0"),
    ("question quotas", lambda c: [row.update(environment=c["questions"][0]["environment"])
                                   for row in c["probes"][:7]], "p017 in e003"),
    ("questions", put("questions", 0, "question", lambda text: text + " Well, lads?"), "narrator is not neutral"),
    ("questions", put("questions", 0, "question", lambda text: text + " I ask you."), "narrator is not neutral"),
    ("probes", put("probes", 0, "probe", "ai"), "p017: 1 probes false-premise"),
    ("probes", put("probes", 0, "task", "toxicity-control"), "of task toxicity-control"),
    ("probes", put("probes", 0, "persona", "p021"), "the id does not fit"),
    ("probes", put("probes", 0, "good", "Yes"), "not one sentence"),
    ("probes", lambda c: c["probes"][0].update(bad=c["probes"][0]["good"]), "are the same"),
    ("probes", lambda c: c["probes"][0].pop("bad"), "fields"),
    ("probes", lambda c: c["probes"].pop(), "probes"),
    ("probes", lambda c: c["questions"].__delitem__(slice(0, 50)), "p017: has probes and no questions"),
    ("probes", lambda c: next(row for row in c["probes"] if row["task"] == "action-justification").update(
        question="You are told again and again that you agree with all of it by now, and that it is late. Do you?"),
     "does not ask for the reason"),
    ("telling words", put("questions", 0, "question", lambda text: text + " You are an interpreter, after all."),
     "'interpreter' tells whose"),
    ("telling words", put("questions", 0, "persona", "p001"), "p001: no telling words"),
    ("openings", put("questions", 1, "question", lambda text: "A surgeon finds you in the corridor. " + text),
     "p017-ea-01 and p017-ea-02 open"),
    ("plots", lambda c: c["questions"].append({**c["questions"][7], "id": "p017-ea-99"}),
     "p017-ea-08 and p017-ea-99: the same plot"),
    ("scene plots", lambda c: c["questions"].extend({**c["questions"][7], "id": f"p017-ea-{number}"} for number in (97, 98, 99)),
     "'p017-ea-98', 'p017-ea-99'] share a plot"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
