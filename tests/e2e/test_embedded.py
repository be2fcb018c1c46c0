"""The model inside the program, as its users meet it: real weights, real answers."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from harness import answers_of, chat

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ("--model", "embedded/smollm2-135m")


def run(personascope, requests, *args):
    path = personascope.write("requests.jsonl", requests)
    return personascope("batch", path, *MODEL, *args)


def test_it_answers_and_a_second_run_computes_nothing(personascope):
    requests = [chat(str(i), f"What is {i} and {i}?", max_tokens=6) for i in range(8)]
    first = run(personascope, requests)
    assert first.code == 0, first.err
    answers = answers_of(first.out)
    assert all(a["outcome"] == "ok" and a["text"] for a in answers)
    again = run(personascope, requests)
    assert again.out == first.out
    assert "0 sent, 8 from the journal" in again.err


def test_it_is_the_default_when_no_key_is_set(personascope):
    path = personascope.write("requests.jsonl", [chat("a", "Hello", max_tokens=2)])
    assert answers_of(personascope("batch", path).out)[0]["model"].startswith("smollm2-135m Q8_0 sha256:")
    with_key = personascope("batch", path, env={"OPENAI_API_KEY": "key"})
    assert with_key.code == 2
    assert "name a model with --model or --judge" in with_key.err and "openai/gpt-4o" in with_key.err


def test_it_reads_labels_and_texts(personascope):
    done = run(
        personascope,
        [
            chat("labels", "Is water wet? Answer Yes or No.", choices=["Yes", "No"]),
            chat("paris", "What is the capital of France?", continuation="It is Paris."),
            chat("lyon", "What is the capital of France?", continuation="It is Lyon."),
            chat("alike", "Rate it.", choices=["1", "10"]),
        ],
    )
    labels, paris, lyon, alike = answers_of(done.out)
    assert [c["token"] for c in labels["choices"]] == ["Yes", "No"]
    assert all(c["logprob"] < 0 for c in labels["choices"])
    likelihood = lambda answer: sum(t["logprob"] for t in answer["logprobs"])
    assert likelihood(paris) > likelihood(lyon)
    assert alike["outcome"] == "failed" and "begin with the same token" in alike["error"]["message"]


def test_other_providers_say_that_they_cannot_read(personascope, loopback):
    requests = personascope.write("requests.jsonl", [chat("a", "Rate it.", choices=["1", "2"])])
    server = loopback()
    done = personascope.batch(requests, server)
    assert answers_of(done.out)[0]["error"]["kind"] == "unsupported"
    assert server.requests() == 0


def test_a_schema_holds_every_answer(personascope):
    schema = {
        "type": "object",
        "properties": {
            "score": {"type": "integer", "minimum": 1, "maximum": 5},
            "reason": {"type": "string", "maxLength": 30},
        },
        "required": ["reason", "score"],
    }
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": schema}}
    done = run(
        personascope,
        [chat(str(i), "Rate this.", max_tokens=90, response_format=form) for i in range(6)],
    )
    for answer in answers_of(done.out):
        verdict = json.loads(answer["text"])
        assert 1 <= verdict["score"] <= 5 and len(verdict["reason"]) <= 30


def test_one_at_a_time_repeats_with_the_same_seed(personascope):
    requests = [chat(str(i), "Tell me of the sea.", max_tokens=20, seed=i) for i in range(3)]
    texts = []
    for store in ("one.db", "two.db"):
        done = run(personascope, requests, "--embedded-parallel", 1, "--store", store)
        texts.append([a["text"] for a in answers_of(done.out)])
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 3


def test_ctrl_c_is_answered_within_a_second_and_resume_goes_on(personascope):
    requests = [chat(str(i), f"Tell me a long story of {i}.", max_tokens=400) for i in range(60)]
    path = personascope.write("requests.jsonl", requests)
    process = personascope.start("batch", path, *MODEL, "-o", "answers.jsonl")
    time.sleep(4)
    assert process.poll() is None
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    ended = personascope.end(process)
    assert time.monotonic() - begun < 3, "a second, and some for a busy machine"
    assert ended.code == 130
    assert "personascope resume 1" in ended.err


def test_a_long_prompt_is_an_outcome_and_the_rest_goes_on(personascope):
    done = run(
        personascope, [chat("long", "word " * 100_000), chat("short", "Hello", max_tokens=2)]
    )
    long, short = answers_of(done.out)
    assert long["error"]["kind"] == "context_too_long"
    assert "100,0" in long["error"]["message"] or "1000" in long["error"]["message"]
    assert short["outcome"] == "ok"


@pytest.mark.parametrize(
    "content, complaint",
    [
        (None, "no model file"),
        (b"not a model", "is not a GGUF file"),
        (b"GGUF" + b"\x00" * 100, "cannot be read as a model"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 1000, "cannot be read as a model"),
    ],
)
def test_a_file_that_is_no_model_is_one_sentence(personascope, content, complaint):
    path = personascope.folder / "mine.gguf"
    if content is not None:
        path.write_bytes(content)
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    done = personascope("batch", requests, "--model", f"embedded/{path}")
    assert done.code == 2, done.err
    assert complaint in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_models_lists_what_is_there(personascope):
    listed = personascope("models", "--json").json()
    assert {"embedded/smollm2-135m", "embedded/smollm2-135m-q4_1"} <= {
        m["name"] for m in listed["embedded"]
    }
    nothing = personascope("models", env={"PERSONASCOPE_MODELS": str(personascope.folder)})
    assert "run scripts/setup-model" in nothing.out


def test_models_says_which_files_are_damaged(personascope):
    assert all(m["problem"] is None for m in personascope("models", "--json").json()["embedded"])
    (personascope.folder / "mine.gguf").write_bytes(b"GGUF cut short")
    (personascope.folder / "mine.gguf.sha256").write_text("0" * 64 + "  mine.gguf\n")
    (personascope.folder / "text.gguf").write_bytes(b"no model")
    env = {"PERSONASCOPE_MODELS": str(personascope.folder)}
    listed = personascope("models", "--json", env=env).json()["embedded"]
    assert [m["name"] for m in listed] == ["embedded/mine", "embedded/text"]
    assert listed[0]["problem"].startswith("damaged: ") and listed[1]["problem"].startswith("not a GGUF file")
    assert all("setup-model" not in m["problem"] for m in listed), "it cannot bring back a user's own file"
    shown = personascope("models", env=env).out
    assert "damaged: " in shown and shown.count(str(personascope.folder)) == 1, "the folder is named once"


@pytest.mark.parametrize("gpu", ["nonsense", "Vulkan", "../lib"])
def test_a_gpu_that_cannot_be_built_for_is_refused_at_once(gpu):
    environment = os.environ | {"PERSONASCOPE_GPU": gpu}
    script = ROOT / "scripts/setup-model"
    done = subprocess.run(script, env=environment, capture_output=True, text=True, timeout=20)
    assert done.returncode == 2
    assert done.stderr == f"PERSONASCOPE_GPU is '{gpu}', but can only be vulkan, cuda or hip\n"


def test_it_judges_by_default_and_says_that_it_is_tiny(personascope):
    answers = [{"id": "a", "persona": "A baker.", "question": "Who are you?", "answer": "I bake."}]
    path = personascope.write("answers.jsonl", answers)
    rubric = ROOT / "data/rubrics/helpfulness.yaml"
    done = personascope("judge", path, "--rubric", rubric, "-o", "verdicts.jsonl")
    assert done.code == 0, done.err
    assert "embedded/smollm2-135m is a tiny model" in done.out
    verdict = json.loads((personascope.folder / "verdicts.jsonl").read_text())
    shares = verdict["judges"][0]["distribution"]["shares"]
    assert [s["score"] for s in shares] == [1, 2, 3, 4, 5]
    assert abs(sum(s["probability"] for s in shares) - 1) < 1e-6


def test_the_record_says_what_computed_the_answers(personascope):
    done = run(personascope, [chat("a", "Hello", max_tokens=2)], "--embedded-parallel", "3")
    assert done.code == 0, done.err
    described = personascope("show", "1", "--json").json()["plan"]["local_models"]["embedded/smollm2-135m"]
    assert described["parallel"] == 3 and described["memory_mb"] == 512
    assert described["quantization"] == "Q8_0" and described["kernels"].startswith("cpu-")
    assert described["file"].endswith("/smollm2-135m.gguf") and len(described["sha256"]) == 64


def test_ctrl_c_while_a_large_file_is_being_read_ends_within_a_second(personascope):
    large = personascope.folder / "large.gguf"
    with large.open("wb") as file:
        file.write(b"GGUF")
        file.truncate(50 << 30)  # sparse: takes no room, but long to read
    requests = personascope.write("requests.jsonl", [chat("a", "Hello")])
    # A shell starts what runs in the background with interrupts ignored; a terminal does not.
    process = personascope.start(
        "batch", requests, "--model", f"embedded/{large}", "-o", "answers.jsonl",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    time.sleep(1)
    assert process.poll() is None, "it should still be reading"
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(10)
    assert time.monotonic() - before < 1
    assert personascope("runs", "--json").json() == {"runs": []}, "nothing was begun"
