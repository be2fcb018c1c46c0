"""The exam of judges: scripted judges with one planted flaw each, of which the report names exactly that one."""

import json
import shutil

import pytest
from exam_judges import DATA, FILES, make_judges
from harness import answers_of

SKILLS = {"right": [], "length": ["length"], "four": ["same-score"], "anachronist": ["anachronism"],
          "obedient": ["injection"]}


def exam(personascope, server, judges, *words, **rest):
    named = [word for judge in judges for word in ("--judge", f"openai/{judge}")]
    return personascope("exam", "run", "--yes", *named, *words, env={**server.env, **rest.pop("env", {})}, timeout=240, **rest)


@pytest.fixture
def judges(fake):
    made = make_judges()
    return fake(lambda body: made[body["model"]].reply(body))


def small_data(folder, change=lambda name, row: None, count=4):
    """A copy of the data with the first items of each file only."""
    shutil.copytree(DATA, folder)
    for name in FILES:
        path = folder / f"exam/{name}.jsonl"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:count]]
        for row in rows:
            change(name, row)
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return {"PERSONASCOPE_DATA": str(folder)}


def prompts_of(server):
    return sorted(body["messages"][-1]["content"] for body in server.asked)


def test_the_report_names_exactly_the_planted_flaw(personascope, judges):
    ended = exam(personascope, judges, SKILLS, "--json")
    assert ended.code == 0, ended.err
    found = {judge["judge"].removeprefix("openai/"): judge for judge in ended.json()["judges"]}
    assert {name: [flaw.split(":")[0] for flaw in judge["flaws"]] for name, judge in found.items()} == SKILLS
    licences = {name: {row["dimension"]: row["licence"] for row in judge["dimensions"]} for name, judge in found.items()}
    assert set(licences["right"].values()) <= {"licensed", "provisional"}
    assert licences["right"]["gym/persona-consistency"] == "licensed"
    for name in ("length", "four"):
        assert set(licences[name].values()) == {"not licensed"}, name
    assert licences["obedient"]["gym/expected-action"] == "not licensed"
    assert licences["obedient"]["gym/probe"] == "licensed"  # no traps count there
    accuracy = {name: judge["accuracy"]["value"] for name, judge in found.items()}
    assert all(accuracy["right"] > value for name, value in accuracy.items() if name != "right")
    assert {row["defect"]: row["alone"]["value"] for row in found["anachronist"]["defects"]}["anachronism"] == 0.5
    panels = {row["dimension"]: row["panels"] for row in ended.json()["panels"]}
    assert ["openai/right"] in panels["gym/expected-action"]
    assert all(len(panel) == 1 for panel in panels["gym/expected-action"])
    shown = personascope("show", "1").out
    assert "licences" in shown and "its scores follow the length" in shown


def test_it_is_estimated_resumed_shown_and_exported(personascope, judges):
    estimate = exam(personascope, judges, ["right"], "--limit", "6", "--estimate", "--json")
    assert estimate.code == 0, estimate.err
    ended = exam(personascope, judges, ["right"], "--limit", "6", "-o", "items.jsonl", "--json")
    assert ended.code == 0, ended.err
    sent = len(judges.asked)
    assert f'"calls": {sent}' in estimate.out
    lines = answers_of(personascope.folder / "items.jsonl")
    assert len(lines) == 24 and all(line["outcome"] == "scored" for line in lines)
    assert {line["kind"] for line in lines} == {"who-speaks", "pairs", "ladders", "traps"}
    again = personascope("resume", "1", env=judges.env)
    assert again.code == 0 and f"0 sent, {sent} from the journal" in again.err
    assert len(judges.asked) == sent
    item = personascope("show", "1", "--item", lines[0]["id"]).out
    assert lines[0]["answers"][0][:40] in item
    findings = personascope("export", "1", "--what", "findings", "-o", "-").out
    assert any(json.loads(line)["name"] == "right" for line in findings.splitlines())


def test_gold_is_in_no_prompt(personascope, fake, tmp_path):
    """What only the gold says is planted and searched for; with another gold, the same is asked."""
    planted = "PLANTED-7f3a"

    def plant(name, row):
        for member in ("why", "defect"):
            if member in row:
                row[member] = planted
        row["id"] += planted

    def turn(name, row):
        if name == "who-speaks":
            row["gold"] = (row["gold"] + 1) % 4
        elif "pairs" in name:
            row["gold"] = 1 - row["gold"]
        elif name == "ladders":
            row["gold"].reverse()

    made = make_judges()["right"]
    asked = []
    for place, change in enumerate((lambda name, row: None, plant, turn)):
        server = fake(made.reply)
        data = small_data(tmp_path / f"data{place}", change)
        ended = exam(personascope, server, ["right"], "--fresh", env=data)
        assert ended.code == 0, ended.err
        asked.append(prompts_of(server))
    assert len(asked[0]) > 40 and asked[0] == asked[1] == asked[2]
    assert not any(planted in prompt for prompts in asked for prompt in prompts)


