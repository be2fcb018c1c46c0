"""The items of data/exam: fields, counts, references, gold positions, minimal differences, near-duplicates."""

import difflib
import itertools
import re
from collections import Counter

import pytest
from content_checks import (BANNED, DATA, TYPOGRAPHIC, check_breakage, check_clean, check_fields, check_near_duplicates,
                            found, load_yaml, put, words)
from exam_items import (BENCH_PERSONAS, BENCH_QUESTIONS, DEFECTS, DIMENSIONS, FILES, PAIRS, PERSONAS, QUESTIONS, SINGLE,
                        SITUATIONS, TASKS, TRAPS, USERS, load_items, punctuation)

COMMON = {"id": str, "evaluation": str, "dimension": str}
ASKED = {"persona": str, "question": str, "answers": list}
FIELDS = {"who-speaks": {**COMMON, "question": str, "answer": str, "personas": list, "gold": int},
          "gym-pairs": {**COMMON, **ASKED, "defect": str, "gold": int, "why": str},
          "bench-pairs": {**COMMON, **ASKED, "defect": str, "gold": int, "why": str},
          "lens-pairs": {**COMMON, "user": str, "task": str, "situation": dict, "answers": list, "defect": str, "gold": int,
                         "why": str},
          "ladders": {**COMMON, **ASKED, "gold": list},
          "traps": {**COMMON, **ASKED, "trap": str, "language": str, "gold": str}}
LETTERS = dict(zip(FILES, "wglbdt"))
LEAST = {"who-speaks": 80, "gym-pairs": 140, "lens-pairs": 80, "bench-pairs": 40, "ladders": 30, "traps": 80}
LEAST_DEFECTS = {"form-letter": 10}
TURNS = re.compile(r"\[USER\]: [^\n]+(\n\[ASSISTANT\]: [^\n]+\n\[USER\]: [^\n]+)*(\n\[ASSISTANT\]: [^\n]+)?")
# Dimensions whose judges are told the user's moment.
WITH_SITUATION = {"personalization", "turn-personalization"}


def check_item_fields(items):
    for name, rows in items.items():
        yield from check_fields(rows, FIELDS[name], LETTERS[name] + r"\d{3}")
        yield from (f"{row['id']}: {row['dimension']} is no dimension of {row['evaluation']}" for row in rows
                    if row["dimension"] not in DIMENSIONS.get(row["evaluation"], ()))


def check_references(items):
    for row in (row for name in FILES for row in items[name]):
        where = row["id"]
        if row["id"][0] == "w":
            yield from (f"{where}: no persona {persona}" for persona in row["personas"] if persona not in PERSONAS)
        elif row["evaluation"] == "bench":
            if row["persona"] not in BENCH_PERSONAS or row["question"] not in BENCH_QUESTIONS:
                yield f"{where}: no such persona or question of the bench"
        elif row["evaluation"] == "gym":
            question = QUESTIONS.get(row["question"])
            if not question or question["persona"] != row["persona"]:
                yield f"{where}: {row['question']} is no question to {row['persona']}"
            elif row["dimension"] != ("probe" if "probe" in question else question["task"]) and \
                    (row["dimension"], question["task"]) != ("fidelity-under-provocation", "toxicity-control"):
                yield f"{where}: {row['question']} is not asked for {row['dimension']}"
        elif row["user"] not in USERS or TASKS.get(row["task"], {}).get("domain") not in USERS[row["user"]]["affinities"]:
            yield f"{where}: no such user or task"


def check_situations(rows):
    for row in rows:
        expected = set(SITUATIONS) if row["dimension"] in WITH_SITUATION else set()
        values = row["situation"].items()
        if set(row["situation"]) != expected or any(value not in SITUATIONS[name] for name, value in values):
            yield f"{row['id']}: situation {row['situation']}"


def check_counts(items):
    yield from (f"{name}: {len(items[name])} items" for name in FILES if len(items[name]) < LEAST[name])
    if sum(map(len, items.values())) < 400:
        yield "fewer than 400 items"
    for name, defects in DEFECTS.items():
        counts = Counter(row["defect"] for row in items[name])
        if set(counts) != set(defects):
            yield f"{name}: defects {sorted(counts)}"
        yield from (f"{name}: {defect} {count} times" for defect, count in counts.items()
                    if count < LEAST_DEFECTS.get(defect, 13))
    traps = Counter(row["trap"] for row in items["traps"])
    if set(traps) != set(TRAPS) or min(traps.values()) < 10:
        yield f"traps: {dict(traps)}"


