"""What the tests of the written content share: loading, words, near-duplicates, openings."""

import copy
import json
import pathlib
import re
from collections import Counter

import yaml

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
GYM_TASKS = {"expected-action": ("ea", "Expected Action", "normative"),
             "toxicity-control": ("tc", "Toxicity Control", "prescriptive"),
             "linguistic-habits": ("lh", "Linguistic Habits", "prescriptive"),
             "persona-consistency": ("pc", "Persona Consistency", "prescriptive"),
             "action-justification": ("aj", "Action Justification", "descriptive")}
# Words that demean people for what they are. A tripwire, short on purpose: no question needs any of them.
BANNED = set("""retard retarded spastic cripple crippled tranny faggot dyke gypsy savages savage primitive subhuman
    vermin cockroaches coloured oriental midget mongoloid negro halfwit imbecile moron psycho whore slut bitch heathen
    infidel towelhead wetback redskin squaw eskimo""".split())
TYPOGRAPHIC = re.compile("[\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026]")


def _no_repeats(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"repeated key in {names}")
    return dict(pairs)


def parse_jsonl(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line, object_pairs_hook=_no_repeats)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        if not isinstance(row, dict):
            raise ValueError(f"line {number}: not an object")
        rows.append(row)
    return rows


def load_jsonl(name):
    return parse_jsonl((DATA / name).read_text(encoding="utf-8"))


class _UniqueKeys(yaml.SafeLoader):
    def construct_mapping(self, node, deep=False):
        names = [self.construct_object(name, deep=True) for name, _ in node.value]
        if len(set(names)) != len(names):
            raise ValueError(f"line {node.start_mark.line + 1}: repeated key in {names}")
        return super().construct_mapping(node, deep)


def parse_yaml(text):
    return yaml.load(text, _UniqueKeys)


def load_yaml(name):
    return parse_yaml((DATA / name).read_text(encoding="utf-8"))


def words(text):
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.lower())


def runs(tokens, length):
    return {tuple(tokens[i:i + length]) for i in range(len(tokens) - length + 1)}


def check_fields(rows, fields, pattern):
    """Every row has exactly these fields with these types, and an id of its own that fits the pattern."""
    seen = Counter(str(row.get("id")) for row in rows)
    for row in rows:
        where = str(row.get("id"))
        if set(row) != set(fields):
            yield f"{where}: fields {sorted(row)}, expected {sorted(fields)}"
            continue
        for name, kind in fields.items():
            if type(row[name]) is not kind:
                yield f"{where}: {name} is not of type {kind.__name__}"
        if not re.fullmatch(pattern, where):
            yield f"{where}: malformed id"
        if seen[where] > 1:
            yield f"{where}: id used {seen[where]} times"


def check_clean(where, text):
    if not text or text != text.strip() or "  " in text or re.search(r"[\x00-\x1f\x7f]", text):
        yield f"{where}: empty, stray white space or control character"
    if TYPOGRAPHIC.search(text):
        yield f"{where}: typographic quote, dash or ellipsis"


def check_near_duplicates(items, limit):
    """No two texts share more than `limit` of their words (Jaccard). items: (id, text)."""
    sets = [(name, set(words(text))) for name, text in items]
    for i, (left_name, left) in enumerate(sets):
        for right_name, right in sets[i + 1:]:
            shared = len(left & right)
            if shared > limit * (len(left) + len(right) - shared):
                yield f"{left_name} and {right_name}: near-duplicates"


def check_openings(texts, share, length=2):
    openings = Counter(" ".join(words(text)[:length]) for text in texts)
    for opening, count in openings.items():
        if count > max(1, share * len(texts)):
            yield f"{count} of {len(texts)} open with '{opening}'"


def check_prompt(name, text, fields, versions=(1,)):
    """A prompt's head names its purpose, version and exactly the {fields} of its text, and the judged text is fenced."""
    _, front, body = text.split("---\n", 2)
    head = parse_yaml(front)
    used = set(re.findall(r"\{(\w+)\}", body))
    if not head.get("purpose") or head.get("version") not in versions:
        yield f"{name}: purpose or version is missing"
    if not set(head.get("placeholders", {})) == used == set(fields):
        yield f"{name}: placeholders {sorted(used)}"
    if re.search(r"\{[^\w\"]|\w\}\}", body):
        yield f"{name}: malformed placeholder"
    if name.startswith(("judge", "critic")) and "verdict" not in head:
        yield f"{name}: the form of the verdict is not defined"
    if used & {"answer", "conversation"} and not re.search(
            r"\n\[\[(\w+) BEGINS\]\]\n(?:[^\[{]*\n)?\{(answer|conversation)\}\n(?:[^\[]*\n)?\[\[\1 ENDS\]\]\n", body):
        yield f"{name}: what is judged is not between its markers"
    if len(words(body)) > 290:
        yield f"{name}: {len(words(body))} words"


def check_rubric(name, rubric, scale, **expected):
    """A rubric's head, its criteria for every score of the scale, and points that are sentences."""
    expected = {"id": name, "version": 1, "licence": "CC-BY-4.0", "written_for": "Personascope", "scale": scale} | expected
    yield from (f"{name}: {key} is {rubric.get(key)!r}" for key, value in expected.items() if rubric.get(key) != value)
    if list(rubric.get("criteria", {})) != list(scale):
        yield f"{name}: criteria and scale differ"
    if not str(rubric.get("asks")).endswith(("?", ".")):
        yield f"{name}: asks nothing"
    for point in [*rubric.get("criteria", {}).values(), *rubric["does_not_matter"], *rubric["judge_mistakes"]]:
        yield from check_clean(name, point)
        if not point.endswith("."):
            yield f"{name}: not a sentence: {point}"


def found(problems):
    """The problems as one text, for assert messages."""
    return "\n".join(problems)


def check_breakage(checks, content, name, change, message):
    """The check of that name must say the message of a copy of the content that `change` has broken."""
    broken = copy.deepcopy(content)
    change(broken)
    problems = list(checks[name](broken))
    assert any(message in problem for problem in problems), found(problems)


def put(part, index, field, value):
    def change(content):
        row = content[part][index]
        row[field] = value(row[field]) if callable(value) else value
    return change


def every(part, step, field, value):
    def change(content):
        for row in content[part][::step]:
            row[field] = value(row[field])
    return change