def test_items_are_asked_as_the_gym_asks(personascope, fake, tmp_path):
    """The prompt for an answer of the exam is the one that the gym sends for the same answer."""
    made = make_judges()["right"]
    server = fake(made.reply)
    data = small_data(tmp_path / "data", count=1)
    assert exam(personascope, server, ["right"], "--kind", "pairs", "--alone", "--dimension", "gym/persona-consistency",
                env=data).code == 0
    row = json.loads((tmp_path / "data/exam/gym-pairs.jsonl").read_text(encoding="utf-8"))
    personas = {one["id"]: one["persona"] for one in map(json.loads, (DATA / "gym/personas.jsonl").open(encoding="utf-8"))}
    lines = [json.loads(line) for line in (DATA / "gym/questions.jsonl").open(encoding="utf-8")]
    question = next(one["question"] for one in lines if one["id"] == row["question"])
    judged = personascope.write("answers.jsonl", [
        {"id": str(place), "persona": personas[row["persona"]], "question": question, "answer": answer}
        for place, answer in enumerate(row["answers"])])
    other = fake(made.reply)
    ended = personascope("judge", judged, "--rubric", DATA / "gym/tasks/persona-consistency.yaml", "--judge", "openai/right",
                         "--fresh", "--yes", "--canaries", "0", "-o", "verdicts.jsonl", env=other.env)
    assert ended.code == 0, ended.err
    assert prompts_of(server) == prompts_of(other)


def test_repeated_verdicts_are_compared(personascope, fake):
    made = make_judges()["right"]
    asked = set()

    def reply(body):
        """Another score when the same is asked again."""
        verdict = json.loads(made.reply(body))
        prompt = body["messages"][-1]["content"]
        if prompt in asked:
            verdict["verdict"] = "2" if verdict["verdict"] == "1" else "1"
        asked.add(prompt)
        return json.dumps(verdict)

    ended = exam(personascope, fake(reply), ["right"], "--limit", "3", "--kind", "ladders", "--judge-repeats", "2",
                 "--json")
    assert ended.code == 0, ended.err
    judge = ended.json()["judges"][0]
    assert judge["consistency"]["n"] == 15 and judge["consistency"]["value"] == 0
    assert any(flaw.startswith("consistency:") for flaw in judge["flaws"])


def test_a_judge_without_verdicts_has_outcomes_and_no_licence(personascope, fake):
    ended = exam(personascope, fake(lambda body: "I would rather not."), ["mute"], "--limit", "2", "--json", "-o", "i.jsonl")
    assert ended.code in (0, 1, 3), ended.err
    lines = answers_of(personascope.folder / "i.jsonl")
    assert len(lines) == 8 and {line["outcome"] for line in lines} == {"failed"}
    assert {row["licence"] for row in ended.json()["judges"][0]["dimensions"]} == {"not licensed"}


def test_wrong_options_and_data_are_named(personascope, fake, tmp_path):
    server = fake(lambda body: "")
    for words, message in ((["--kind", "riddles"], "--kind: the exam has no riddles"),
                           (["--dimension", "gym/wit"], "--dimension: the exam has no gym/wit"),
                           (["--kind", "ladders", "--dimension", "bench/fit"], "no items of these dimensions"),
                           (["--limit", "0"], "--limit"), (["--judge", "openai/a"], "names openai/a twice")):
        ended = exam(personascope, server, ["a"], *words)
        assert ended.code == 2 and message in ended.err, ended.err

    def break_one(member, value):
        return lambda name, row: row.update({member: value}) if name == "gym-pairs" else None

    for place, (member, value, message) in enumerate((("gold", 2, '"gold" must be a place from 0 to 1'),
                                                      ("persona", "p999", "names the persona p999"),
                                                      ("question", "q", "names the question q"),
                                                      ("dimension", "wit", "names the dimension gym/wit"),
                                                      ("answers", ["a"], '"answers" must be a list of 2 texts'),
                                                      ("id", "g001", "the id g001 is used twice"))):
        ended = exam(personascope, server, ["a"], env=small_data(tmp_path / f"d{place}", break_one(member, value), 2))
        assert ended.code == 2 and message in ended.err, (message, ended.err)
    assert not server.asked


def test_changed_data_is_not_resumed(personascope, fake, tmp_path):
    server = fake(make_judges()["right"].reply)
    data = small_data(tmp_path / "data", count=1)
    assert exam(personascope, server, ["right"], env=data).code == 0
    path = tmp_path / "data/exam/traps.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("label", "tag"), encoding="utf-8")
    ended = personascope("resume", "1", env={**server.env, **data})
    assert ended.code == 2 and "data has changed" in ended.err
