"""What the model inside the program says of files, schemas and prompts that cannot work."""

import json
import pathlib
import shutil
import struct
import time

import pytest

from harness import answers_of, chat

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ("--model", "embedded/smollm2-135m")
WEIGHTS = ROOT / ".cache/models/smollm2-135m.gguf"


@pytest.fixture
def mine(personascope):
    """A copy of the weights that a test may damage."""
    path = personascope.folder / "mine.gguf"
    shutil.copyfile(WEIGHTS, path)
    return path


def overwrite(path, place, content):
    with path.open("r+b") as file:
        file.seek(place)
        file.write(content)


def damage(path):
    overwrite(path, 50_000_000, b"\xff" * 2_000_000)  # scales that are no numbers


def is_one_sentence(text):
    return len(text.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "schema, allowed",
    [
        ({"enum": ["yes", "no"]}, lambda value: value in ("yes", "no")),
        ({"type": "integer", "minimum": 1, "maximum": 9}, lambda value: 1 <= value <= 9),
        ({"const": None}, lambda value: value is None),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2},
         lambda value: 1 <= len(value) <= 2),
        ({"$defs": {"b": {"type": "boolean"}}, "$ref": "#/$defs/b"},
         lambda value: isinstance(value, bool)),
    ],
)  # fmt: skip
def test_a_schema_need_not_be_an_objects(personascope, schema, allowed):
    path = personascope.folder / "schema.json"
    path.write_text(json.dumps(schema))
    done = personascope("ask", "Is fire hot?", "--schema", path, "--max-output-tokens", "12")
    assert done.code == 0, done.err
    assert allowed(json.loads(done.out))


def test_a_schema_that_nothing_fits_is_named_at_once(personascope):
    path = personascope.folder / "schema.json"
    for schema, complaint in [
        ({"enum": []}, "allows no answer at all"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "a minimum above its maximum"),
        ({"enum": [f"value {i}" for i in range(60_000)]}, "the schema is too long"),
    ]:
        path.write_text(json.dumps(schema))
        begun = time.monotonic()
        done = personascope("ask", "Is fire hot?", "--schema", path)
        assert done.code != 0 and complaint in done.err and is_one_sentence(done.err), done.err
        assert "tries" not in done.err and time.monotonic() - begun < 5


def test_many_members_that_may_be_left_out_print_nothing(personascope):
    path = personascope.folder / "schema.json"
    members = {f"m{i}": {"type": "boolean"} for i in range(40)}
    path.write_text(json.dumps({"type": "object", "properties": members}))
    done = personascope("ask", "Fill it in.", "--schema", path, "-q")
    assert done.code == 0 and done.err == "", done.err
    assert set(json.loads(done.out)) <= set(members)


def test_an_answer_that_is_cut_under_a_schema_says_so(personascope):
    path = personascope.folder / "schema.json"
    path.write_text(json.dumps({"type": "string", "minLength": 100}))
    done = personascope("ask", "Hello", "--schema", path, "--max-output-tokens", "5")
    assert done.code == 1 and "cut off at its token limit" in done.err, done.err


def test_labels_with_a_form_are_refused(personascope):
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
    line = chat("a", "Rate it.", choices=["1", "2"], response_format=form)
    done = personascope("batch", personascope.write("requests.jsonl", [line]))
    assert done.code == 2 and "leave out one of the two" in done.err


