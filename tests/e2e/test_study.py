"""Studies: many runs from one file, resumed without repeating a call."""

import json
import signal
import time

import pytest

from bot_work import Pipeline, asked_of

STUDY = """name: trial
models:
  - openai/gpt-tested
  - {model: openai/gpt-second, temperature: 0.5}
judges: [openai/gpt-judge]
evaluations:
  gym run:
    questions: questions
    questions_per_task: 2
    reader: none
    canaries: 0
    gates: {fail_under: 3}
"""


@pytest.fixture
def ci(personascope, fake):
    made = Pipeline(personascope, fake)
    (personascope.folder / "study.yaml").write_text(STUDY)
    return made


def study(ci, *args, file="study.yaml", **rest):
    return ci.program("run", file, *args, env=ci.server.env, timeout=120, **rest)


def rewrite(ci, old, new):
    path = ci.program.folder / "study.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_study_is_carried_out_once(ci):
    ended = study(ci, "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert [run["start"] for run in found["runs"]] == ["new", "new"] and found["stopped"] is None
    assert [run["run"]["model"] for run in found["runs"]] == ["openai/gpt-tested", "openai/gpt-second"]
    assert all("trial" in run["run"]["tags"] and run["run"]["state"] == "done" for run in found["runs"])
    [board] = found["leaderboards"]["boards"]
    assert [row["ranks"] for row in board["rows"]] == [[1, 2], [1, 2]]
    assert [gate["end"] for run in found["runs"] for gate in run["gates"]] == ["passed", "passed"]
    # Example answers are shared: they were asked for in the first run.
    assert len({json.dumps(body, sort_keys=True) for body in ci.server.asked}) == len(ci.server.asked)
    calls = len(ci.server.asked)
    again = study(ci)
    assert again.code == 0 and len(ci.server.asked) == calls, "nothing is repeated"
    assert "(done before)" in again.err and "gpt-second" in again.out and "1 to 2" in again.out
    assert len(ci.program("runs", "--json").json()["runs"]) == 2
    assert study(ci, "--again").code == 100, "the answers are old: the gates say so"
    assert len(ci.program("runs", "--json").json()["runs"]) == 4


def test_a_killed_study_goes_on_without_repeating_a_call(ci):
    rewrite(ci, "canaries: 0", "canaries: 0\n    max_connections: 4")
    ci.bot.delay = 0.01
    for seconds in (0.4, 0.8, 1.5):
        process = ci.program.start("run", "study.yaml", env=ci.server.env)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    ended = study(ci, "--json")
    assert ended.code == 0, ended.err
    assert [run["run"]["state"] for run in ended.json()["runs"]] == ["done", "done"]
    assert len(ci.program("runs", "--json").json()["runs"]) == 2, "the same runs, resumed"
    bodies = [json.dumps(body, sort_keys=True) for body in ci.server.asked]
    # Only what was in flight when the program was killed is asked again: 4 calls to each of 2 models.
    assert len(bodies) - len(set(bodies)) <= 3 * 4 * 2
    calls = len(bodies)
    assert study(ci).code == 0 and len(ci.server.asked) == calls


def test_the_limit_is_over_all_runs(ci):
    (ci.program.folder / "study.yaml").write_text(STUDY + "max_calls: 150\n")
    ended = study(ci, "--json")
    assert ended.code == 1, ended.err
    found = ended.json()
    assert found["stopped"]["kind"] == "budget_exhausted"
    assert len(ci.server.asked) <= 150
    rewrite(ci, "max_calls: 150", "max_calls: 1500")
    ended = study(ci, "--json")
    assert ended.code == 0, ended.err
    assert "resumed" in [run["start"] for run in ended.json()["runs"]]
    bodies = [json.dumps(body, sort_keys=True) for body in ci.server.asked]
    assert len(bodies) == len(set(bodies))


def test_outputs_gates_and_settings(ci):
    rewrite(ci, "fail_under: 3}", "fail_under: 4.9}")
    rewrite(ci, "judges: [openai/gpt-judge]", "judges: [openai/gpt-judge]\nsettings: [{seed: 1}, {seed: 2}]\noutput: out\ntags: [x]")
    ended = study(ci)
    assert ended.code == 100 and "is below 4.9" in ended.err, ended.err
    files = sorted(path.name for path in (ci.program.folder / "out").iterdir())
    assert len(files) == 5 and files[-1] == "leaderboard.json" and files[0].startswith("01-gym-run--openai-gpt-tested")
    assert json.loads((ci.program.folder / "out/leaderboard.json").read_text())["boards"]
    lines = (ci.program.folder / "out" / files[0]).read_text().splitlines()
    assert len(lines) == 100


def test_the_whole_is_estimated(ci):
    ended = study(ci, "--estimate", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert len(found["runs"]) == 2 and found["calls"] == sum(run["calls"] for run in found["runs"]) > 200
    assert ci.server.asked == []
    text = ci.program("estimate", "run", "study.yaml", env=ci.server.env)
    assert text.code == 0 and "gym run, openai/gpt-second, temperature 0.5" in text.out


def test_errors_have_a_line_and_nothing_is_sent(ci):
    rewrite(ci, "canaries: 0", "canarys: 0")
    ended = study(ci)
    assert ended.code == 2 and "study.yaml, line 11:" in ended.err and 'did you mean "canaries"?' in ended.err
    rewrite(ci, "canarys: 0", "persona: [x]\n    personas: missing.yaml")
    ended = study(ci)
    assert ended.code == 2 and ci.server.asked == []
    assert study(ci, file="none.yaml").code == 2
    assert ci.program("run").code == 2


def test_init_writes_a_study_that_the_schema_and_the_program_know(personascope):
    ended = personascope("init")
    assert ended.code == 0 and "study.yaml" in ended.out
    assert personascope("init").code == 2, "a file that exists is not replaced"
    estimate = personascope("run", "study.yaml", "--estimate", "--json")
    assert estimate.code == 0, estimate.err
    assert len(estimate.json()["runs"]) == 4
    schema = personascope("run", "--schema").json()
    assert schema["required"] == ["name", "models", "evaluations"]
    jsonschema = pytest.importorskip("jsonschema")
    yaml = pytest.importorskip("yaml")
    jsonschema.validate(yaml.safe_load((personascope.folder / "study.yaml").read_text()), schema)


def test_several_models_are_a_small_study(ci):
    ci.bot.quality = 4
    ended = ci.run("--model", "openai/gpt-second", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["study"] is None and [run["run"]["run"] for run in found["runs"]] == [1, 2]
    assert len(found["leaderboards"]["boards"][0]["rows"]) == 2
    assert len(asked_of(ci.server, "gpt-second")) >= 100
    ended = ci.run("--model", "openai/gpt-second", "-o", "x.jsonl")
    assert ended.code == 2 and "--output is for one model" in ended.err
    assert ci.run("--model", "openai/gpt-second", "--estimate").code == 0
    assert ci.run("--model", "openai/gpt-second", "--fail-under", "4.9", "--allow-cached").code == 100