def check_gold(items):
    """Every answer has its gold, and no position is right more often than the others."""
    places = Counter(row["gold"] for row in items["who-speaks"])
    if set(places.values()) != {len(items["who-speaks"]) / 4} or set(places) != {0, 1, 2, 3}:
        yield f"who-speaks: gold at {dict(places)}"
    for name, defects in DEFECTS.items():
        for defect in defects:
            golds = [row["gold"] for row in items[name] if row["defect"] == defect]
            if not set(golds) <= {0, 1} or abs(sum(golds) - len(golds) / 2) > 1:
                yield f"{defect}: gold is {golds}"
    for row in items["ladders"]:
        if sorted(row["gold"]) != [1, 2, 3, 4, 5] or len(row["answers"]) != 5:
            yield f"{row['id']}: gold {row['gold']}"
    for place in range(5):
        ranks = Counter(row["gold"][place] for row in items["ladders"] if len(row["gold"]) > place)
        if max(ranks.values()) > 2 * len(items["ladders"]) / 5:
            yield f"ladders: place {place} holds {dict(ranks)}"
    for row in items["traps"]:
        if row["gold"] not in TRAPS.get(row["trap"], ()) or len(row["answers"]) != (1 if row["trap"] in SINGLE else 2):
            yield f"{row['id']}: gold {row['gold']} with {len(row['answers'])} answers"


def texts_of(row):
    return [row["answer"]] if "answer" in row else row["answers"]


def check_texts(items):
    for name, rows in items.items():
        for row in rows:
            for text in texts_of(row):
                if row.get("trap") not in ("empty", "injection"):
                    yield from (problem for line in text.split("\n") for problem in check_clean(row["id"], line))
                if "\n" in text and name != "lens-pairs" and row.get("trap") != "injection":
                    yield f"{row['id']}: more than one line"
                if BANNED & set(words(text)):
                    yield f"{row['id']}: banned word"
                if name == "lens-pairs" and not TURNS.fullmatch(text):
                    yield f"{row['id']}: not a conversation"
            if "why" in row and (not row["why"].endswith(".") or TYPOGRAPHIC.search(row["why"])):
                yield f"{row['id']}: why is not a sentence"


def check_minimal(items):
    """The two answers of a pair share most of their words and are about as long."""
    for row in (row for name in PAIRS for row in items[name]):
        left, right = (words(text) for text in row["answers"])
        share = difflib.SequenceMatcher(None, left, right, autojunk=False).ratio()
        if share < 0.4:
            yield f"{row['id']}: the answers share {share:.0%} of their words"
        if abs(len(left) - len(right)) > max(5, 0.16 * min(len(left), len(right))):
            yield f"{row['id']}: {len(left)} and {len(right)} words"
        if abs(punctuation(row["answers"][0]) - punctuation(row["answers"][1])) > 8:
            yield f"{row['id']}: {[punctuation(text) for text in row['answers']]} marks of punctuation"


def check_traps(rows):
    """A trap's second answer holds the first, except where it is another one as good or in another language."""
    for row in rows:
        if row["trap"] in ("injection", "authority") and row["answers"][0] not in row["answers"][1]:
            yield f"{row['id']}: the two answers differ in more than the trap"
        if row["trap"] == "longer" and len(words(row["answers"][1])) < 1.4 * len(words(row["answers"][0])):
            yield f"{row['id']}: the second answer is not longer"
        if (row["language"] == "en") == (row["trap"] == "other-language"):
            yield f"{row['id']}: language {row['language']}"


def check_blocks(rows):
    """Four answers to one question with the same four candidates, each of whom is right once: without the answer,
    nobody can do better than chance."""
    blocks = {}
    for row in rows:
        blocks.setdefault(row["question"], []).append(row)
    for question, block in blocks.items():
        candidates = {tuple(sorted(row["personas"])) for row in block}
        right = sorted(row["personas"][row["gold"]] for row in block)
        if len(candidates) != 1 or right != sorted(block[0]["personas"]) or len(set(right)) != 4:
            yield f"'{question}': right are {right}"


def check_duplicates(items):
    """No two items tell the same; within an item the answers are meant to be alike."""
    texts = [(row["id"], max(texts_of(row), key=len)) for name in FILES if name != "ladders" for row in items[name]
             if row.get("trap") != "empty"]
    texts += [(f"{row['id']}-{score}", text) for row in items["ladders"] for score, text in zip(row["gold"], row["answers"])
              if score == 5]
    yield from check_near_duplicates(texts, 0.45)


def check_marks(items):
    """The pass marks name kinds and dimensions that have items, and every dimension with items is named."""
    marks = load_yaml("exam/licence.yaml")
    if marks.get("version") != 1 or marks.get("licence") != "CC-BY-4.0":
        yield "version or licence is missing"
    asked = {f"{row['evaluation']}/{row['dimension']}" for rows in items.values() for row in rows}
    yield from (f"{name}: no pass marks, or no items" for name in asked ^ set(marks["dimensions"]))
    if set(marks["traps"]) != set(TRAPS):
        yield f"traps {sorted(marks['traps'])}"
    for name, mark in {**marks["kinds"], **marks["traps"]}.items():
        if not mark or not all(0 < value <= 1 for value in mark.values()):
            yield f"{name}: {mark}"


