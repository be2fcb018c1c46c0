"""Defaults of one's own: the user's file, a project's file, and what is asked before money is spent."""

import os
import pathlib

import pytest

from harness import MODEL, chat
from test_terminal import in_terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def user_file(personascope):
    path = pathlib.Path(personascope.env["HOME"]) / ".config" / "personascope" / "config.yaml"
    path.parent.mkdir(parents=True)

    def write(text):
        path.write_text(text)
        return path

    return write


@pytest.fixture
def project_file(personascope):
    path = personascope.folder / "personascope.yaml"

    def write(text):
        path.write_text(text)
        return path

    return write


def model_of_newest_run(personascope):
    return personascope("runs", "--json").json()["runs"][0]["model"]


def test_defaults_come_from_files_and_are_overruled(personascope, server, user_file, project_file):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    user_file(f"model: openai/from-user\nbase_url: {server.url}\n")
    assert personascope("batch", requests).code == 0
    assert model_of_newest_run(personascope) == "openai/from-user"
    project_file("model: openai/from-project\n")
    assert personascope("batch", requests).code == 0
    assert model_of_newest_run(personascope) == "openai/from-project"
    address = {"PERSONASCOPE_BASE_URL": server.url}
    variable = personascope("batch", requests, env={"PERSONASCOPE_MODEL": "openai/from-variable", **address})
    assert variable.code == 0, variable.err
    assert model_of_newest_run(personascope) == "openai/from-variable"
    flag = personascope("batch", requests, "--model", "openai/from-flag",
                        env={"PERSONASCOPE_MODEL": "openai/from-variable", **address})  # fmt: skip
    assert flag.code == 0, flag.err
    assert model_of_newest_run(personascope) == "openai/from-flag"
    asked = personascope("ask", "Hello", "--json")
    assert asked.code == 0 and asked.json()["model"] == "from-project"


def test_another_file_can_be_named(personascope, server, user_file, tmp_path):
    user_file("model: openai/from-user\n")
    other = tmp_path / "other.yaml"
    other.write_text(f"model: openai/other\nbase_url: {server.url}\n")
    ended = personascope("ask", "Hello", "--json", env={"PERSONASCOPE_CONFIG": str(other)})
    assert ended.code == 0 and ended.json()["model"] == "other", ended.err
    missing = personascope("ask", "Hello", env={"PERSONASCOPE_CONFIG": "/nowhere.yaml"})
    assert missing.code == 2 and "PERSONASCOPE_CONFIG" in missing.err
    xdg = tmp_path / "xdg"
    (xdg / "personascope").mkdir(parents=True)
    (xdg / "personascope" / "config.yaml").write_text("modell: x\n")
    ended = personascope("runs", env={"XDG_CONFIG_HOME": str(xdg)})
    assert ended.code == 2 and 'line 1: "modell"' in ended.err and '"model"' in ended.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# ours\nbase_url: http://localhost:1/v1\n", 'personascope.yaml, line 2: "base_url" cannot be set'),
        ("output: /tmp/x.jsonl\n", 'line 1: "output" cannot be set'),
        ("store: /tmp/x.db\n", 'line 1: "store" cannot be set'),
        ("openai_api_key: sk-very-secret\n", "looks like an API key"),
        ("model: embedded/./x.gguf\n", "model file"),
        ("gym:\n  limit: many\n", 'line 2: "limit" must be a whole number'),
        ("max-cost: 5\n", 'did you mean "max_cost"?'),
        ("a: &a [*a]\n", "personascope.yaml: nested too deep or too large"),
        ("\x00\x01", "personascope.yaml"),
    ],
)
def test_a_project_cannot_do_harm(personascope, server, project_file, text, said):
    project_file(text)
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    ended = personascope.batch(requests, server)
    assert ended.code == 2 and said in ended.err, ended.err
    assert ended.err.count("\n") == 1 and "sk-very-secret" not in ended.err
    assert server.requests() == 0
    doctor = personascope("doctor")
    assert doctor.code == 1 and "personascope.yaml" in doctor.out


def test_a_project_file_that_others_can_write_is_not_read(personascope, server, project_file):
    os.chmod(project_file("model: openai/theirs\n"), 0o666)
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    assert personascope.batch(requests, server).code == 0
    assert model_of_newest_run(personascope) == MODEL
    assert "was not read: others may write to it" in personascope("doctor").out


def test_doctor_names_the_files_and_what_they_set(personascope, user_file, project_file):
    assert "config.yaml" in personascope("doctor").out
    own, project = user_file("model: a/b\ngym: {limit: 2}\n"), project_file("tags: [x]\n")
    (found,) = [one for one in personascope("doctor", "--json").json()["findings"] if one["what"] == "configuration"]
    assert f"{own} sets gym.limit, model" in found["detail"] and f"{project.name} sets tags" in found["detail"]


def test_a_store_of_ones_own(personascope, server, user_file):
    user_file("store: ~/mine.db\n")
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    assert personascope.batch(requests, server).code == 0
    assert (pathlib.Path(personascope.env["HOME"]) / "mine.db").is_file() and not personascope.store.exists()


