"""The tables, lists and rules from which the bench's personas are drawn fit together: drawn here, in short."""

import json
import math
import random
import re

import pytest
from content_checks import DATA, check_breakage, check_clean, check_near_duplicates, check_openings, found, load_jsonl, load_yaml
from test_bench_content import ATTRIBUTES

FILES = ["marginals", "origins", "lists", "jobs", "rules"]
LEAST = {"defining quirks": 40, "mannerisms": 40, "personal time": 40, "lifestyle": 40, "ideology": 30,
         "political views": 30, "religion": 40}
DRAWN = 1000


def holds(conditions, persona):
    def fits(name, wanted):
        value = persona.get(name)
        bounds = re.fullmatch(r"(\d+)-(\d+)", wanted) if isinstance(wanted, str) else None
        if bounds:
            number = re.sub(r"\D", "", str(value))
            return number != "" and int(bounds[1]) <= int(number) <= int(bounds[2])
        return value in wanted if isinstance(wanted, list) else value == wanted
    return all(fits(name, wanted) for name, wanted in conditions.items())


def entries(items):
    return [{"text": item} if isinstance(item, str) else item for item in items]


def pick(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


def draw_value(rng, entry, persona, content):
    """One value, or nothing where no entry of a list can be drawn."""
    if "list" in entry:
        items = content["lists"].get(entry["list"]) or content["jobs"][entry["list"]]
        items = entries(items[persona[entry["by"]]] if "by" in entry else items)
        fit = [item["text"] for item in items if holds(item.get("only", {}), persona)
               and not any(holds({name: wanted}, persona) for name, wanted in item.get("never", {}).items())]
        return rng.choice(fit) if fit else None
    table = next(table for table in entry["tables"] if holds(table.get("when", {}), persona))
    if "ranges" in table:
        low, high = pick(rng, table["ranges"]).split("-")
        return str(rng.randint(int(low), int(high)))
    if "lognormal" in table:
        spec = table["lognormal"]
        number = min(max(math.exp(rng.gauss(math.log(spec["median"]), spec["sigma"])), spec["least"]), spec["most"])
        return spec["form"].replace("{}", f"{round(number / spec['round']) * spec['round']:,}")
    if "normal" in table:
        spec = table["normal"]
        scores = [min(max(round(rng.gauss(spec["mean"], spec["sd"])), spec["least"]), spec["most"]) for _ in spec["scores"]]
        return ", ".join(f"{name} {score}" for name, score in zip(spec["scores"], scores))
    value = pick(rng, table["values"])
    if value == "{ancestry}":
        return content["origins"]["ancestries"][persona["place of birth"]]
    return content["origins"]["languages"].get(persona["ancestry"], "English") if value == "{language}" else value


def draw(rng, content):
    persona = {}
    for entry in content["marginals"]["draws"]:
        name = entry.get("attribute") or entry["hidden"]
        persona[name] = draw_value(rng, entry, persona, content)
    return persona


def broken_rules(persona, rules):
    for rule in rules:
        if holds(rule["if"], persona):
            kept = all(holds({name: wanted}, persona) for name, wanted in rule.get("must", {}).items())
            if not kept or any(holds({name: wanted}, persona) for name, wanted in rule.get("must_not", {}).items()):
                yield rule["id"]


def check_tables(marginals):
    names = [entry["attribute"] for entry in marginals["draws"] if "attribute" in entry]
    if sorted(names) != sorted(ATTRIBUTES):
        yield f"not the 33 attributes: {set(names) ^ set(ATTRIBUTES)}"
    for entry in marginals["draws"]:
        name = entry.get("attribute") or entry.get("hidden")
        figures = entry.get("figures", {})
        if figures.get("certainty") not in ("approximate", "own") or (
                figures["certainty"] == "approximate" and not figures.get("sources")):
            yield f"{name}: certainty or sources are missing"
        yield from (f"{name}: unknown source {source}" for source in figures.get("sources", [])
                    if source not in marginals["sources"])
        for table in entry.get("tables", []):
            weights = table.get("values") or table.get("ranges")
            if weights and (abs(sum(weights.values()) - 100) > 1e-6 or min(weights.values()) <= 0):
                yield f"{name}: weights of {table.get('when')} add up to {sum(weights.values())}"
        if "tables" in entry and ["when" in table for table in entry["tables"]].count(False) != 1:
            yield f"{name}: needs one table without a condition"
        if "tables" in entry and "when" in entry["tables"][-1]:
            yield f"{name}: the table without a condition is not the last"


def possible_values(content):
    """For each draw all values it can have; nothing where it is a number or made up of some."""
    values = {}
    for entry in content["marginals"]["draws"]:
        name = entry.get("attribute") or entry["hidden"]
        if "list" in entry:
            items = content["lists"].get(entry["list"]) or content["jobs"][entry["list"]]
            parts = items.values() if isinstance(items, dict) else [items]
            values[name] = {item["text"] for part in parts for item in entries(part)}
        else:
            values[name] = {value for table in entry["tables"] for value in table.get("values", {})}
    values["ancestry"] |= set(content["origins"]["ancestries"].values())
    values["household language"] |= set(content["origins"]["languages"].values())
    return values


def check_conditions(content):
    """Every condition names an earlier draw, and values that it can have."""
    values, order = possible_values(content), [e.get("attribute") or e["hidden"] for e in content["marginals"]["draws"]]

    def check(where, conditions, before):
        for name, wanted in conditions.items():
            if name not in before:
                yield f"{where}: {name} is not drawn before"
            elif not (isinstance(wanted, str) and re.fullmatch(r"\d+-\d+", wanted)):
                unknown = set(wanted if isinstance(wanted, list) else [wanted]) - values[name]
                yield from (f"{where}: {name} is never {value!r}" for value in unknown)

    for index, entry in enumerate(content["marginals"]["draws"]):
        for table in entry.get("tables", []):
            yield from check(order[index], table.get("when", {}), order[:index])
        if "list" in entry:
            items = content["lists"].get(entry["list"]) or content["jobs"][entry["list"]]
            if "by" in entry and set(items) != values[entry["by"]]:
                yield f"{entry['list']}: parts differ from {entry['by']}: {set(items) ^ values[entry['by']]}"
            for item in (i for part in (items.values() if isinstance(items, dict) else [items]) for i in entries(part)):
                for key in ("only", "never"):
                    yield from check(item["text"], item.get(key, {}), order[:index])
    for rule in content["rules"]["rules"]:
        for key in ("if", "must", "must_not"):
            yield from check(rule["id"], rule.get(key, {}), order)
        if not rule.get("why", "").endswith(".") or not (rule.get("must") or rule.get("must_not")):
            yield f"{rule['id']}: says nothing, or not why"


def check_lists(lists):
    for name, least in LEAST.items():
        parts = lists[name].values() if isinstance(lists[name], dict) else [lists[name]]
        texts = [item["text"] for part in parts for item in entries(part)]
        if len(texts) < least or len(set(texts)) != len(texts):
            yield f"{name}: {len(texts)} entries, {len(set(texts))} different"
        for text in texts:
            yield from check_clean(name, text)
            if not 2 <= len(text.split()) <= 16 or text.endswith(".") or re.search(r"\b(he|she|his|her|him)\b", text):
                yield f"{name}: too short, too long, a sentence, or of one sex: {text}"
        yield from check_near_duplicates([(text, text) for text in texts], 0.6)
        if not isinstance(lists[name], dict):
            yield from check_openings(texts, 0.1)


def check_draws(content):
    """Few personas have to be drawn anew, and no rule is there for nothing that the tables could do."""
    rng, anew, reasons = random.Random(7), 0, {}
    for _ in range(DRAWN):
        persona = draw(rng, content)
        broken = list(broken_rules(persona, content["rules"]["rules"]))
        empty = [name for name, value in persona.items() if value is None]
        anew += bool(broken or empty)
        for reason in broken + empty:
            reasons[reason] = reasons.get(reason, 0) + 1
    if anew > 0.05 * DRAWN:
        yield f"{anew} of {DRAWN} are drawn anew: {reasons}"


@pytest.fixture(scope="module")
def content():
    return {name: load_yaml(f"bench/{name}.yaml") for name in FILES}


CHECKS = {
    "tables": lambda c: check_tables(c["marginals"]),
    "conditions": check_conditions,
    "lists": lambda c: check_lists(c["lists"]),
    "draws": check_draws,
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_every_file_says_what_it_is():
    for name in FILES:
        head = (DATA / f"bench/{name}.yaml").read_text(encoding="utf-8").split("\n\n")[0]
        assert all(part in head for part in ("version: 2.0.0", "licence: CC-BY-4.0", "written for Personascope")), name


def test_example_populations_are_not_empty(content):
    """The files of examples/ name attributes and values that are drawn."""
    examples, rng = DATA.parent / "examples", random.Random(11)
    left_out = json.loads((examples / "example_loo.json").read_text(encoding="utf-8"))["attributes"]
    assert len(left_out) == len(set(left_out)) and set(left_out) <= set(ATTRIBUTES)
    drawn = [draw(rng, content) for _ in range(DRAWN)]
    for population in json.loads((examples / "example_intersections.json").read_text(encoding="utf-8")):
        conditions = {entry["attribute"]: entry["values"] for entry in population["attributes"]}
        assert any(holds(conditions, persona) for persona in drawn), conditions


def check_personas(personas, rules):
    """Every shipped persona has all attributes, breaks no rule and is nobody else."""
    for persona in personas:
        if set(persona) - {"sampling_weight"} != {"id", *ATTRIBUTES} or not all(persona.values()):
            yield f"{persona['id']}: not the 33 attributes"
        yield from (f"{persona['id']}: breaks {rule}" for rule in broken_rules(persona, rules))
    different = {tuple(persona[name] for name in ATTRIBUTES if name in persona) for persona in personas}
    if len(different) != len(personas) or len({persona["id"] for persona in personas}) != len(personas):
        yield "somebody is there twice"


def test_shipped_personas(content):
    personas, rules = load_jsonl("bench/personas.jsonl"), content["rules"]["rules"]
    assert not list(check_personas(personas, rules))
    for change, complaint in [({"sex": "Male", "fertility": "Gave birth in the past year"}, "men-and-births"),
                              ({"race": ""}, "not the 33 attributes"), (dict(personas[1]), "twice")]:
        broken = [{**personas[0], **change}, *personas[1:]]
        assert any(complaint in problem for problem in check_personas(broken, rules)), complaint


def entry_of(content, attribute):
    return next(entry for entry in content["marginals"]["draws"] if entry.get("attribute") == attribute)


BREAKAGES = [
    ("tables", lambda c: c["marginals"]["draws"].pop(0), "not the 33 attributes"),
    ("tables", lambda c: entry_of(c, "sex")["figures"].pop("sources"), "sources are missing"),
    ("tables", lambda c: entry_of(c, "sex")["figures"].update(sources=["hearsay"]), "unknown source"),
    ("tables", lambda c: entry_of(c, "sex")["tables"][0]["values"].update(Male=40), "add up to 90"),
    ("tables", lambda c: entry_of(c, "sex")["tables"].pop(), "one table without"),
    ("tables", lambda c: entry_of(c, "sex")["tables"].reverse(), "not the last"),
    ("conditions", lambda c: entry_of(c, "sex")["tables"][0].update(when={"income": "0-10"}), "not drawn before"),
    ("conditions", lambda c: entry_of(c, "race")["tables"][0].update(when={"sex": "male"}), "never 'male'"),
    ("conditions", lambda c: c["jobs"]["detailed job description"].pop("Legal"), "parts differ"),
    ("conditions", lambda c: c["rules"]["rules"][0].update(must_not={"education": "A degree"}), "never 'A degree'"),
    ("conditions", lambda c: c["rules"]["rules"][0].pop("must_not"), "says nothing"),
    ("lists", lambda c: c["lists"]["mannerisms"].__delitem__(slice(0, 20)), "mannerisms: 27"),
    ("lists", lambda c: c["lists"]["mannerisms"].append("Waves her hat"), "of one sex"),
    ("lists", lambda c: c["lists"]["mannerisms"].append("Points with the long chin"), "near-duplicates"),
    ("draws", lambda c: entry_of(c, "fertility").update(tables=[{"values": {"Gave birth in the past year": 100}}]),
     "men-and-births"),
    ("draws", lambda c: c["lists"].update(mannerisms=[{"text": "Bows", "only": {"age": "90-94"}}]), "mannerisms"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
