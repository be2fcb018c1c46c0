"""Who the lens's users can be, which affinities fit them, and the paraphrases: names and values are known ones."""

import re

import pytest
from content_checks import DATA, check_breakage, check_clean, found, load_yaml
from test_lens_content import DOMAINS, check_head, count

FILES = ["people", "fits", "paraphrases"]


def facts_of(people):
    """Every fact a condition may speak of, with its values; nothing where it is a number."""
    facts = {"age": None, "gender": set(people["genders"]), "faith": {f for g in people["faiths"].values() for f in g},
             "near": {n for place in people["places"] for n in place.get("near", [])},
             "work": {"working", "retired"} | {o["work"] for o in people["occupations"] if "work" in o},
             "job": {tag for o in people["occupations"] for tag in o.get("job", [])},
             "hours": {"none"} | {o["hours"] for o in people["occupations"]},
             "pay": {o["pay"] for o in people["occupations"]},
             "education": {level for group in people["education"].values() for level in group},
             "home_with": {tag for h in people["households"] for tag in h["home_with"]}}
    return facts | {trait["name"]: {v for table in trait["tables"] for v in table["values"]} for trait in people["traits"]}


def check_condition(where, conditions, facts):
    for fact, wanted in (conditions or {}).items():
        if fact not in facts:
            yield f"{where}: unknown fact {fact}"
        elif facts[fact] is None:
            if not re.fullmatch(r"\d+-\d+", str(wanted)):
                yield f"{where}: {fact} needs a range"
        else:
            unknown = set(wanted if isinstance(wanted, list) else [wanted]) - facts[fact]
            yield from (f"{where}: {fact} is never {value!r}" for value in sorted(unknown))


def check_people(people):
    facts = facts_of(people)
    if len(people["places"]) < 80 or len(people["occupations"]) < 80:
        yield f"{len(people['places'])} places, {len(people['occupations'])} occupations"
    for place in people["places"]:
        if place["home"].count(", ") != 1:
            yield f"places: not 'city, country': {place['home']}"
        if place["names"] not in people["names"] or place["faiths"] not in people["faiths"]:
            yield f"{place['home']}: unknown names or faiths"
    for pool, names in people["names"].items():
        if set(names) != {"woman", "man"} or min(map(len, names.values())) < 5:
            yield f"names {pool}: needs five of women and of men"
    homes = {household["name"] for household in people["households"]}
    for occupation in people["occupations"]:
        if occupation["education"] not in people["education"]:
            yield f"{occupation['name']}: unknown education {occupation['education']}"
        if not 18 <= occupation["from"] < occupation["until"] <= 90:
            yield f"{occupation['name']}: ages {occupation['from']} to {occupation['until']}"
        yield from (f"{occupation['name']}: unknown household {home}" for home in occupation.get("households", [])
                    if home not in homes)
        yield from check_condition(occupation["name"], occupation.get("only"), facts)
    for household in people["households"]:
        yield from check_condition(household["name"], household.get("only"), facts)
    for trait in people["traits"]:
        if "when" in trait["tables"][-1]:
            yield f"{trait['name']}: the last table must hold for everybody"
        for table in trait["tables"]:
            yield from check_condition(trait["name"], table.get("when"), facts)
    for domain, lines in people["interests"].items():
        if domain not in [*DOMAINS, "otherwise"]:
            yield f"interests: unknown domain {domain}"
        for line in lines if isinstance(lines, list) else []:
            yield from check_condition(domain, line.get("when"), facts)


def check_fits(rules, affinities, people):
    facts = facts_of(people)
    for domain, attributes in rules["fits"].items():
        for name, values in attributes.items():
            known = affinities.get(domain, {}).get(name, {}).get("values", [])
            for value, conditions in values.items():
                if value not in known:
                    yield f"{domain}.{name}: unknown value {value}"
                yield from check_condition(f"{domain}.{name}, {value}", conditions, facts)
    for lean in rules["leans"]:
        yield from check_condition("leans", lean["when"], facts)
        for domain, attributes in lean["likes"].items():
            for name, values in attributes.items():
                known = affinities.get(domain, {}).get(name, {}).get("values", [])
                yield from (f"leans, {domain}.{name}: unknown value {value}" for value in values if value not in known)