CHECKS = {"fields": check_item_fields, "references": check_references, "counts": check_counts, "gold": check_gold,
          "situations": lambda items: check_situations(items["lens-pairs"]), "texts": check_texts,
          "minimal difference": check_minimal, "traps": lambda items: check_traps(items["traps"]),
          "blocks": lambda items: check_blocks(items["who-speaks"]), "near-duplicates": check_duplicates,
          "marks": check_marks}


@pytest.fixture(scope="module")
def content():
    return load_items()


@pytest.mark.parametrize("name", CHECKS)
def test_items(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def answer(name, index, place, change):
    def edit(items):
        items[name][index]["answers"][place] = change(items[name][index]["answers"][place])
    return edit


BREAKAGES = [
    ("fields", lambda c: c["traps"][0].pop("gold"), "fields"),
    ("fields", put("gym-pairs", 0, "gold", "0"), "not of type int"),
    ("fields", put("ladders", 0, "id", "d002"), "id used 2 times"),
    ("fields", put("lens-pairs", 0, "dimension", "fit"), "no dimension of lens"),
    ("references", put("gym-pairs", 0, "question", "p999-ea-01"), "no question to"),
    ("references", put("gym-pairs", 0, "dimension", "toxicity-control"), "is not asked for"),
    ("references", put("who-speaks", 0, "personas", ["p999"]), "no persona p999"),
    ("references", put("bench-pairs", 0, "question", "q999"), "of the bench"),
    ("references", put("lens-pairs", 0, "task", "ps-Alarm-99"), "no such user or task"),
    ("situations", put("lens-pairs", 0, "situation", {}), "situation"),
    ("counts", lambda c: c["who-speaks"].pop(), "who-speaks: 79 items"),
    ("counts", lambda c: c["traps"].clear(), "fewer than 400"),
    ("counts", put("gym-pairs", 0, "defect", "typo"), "defects"),
    ("gold", put("who-speaks", 0, "gold", lambda gold: (gold + 1) % 4), "gold at"),
    ("gold", lambda c: [row.update(gold=0) for row in c["gym-pairs"]], "gold is"),
    ("gold", put("ladders", 0, "gold", [1, 2, 3, 4, 4]), "gold"),
    ("gold", lambda c: [row.update(gold=[1, 2, 3, 4, 5]) for row in c["ladders"]], "place 0 holds"),
    ("gold", put("traps", 0, "gold", "higher"), "gold higher"),
    ("texts", answer("gym-pairs", 0, 0, lambda text: text + " \u2014 so."), "typographic"),
    ("texts", answer("gym-pairs", 0, 0, lambda text: text + "\nSo."), "more than one line"),
    ("texts", answer("gym-pairs", 0, 0, lambda text: text + " A moron."), "banned word"),
    ("texts", answer("lens-pairs", 0, 0, lambda text: text + "\nAnd so on."), "not a conversation"),
    ("texts", put("gym-pairs", 0, "why", "So"), "not a sentence"),
    ("minimal difference", answer("gym-pairs", 0, 0, lambda text: text + " So it was." * 8), "words"),
    ("minimal difference", answer("gym-pairs", 0, 0, lambda text: text + "!!!!!!!!!"), "marks of punctuation"),
    ("minimal difference", answer("gym-pairs", 0, 0, lambda text: " ".join("word" for _ in text.split())), "share"),
    ("traps", lambda c: [row["answers"].reverse() for row in c["traps"] if row["trap"] == "injection"],
     "more than the trap"),
    ("traps", lambda c: c["traps"][0]["answers"].reverse(), "not longer"),
    ("traps", put("traps", 0, "language", "de"), "language de"),
    ("blocks", put("who-speaks", 0, "gold", lambda gold: (gold + 1) % 4), "right are"),
    ("near-duplicates", lambda c: c["bench-pairs"].append({**c["bench-pairs"][0], "id": "b999"}), "b001 and b999"),
    ("marks", put("bench-pairs", 0, "dimension", "gold"), "no pass marks"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])


def test_no_other_files():
    assert {path.stem for path in (DATA / "exam").glob("*.jsonl")} == set(FILES)


def test_the_card_explains_every_defect_and_trap():
    card = (DATA / "exam/README.md").read_text(encoding="utf-8")
    for name in [*itertools.chain(*DEFECTS.values()), *TRAPS]:
        assert f"| `{name}` |" in card, name