def test_a_run_does_not_go_on_with_other_weights(personascope, mine):
    original = mine.read_bytes()
    requests = personascope.write(
        "requests.jsonl", [chat(str(i), f"Say {i}.", max_tokens=3) for i in range(3)]
    )
    answers = personascope.write("answers.jsonl", [{"id": "a", "prompt": "Hi", "answer": "Hello."}])
    questions = ROOT / "data/rubrics/helpfulness.yaml"
    model = ("--model", f"embedded/{mine}")
    stopped = ("--max-calls", "1")
    personascope("batch", requests, *model, "-o", "out.jsonl", *stopped)
    personascope("judge", answers, "--rubric", questions, "--judge", model[1], *stopped)
    overwrite(mine, len(original) - 1, bytes([original[-1] ^ 1]))
    for run in ("1", "2"):
        done = personascope("resume", run, "--max-calls", "100")
        assert done.code == 2, done.err
        assert f"run {run} was started with another file of {model[1]}" in done.err
        assert "put that file back, or start a new run" in done.err and is_one_sentence(done.err)
    mine.write_bytes(original)
    assert personascope("resume", "1", "--max-calls", "100").code == 0


def test_weights_that_compute_no_numbers_are_no_answers(personascope, mine):
    damage(mine)
    requests = [
        chat("written", "Hello", max_tokens=5, temperature=0),
        chat("drawn", "Hello", max_tokens=5),
        chat("labels", "Rate it.", choices=["1", "2"]),
        chat("text", "Hello", continuation="Good day."),
    ]
    path = personascope.write("requests.jsonl", requests)
    done = personascope("batch", path, "--model", f"embedded/{mine}")
    for answer in answers_of(done.out):
        assert answer["outcome"] == "failed", answer
        assert "its file may be damaged" in answer["error"]["message"]


@pytest.mark.parametrize(
    "name, value",
    [
        ("block_count", struct.pack("<I", 0)),
        ("block_count", struct.pack("<I", 0xFFFFFFFF)),
        ("context_length", struct.pack("<I", 0)),
        ("context_length", struct.pack("<I", 0xFFFFFFFF)),
        ("attention.layer_norm_rms_epsilon", struct.pack("<f", -1)),
        ("attention.layer_norm_rms_epsilon", struct.pack("<f", float("nan"))),
    ],
)
def test_a_number_that_cannot_be_is_damage(personascope, mine, name, value):
    key = b"llama." + name.encode()
    with mine.open("rb") as file:
        place = file.read(10_000).index(key) + len(key) + 4  # behind its type
    overwrite(mine, place, value)
    done = personascope("ask", "Hi", "--model", f"embedded/{mine}")
    assert done.code == 2, done.err
    assert "is damaged" in done.err and name in done.err and is_one_sentence(done.err)


def test_without_room_it_says_what_the_limit_is(personascope):
    numbers = {"type": "array", "items": {"type": "integer"}, "minItems": 200}
    form = {"type": "json_schema", "json_schema": {"name": "numbers", "schema": numbers}}
    answer = chat("answer", "fox " * 1050, max_tokens=100, response_format=form)
    prompts = [chat("prompt", "fox " * 2000), answer]
    small = personascope.write("small.jsonl", prompts)
    done = personascope("batch", small, *MODEL, "--embedded-memory", "24")
    prompt, answer = (line["error"] for line in answers_of(done.out))
    assert prompt["kind"] == answer["kind"] == "context_too_long"
    assert "at most 1091 are possible, the limit of the memory" in prompt["message"]
    assert "the answer did not end within the" in answer["message"]
    assert "the limit of the memory: increase" in answer["message"]

    done = personascope("batch", personascope.write("long.jsonl", [chat("a", "fox " * 9000)]), *MODEL)
    message = answers_of(done.out)[0]["error"]["message"]
    assert "at most 8191 are possible, the limit of the model's context" in message


def test_a_prompt_of_megabytes_is_refused_before_it_is_read(personascope):
    requests = personascope.write(
        "requests.jsonl", [chat(str(i), f"{i} word" * 1_500_000) for i in range(3)]
    )
    begun = time.monotonic()
    done = personascope("batch", requests, *MODEL)
    assert time.monotonic() - begun < 10
    for answer in answers_of(done.out):
        assert answer["error"]["kind"] == "context_too_long", answer
        assert "bytes, and no text above" in answer["error"]["message"]
