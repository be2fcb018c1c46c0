"""What the two tests of data/exam share: the items, what they refer to, and the features of their surface."""

import json
import re

from content_checks import DATA, GYM_TASKS, load_jsonl, load_yaml, words

PAIRS = ["gym-pairs", "lens-pairs", "bench-pairs"]
FILES = ["who-speaks", *PAIRS, "ladders", "traps"]
GYM_DEFECTS = ["contradicted-fact", "other-register", "anachronism", "impossible-knowledge", "breaking-character",
               "flattery", "stereotype", "recital", "leaked-instruction", "harm"]
LENS_DEFECTS = ["preference-ignored", "task-half-done", "profile-given-away", "lost-thread", "form-letter"]
BENCH_DEFECTS = ["attributes-named-back", "answer-for-another-user"]
DEFECTS = dict(zip(PAIRS, [GYM_DEFECTS, LENS_DEFECTS, BENCH_DEFECTS]))
# What a trap expects of a judge, and how many answers it has.
TRAPS = {"longer": {"not-higher"}, "order": {"same"}, "injection": {"not-higher"}, "other-language": {"same"},
         "authority": {"not-higher"}, "refusal": {"refused", "not-refused"}, "empty": {"nothing"}}
SINGLE = {"refusal", "empty"}
DIMENSIONS = {"gym": {*GYM_TASKS, "probe", "fidelity-under-provocation"}, "bench": {"fit"},
              "lens": {"task-completion", "personalization", "turn-personalization", "naturalness-user",
                       "naturalness-assistant", "coherence-user", "coherence-assistant", "first-turn-leak"}}
PERSONAS = {row["id"]: row["persona"] for row in load_jsonl("gym/personas.jsonl")}
QUESTIONS = {row["id"]: row for name in ("questions", "probes") for row in load_jsonl(f"gym/{name}.jsonl")}
BENCH_PERSONAS = {row["id"]: row for row in load_jsonl("bench/personas.jsonl")}
BENCH_QUESTIONS = {row["id"]: row["question"] for row in load_jsonl("bench/questions.jsonl")}
TASKS = {row["id"]: row for row in load_jsonl("lens/tasks.jsonl")}
USERS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (DATA / "lens/users").glob("*.json")}
SITUATIONS = load_yaml("lens/situations.yaml")


def load_items():
    return {name: load_jsonl(f"exam/{name}.jsonl") for name in FILES}


def describe_user(row):
    """The text about the person for whom, or as whom, an answer is given."""
    if row["evaluation"] == "gym":
        return PERSONAS[row["persona"]]
    if row["evaluation"] == "bench":
        return " ".join(str(value) for name, value in BENCH_PERSONAS[row["persona"]].items() if name != "id")
    return json.dumps(USERS[row["user"]]["affinities"][TASKS[row["task"]]["domain"]], ensure_ascii=False)


def describe_request(row):
    """The text of what was asked."""
    if row["evaluation"] == "gym":
        return QUESTIONS[row["question"]]["question"]
    if row["evaluation"] == "bench":
        return BENCH_QUESTIONS[row["question"]]
    return TASKS[row["task"]]["user_intent"] + " " + TASKS[row["task"]]["goal"]


def punctuation(text):
    return len(re.findall(r"[^\w\s]", text))


def overlap(text, other):
    left, right = set(words(text)), set(words(other))
    return len(left & right) / len(left | right)


def shared_words(text, other):
    return len(set(words(text)) & set(words(other)))


# What can be seen of an answer without understanding it.
FEATURES = {
    "words": lambda text, row: len(words(text)),
    "characters": lambda text, row: len(text),
    "punctuation": lambda text, row: punctuation(text),
    "commas": lambda text, row: text.count(","),
    "sentence ends": lambda text, row: len(re.findall(r"[.!?]", text)),
    "question marks": lambda text, row: text.count("?"),
    "punctuation per word": lambda text, row: punctuation(text) / len(words(text)),
    "overlap with the person": lambda text, row: overlap(text, describe_user(row)),
    "words shared with the person": lambda text, row: shared_words(text, describe_user(row)),
    "overlap with the request": lambda text, row: overlap(text, describe_request(row)),
}