def check_paraphrases(paraphrases, affinities):
    for domain, attributes in affinities.items():
        for name, spec in attributes.items():
            texts = paraphrases.get(domain, {}).get(name, {})
            if list(texts) != spec["values"]:
                yield f"{domain}.{name}: paraphrases and values differ"
                continue
            for value, text in texts.items():
                yield from check_clean(f"{domain}.{name}", text)
                if value.lower() in text.lower():
                    yield f"{domain}.{name}: quotes the value: {text}"
                if not 1 <= count(text) <= 14 or text.endswith("."):
                    yield f"{domain}.{name}: not a phrase: {text}"
            if len(set(texts.values())) != len(texts):
                yield f"{domain}.{name}: two values in the same words"


@pytest.fixture(scope="module")
def content():
    return {name: load_yaml(f"lens/{name}.yaml") for name in [*FILES, "affinities"]}


CHECKS = {
    "people": lambda c: check_people(c["people"]),
    "fits": lambda c: check_fits(c["fits"], c["affinities"], c["people"]),
    "paraphrases": lambda c: check_paraphrases(c["paraphrases"], c["affinities"]),
}


@pytest.mark.parametrize("name", CHECKS)
def test_content(content, name):
    problems = list(CHECKS[name](content))
    assert not problems, found(problems)


def test_every_file_says_what_it_is():
    for name in FILES:
        assert not list(check_head(name, (DATA / f"lens/{name}.yaml").read_text(encoding="utf-8"))), name


BREAKAGES = [
    ("people", lambda c: c["people"]["places"].__delitem__(slice(0, 30)), "places"),
    ("people", lambda c: c["people"]["places"][0].update(home="Lagos"), "not 'city, country'"),
    ("people", lambda c: c["people"]["places"][0].update(names="klingon"), "unknown names"),
    ("people", lambda c: c["people"]["names"]["akan"].pop("man"), "names akan"),
    ("people", lambda c: c["people"]["occupations"][0].update(education="much"), "unknown education"),
    ("people", lambda c: c["people"]["occupations"][0].update({"from": 12}), "ages 12"),
    ("people", lambda c: c["people"]["occupations"][0].update(households=["a tree"]), "unknown household"),
    ("people", lambda c: c["people"]["occupations"][0].update(only={"mood": "good"}), "unknown fact mood"),
    ("people", lambda c: c["people"]["households"][0].update(only={"work": "sleeping"}), "never 'sleeping'"),
    ("people", lambda c: c["people"]["traits"][0]["tables"].pop(), "must hold for everybody"),
    ("people", lambda c: c["people"]["interests"].update(Zoo=[]), "unknown domain Zoo"),
    ("fits", lambda c: c["fits"]["fits"]["Alarm"]["snooze"].update({"a nap": {}}), "unknown value a nap"),
    ("fits", lambda c: c["fits"]["fits"]["Alarm"]["snooze"].update({"two short snoozes": {"age": "old"}}), "needs a range"),
    ("fits", lambda c: c["fits"]["leans"][0]["likes"].update(Alarm={"snooze": ["a nap"]}), "unknown value a nap"),
    ("paraphrases", lambda c: c["paraphrases"]["Alarm"]["sound"].pop("birdsong"), "values differ"),
    ("paraphrases", lambda c: c["paraphrases"]["Alarm"]["sound"].update(birdsong="loud birdsong"), "quotes the value"),
    ("paraphrases", lambda c: c["paraphrases"]["Alarm"]["sound"].update(birdsong="They like it."), "not a phrase"),
    ("paraphrases", lambda c: c["paraphrases"]["Alarm"]["sound"].update(birdsong="a steady tick-tock"), "same words"),
]


@pytest.mark.parametrize("number", range(len(BREAKAGES)))
def test_each_check_can_fail(content, number):
    check_breakage(CHECKS, content, *BREAKAGES[number])
