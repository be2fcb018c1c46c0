"""Every number in the head of a benchmark card is what the files hold, and every card has its parts."""

import re

import pytest
from content_checks import DATA, load_jsonl, load_yaml, parse_yaml

VERSIONS = {"gym": "2", "bench": "2.0.0", "lens": "2.0.0", "exam": "1.0.0"}
PARTS = ["Details", "Purpose and intended users", "Data", "Methodology", "Targeted risks and limits",
         "Ethics and licence"]


def read_card(name):
    _, head, body = (DATA / name / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return parse_yaml(head), body


def files(pattern):
    return len(list(DATA.glob(pattern)))


def entries(value):
    return sum(map(entries, value.values())) if isinstance(value, dict) else len(value)


def count_gym():
    questions = load_jsonl("gym/questions.jsonl")
    return {"personas": len(load_jsonl("gym/personas.jsonl")), "environments": len(load_jsonl("gym/environments.jsonl")),
            "tasks": files("gym/tasks/*.yaml"), "questions": len(questions), "probes": len(load_jsonl("gym/probes.jsonl")),
            "personas_with_questions": len({row["persona"] for row in questions}), "prompts": files("gym/prompts/*.md"),
            "reference_templates": files("gym/reference/**/*.txt")}


def count_bench():
    draws = load_yaml("bench/marginals.yaml")["draws"]
    return {"personas": len(load_jsonl("bench/personas.jsonl")), "questions": len(load_jsonl("bench/questions.jsonl")),
            "comparisons": len(load_jsonl("bench/comparisons.jsonl")),
            "attributes": sum("attribute" in entry for entry in draws), "draws": len(draws),
            "list_entries": entries(load_yaml("bench/lists.yaml")), "jobs": entries(load_yaml("bench/jobs.yaml")),
            "rules": len(load_yaml("bench/rules.yaml")["rules"]), "prompts": files("bench/prompts/*.md"),
            "rubrics": files("bench/rubrics/*.yaml")}


def count_lens():
    affinities, summaries = load_yaml("lens/affinities.yaml"), load_yaml("lens/summaries.yaml")
    return {"domains": len(affinities), "affinities": sum(map(len, affinities.values())),
            "affinity_values": sum(len(spec["values"]) for domain in affinities.values() for spec in domain.values()),
            "tasks": len(load_jsonl("lens/tasks.jsonl")), "tasks_multi": len(load_jsonl("lens/tasks_multi.jsonl")),
            "situation_values": entries(load_yaml("lens/situations.yaml")),
            "summary_sentences": len(summaries["patterns"]) + entries(summaries["domains"]),
            "prompts": files("lens/prompts/*.md"), "rubrics": files("lens/rubrics/*.yaml"),
            "reference_templates": files("lens/reference/*.txt"), "users": files("lens/users/*.json")}


def count_exam():
    return {name.replace("-", "_"): len(load_jsonl(f"exam/{name}.jsonl"))
            for name in ("who-speaks", "gym-pairs", "lens-pairs", "bench-pairs", "ladders", "traps")}


@pytest.mark.parametrize("name, count", [("gym", count_gym), ("bench", count_bench), ("lens", count_lens),
                                         ("exam", count_exam)])
def test_card(name, count):
    head, body = read_card(name)
    assert head["name"] == name and head["licence"] == "CC-BY-4.0" and head["languages"] == ["en"]
    assert str(head["version"]) == VERSIONS[name] and head["title"].endswith("?")
    assert head["sizes"] == count()
    assert re.findall(r"^## (.+)$", body, re.M) == PARTS
    spoken = {int(number.replace(",", "")) for number in re.findall(r"\b\d[\d,]*\b", body)}
    shown = {"gym": ["personas", "environments", "questions", "probes"], "bench": ["questions", "comparisons", "rules"],
             "lens": ["affinities", "affinity_values", "tasks", "tasks_multi"], "exam": list(head["sizes"])}[name]
    assert spoken >= {head["sizes"][part] for part in shown}


def test_numbers_in_the_cards_text():
    """Counts that the text gives beside those of the head."""
    personas = load_jsonl("gym/personas.jsonl")
    gym, bench = read_card("gym")[1], read_card("bench")[1]
    assert f"{sum(row['unusual'] for row in personas)} unusual ones" in gym
    assert f"{sum(row['voice'] == 'first' for row in personas)} in their own voice" in gym
    assert f"{len({row['work'] for row in personas})} kinds of work" in gym
    comparisons = load_jsonl("bench/comparisons.jsonl")
    for kind, form in {"choice": "{} choices", "number": "{} numbers", "set": "{} sets", "open": "{} open"}.items():
        assert form.format(sum(row["kind"] == kind for row in comparisons)) in bench
    assert len({name for row in comparisons for name in row["distinct"]}) == 33
    people, lens = load_yaml("lens/people.yaml"), read_card("lens")[1]
    names = {name for pool in people["names"].values() for part in pool.values() for name in part}
    languages = {language for place in people["places"] for language in place["languages"]}
    places = {place["home"] for place in people["places"]}
    for found, form in [(names, "{} given names"), (people["occupations"], "{} occupations"), (places, "{} places"),
                        (languages, "{} languages"), (people["traits"], "{} traits")]:
        assert form.format(len(found)) in lens, form.format(len(found))