def test_tags(personascope, server, user_file):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    assert personascope.batch(requests, server, "--tag", "b", "--tag", "a").code == 0
    assert personascope("runs", "--json").json()["runs"][0]["tags"] == ["a", "b"]
    user_file("tags: [mine]\n")
    assert personascope.batch(requests, server).code == 0
    assert len(personascope("runs", "--tag", "mine", "--json").json()["runs"]) == 1
    wrong = personascope.batch(requests, server, "--tag", "x" * 100)
    assert wrong.code == 2 and "a tag must have" in wrong.err
    small = personascope("gym", "run", "--limit", "1", "--questions-per-task", "1", "--task", "expected-action",
                         "--max-output-tokens", "8", "--reader", "none", "--canaries", "0", "--tag", "small",
                         timeout=120)  # fmt: skip
    assert small.code == 0, small.err
    assert personascope("runs", "--json").json()["runs"][0]["tags"] == ["small"]


def test_a_dear_run_is_not_started_unasked(personascope, server, user_file):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    words = personascope.batch_words(requests, server)
    ended = personascope(*words, "--confirm-above", "0")
    assert ended.code == 2 and server.requests() == 0
    assert "this run may cost up to $" in ended.err and "--confirm-above is $0.00" in ended.err
    assert "--yes starts it anyway" in ended.err
    assert personascope("runs", "--json").json()["runs"] == []
    assert personascope(*words, "--confirm-above", "0", "--json").json()["error"]["kind"] == "invalid"
    assert personascope(*words, "--confirm-above", "1").code == 0 and server.requests() == 1
    # From the journal it costs nothing.
    assert personascope(*words, "--confirm-above", "0").code == 0
    more = personascope.write("more.jsonl", [chat("b", "Hello again")])
    path = user_file("max_cost: 0.000001\n")
    refused = personascope(*personascope.batch_words(more, server))
    assert refused.code == 2 and f'"max_cost" in {path}, line 1 is $1e-06' in refused.err, refused.err
    assert personascope(*personascope.batch_words(more, server), "--max-cost", "1").code == 0
    assert server.requests() == 2


def test_a_price_that_is_not_known_is_asked_about(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    words = personascope.batch_words(requests, server, "--confirm-above", "5", model="openai/unheard-of")
    ended = personascope(*words)
    assert ended.code == 2 and "the price of openai/unheard-of is not known" in ended.err
    assert personascope(*words, "--yes").code == 0 and server.requests() == 1


def test_on_a_terminal_it_is_asked(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    words = personascope.batch_words(requests, server, "--confirm-above", "0")
    code, received = in_terminal(personascope, *words, keys=[(1, b"n\n")])
    assert code == 2 and "Start it? [y/N]" in received and server.requests() == 0
    code, received = in_terminal(personascope, *words, keys=[(1, b"y\n")])
    assert code == 0 and server.requests() == 1, received


def test_what_makes_a_run_dear_is_named_before_it_is_sent(personascope, server):
    big = chat("big", "word " * 200_000)
    requests = personascope.write("requests.jsonl", [chat("a", "Hello"), chat("b", "Hello you"), big])
    ended = personascope.batch(requests, server, "--max-calls", "0")
    assert 'note: the request "big" has about' in ended.err and server.requests() == 0
    (personascope.folder / "personas.txt").write_text("a teacher\n" + "x" * 1_000_000 + "\n")
    ended = personascope("gym", "run", "--personas", "personas.txt", "--model", MODEL, "--judge", MODEL,
                         "--question-model", MODEL, "--base-url", server.url, "--max-calls", "0",
                         env={"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url})  # fmt: skip
    assert "has 1000 kB: every call with it has about 250000 more input tokens" in ended.err, ended.err
    assert server.requests() == 0


def test_a_dear_answer_or_persona_is_named_by_every_command(personascope, server):
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}
    lines = [{"id": i, "persona": "a sailor", "question": "Who are you?", "answer": "Ahoy."} for i in "abc"]
    lines[1]["answer"] = "word " * 200_000
    answers = personascope.write("answers.jsonl", lines)
    rubric = ROOT / "data/rubrics/helpfulness.yaml"
    ended = personascope("judge", answers, "--rubric", rubric, "--judge", MODEL, "--base-url", server.url,
                         "--max-calls", "0", env=env)  # fmt: skip
    assert 'note: the answer "b" has about 2500' in ended.err, ended.err
    ended = personascope("lift", answers, "--model", "vllm/m", "--base-url", server.url, "--max-calls", "0")
    assert 'note: the answer "b" has about 2500' in ended.err, ended.err
    personas = [{"id": f"p{i}", "age": "40", "occupation category": "nurse"} for i in range(6)]
    personas[2]["occupation category"] = "nurse " * 100_000
    path = personascope.write("personas.jsonl", personas)
    ended = personascope("bench", "main", "--personas", path, "--model", MODEL, "--judge", MODEL, "--reader", "none",
                         "--base-url", server.url, "--max-calls", "0", env=env)  # fmt: skip
    assert 'note: the persona "p2" has about 1500' in ended.err, ended.err
    assert server.requests() == 0
