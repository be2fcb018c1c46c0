"""Runs that move to another store in a file, and Parquet files of their items."""

import hashlib
import json
import pathlib
import sys
import time
import zipfile

import pytest

from harness import answers_of, chat
from test_judge import answer, judge, script

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEEL = ROOT / ".cache/parquet-26.0.0/wheel"  # scripts/setup-parquet puts it there
MEMBERS = ["run.json", "calls.jsonl", "attempts.jsonl", "items.jsonl"]


def run_batch(personascope, server, count=4):
    lines = [chat(f"good {i}", f"Tell me about lighthouse {i} " + "and its keeper " * 20) for i in range(count)]
    lines += [chat("no", "[[refuse]]"), chat("bad", "[[status 400]]"), chat("'; DROP TABLE run; --", "[[say +1-1]]")]
    requests = personascope.write("requests.jsonl", lines)
    assert personascope.batch(requests, server, "-o", "answers.jsonl", "--tag", "kept").code in (0, 1)


@pytest.fixture
def bundle(personascope, server):
    run_batch(personascope, server)
    ended = personascope("export", "1", "--bundle", "run.zip", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["items"] == 7 and ended.json()["calls"] == 7
    return personascope.folder / "run.zip"


def elsewhere(personascope, *args, **rest):
    return personascope(*args, "--store", personascope.folder / "other.db", **rest)


def rewrite(path, change, keep_sums=True):
    """Writes the bundle again with the members that `change` makes of {name: bytes}."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    if keep_sums and members.get("bundle.json", b"").startswith(b"{"):
        head = json.loads(members["bundle.json"])
        for name in MEMBERS:
            if name in members and name in head.get("members", {}):
                text = members[name]
                head["members"][name] = {"lines": text.count(b"\n"), "sha256": hashlib.sha256(text).hexdigest()}
        members["bundle.json"] = json.dumps(head).encode()
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return other


def change_line(member, **values):
    """Changes the first line of a member."""
    def change(members):
        first, rest = members[member].split(b"\n", 1)
        members[member] = json.dumps({**json.loads(first), **values}).encode() + b"\n" + rest
    return change


def test_a_run_moves_to_another_store_with_all_that_belongs_to_it(personascope, server, bundle):
    imported = elsewhere(personascope, "import", "bundle", bundle, "--json")
    assert imported.code == 0, imported.err
    assert imported.json()["run"] == 1 and imported.json()["items"] == 7
    for words in (("show", "1", "--item", "good 2", "--prompts", "--json"),
                  ("export", "1", "-o", "-"), ("export", "1", "--what", "calls", "-o", "-")):
        here, there = personascope(*words), elsewhere(personascope, *words)
        assert there.code == 0 and there.out == here.out, words
    (run,) = elsewhere(personascope, "runs", "--json").json()["runs"]
    (mine,) = personascope("runs", "--json").json()["runs"]
    assert {**run, "heartbeat": 0} == {**mine, "heartbeat": 0}
    assert run["tags"] == ["kept"]

    again = elsewhere(personascope, "import", "bundle", bundle)
    assert again.code == 0 and "stored already, as run 1" in again.out
    assert len(elsewhere(personascope, "runs", "--json").json()["runs"]) == 1

    # Its answers are the journal's: nothing is sent, and what the run wrote is written once more, to
    # a file of another name.
    server.reset()
    answers = answers_of(personascope.folder / "answers.jsonl")
    (personascope.folder / "answers.jsonl").write_text("mine")
    replayed = elsewhere(personascope, "resume", "1", "--replay")
    assert replayed.code in (0, 1), replayed.err
    assert server.requests() == 0
    assert (personascope.folder / "answers.jsonl").read_text() == "mine"
    (output,) = personascope.folder.glob("imported-*-answers.jsonl")
    assert answers_of(output) == answers
    assert elsewhere(personascope, "store", "check").code == 0


def test_runs_from_bundles_are_compared(personascope):
    ids = [f"item-{number}" for number in range(24)]
    lines = [answer(id, f"<{id}>", persona=f"p{number % 8}") for number, id in enumerate(ids)]
    for first, name in ((1, "low.yaml"), (2, "high.yaml")):
        verdicts = [(f"*<{id}>*", f"Verdict: {first + number % 3}") for number, id in enumerate(ids)]
        ended = judge(personascope, lines, "--canaries", 0, "--cluster", "persona",
                      judges=[script(personascope, name, *verdicts)])  # fmt: skip
        assert ended.code == 0, ended.err
    assert personascope("export", "1", "--bundle", "one.zip", "--redact").code == 0
    assert personascope("export", "2", "--bundle", "two.zip").code == 0
    for name in ("one.zip", "two.zip"):
        assert elsewhere(personascope, "import", "bundle", name).code == 0
    here, there = personascope("compare", "1", "2", "--json"), elsewhere(personascope, "compare", "1", "2", "--json")
    assert there.code == here.code == 0, there.err

    def without_settings(ended):
        return {name: value for name, value in ended.json().items() if name != "settings"}

    assert without_settings(there) == without_settings(here)
    # A redacted bundle has no plan, so its settings are not known.
    unknown = [setting["values"][0] for setting in there.json()["settings"]["settings"]]
    assert unknown and set(unknown) == {"-"}


def test_a_redacted_bundle_has_no_texts(personascope, server):
    run_batch(personascope, server)
    assert personascope("export", "1", "--bundle", "run.zip", "--redact").code == 0
    with zipfile.ZipFile(personascope.folder / "run.zip") as file:
        texts = b"".join(file.read(name) for name in file.namelist())
        assert sorted(file.namelist()) == ["bundle.json", "items.jsonl", "run.json"]
    assert b"lighthouse" not in texts and b"HTTP 400" not in texts and b"answers.jsonl" not in texts
    imported = elsewhere(personascope, "import", "bundle", "run.zip")
    assert imported.code == 0 and "without texts" in imported.out
    shown = elsewhere(personascope, "show", "1", "--outcome", "failed", "--json").json()["items"]
    assert [item["id"] for item in shown] == ["bad"]
    assert elsewhere(personascope, "show", "1").code == 0
    assert elsewhere(personascope, "resume", "1", "--replay").code == 2


def test_other_answers_of_the_store_stay(personascope, server, fake):
    run_batch(personascope, server, count=1)
    assert personascope("export", "1", "--bundle", "run.zip").code == 0
    other = fake(lambda body: "Something else that a model said, and that is long enough to be referred to.")
    words = ("batch", "requests.jsonl", "--model", "openai/gpt-4o", "--base-url", other.url, "-o", "other.jsonl")
    assert elsewhere(personascope, *words).code in (0, 1)
    imported = elsewhere(personascope, "import", "bundle", "run.zip", "--json").json()
    # The address is a part of what is asked, so these are other calls.
    assert imported["run"] == 2 and imported["differing_answers"] == 0


def test_a_bundle_that_is_none_is_refused_in_one_sentence(personascope, server, bundle):
    cases = {
        "nothing.zip": (None, "there is no file"),
        "text.zip": (b"hello", "is not a whole ZIP file"),
        "empty.zip": (b"", "is not a whole ZIP file"),
        "cut.zip": (bundle.read_bytes()[:-400], "is not a whole ZIP file"),
        "folder.zip": ("folder", "is a folder"),
    }
    for name, (content, reason) in cases.items():
        path = personascope.folder / name
        if content == "folder":
            path.mkdir()
        elif content is not None:
            path.write_bytes(content)
        refused(personascope, path, reason)


def refused(personascope, path, reason):
    ended = elsewhere(personascope, "import", "bundle", path)
    assert ended.code == 2, (reason, ended.out, ended.err)
    assert reason in ended.err and len(ended.err.strip().splitlines()) == 1, ended.err
    if (personascope.folder / "other.db").exists():
        assert elsewhere(personascope, "runs", "--json").json()["runs"] == []


HOSTILE = {
    "path traversal": (lambda m: m.update({"../../evil": b"x"}), "does not belong there"),
    "absolute path": (lambda m: m.update({"/etc/passwd": b"x"}), "does not belong there"),
    "huge member": (lambda m: m.update({"items.jsonl": b" " * 50_000_000}), "too large when unpacked"),
    "no head": (lambda m: m.pop("bundle.json"), "it has no bundle.json"),
    "another head": (lambda m: m.update({"bundle.json": b"{}"}), "not a bundle of a run"),
    "head that is no JSON": (lambda m: m.update({"bundle.json": b"\xff\x00"}), "not a bundle of a run"),
    "newer version": (lambda m: m.update({"bundle.json": m["bundle.json"].replace(b'"version": 1', b'"version": 2')}),
                      "newer version of this program"),
    "missing member": (lambda m: m.pop("calls.jsonl"), "is missing"),
    "uid of another form": (change_line("run.json", uid="1'; DROP TABLE run; --"), "32 hexadecimal"),
    "command": (change_line("run.json", command="gym\x1b[31m"), "control characters"),
    "state": (change_line("run.json", state="excellent"), "no state"),
    "tags": (change_line("run.json", tags=["a\x1b[31m"]), "control characters"),
    "plan": (change_line("run.json", plan="none"), '"plan" must be an object'),
    "cost": (change_line("run.json", spending={"calls": -1}), "whole number"),
    "item id": (change_line("items.jsonl", id="a\u0007b"), "control characters"),
    "outcome": (change_line("items.jsonl", outcome="won"), "no outcome"),
    "score": (change_line("items.jsonl", score="5"), '"score"'),
    "position": (change_line("items.jsonl", position=-1), '"position"'),
    "links": (change_line("items.jsonl", calls=[{"key": "zz", "purpose": ""}]), '"key"'),
    "a call of another key": (change_line("calls.jsonl", request="{}"), "not that of the call"),
    "an error that is no answer": (change_line("calls.jsonl", reply=None, error={"kind": "timeout", "message": ""}),
                                   "no answer"),
    "a line that is no JSON": (lambda m: m.update({"items.jsonl": m["items.jsonl"] + b"{\n"}), "items.jsonl, line 8"),
    "a line that is no object": (lambda m: m.update({"attempts.jsonl": b"7\n"}), "must be a JSON object"),
    "deep nesting": (lambda m: m.update({"attempts.jsonl": b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}\n"}), "deeper"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bundle_is_refused_in_one_sentence(personascope, server, bundle, name):
    change, reason = HOSTILE[name]
    refused(personascope, rewrite(bundle, change), reason)
    assert not (personascope.folder.parent.parent / "evil").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_changed_bundle_is_refused(personascope, server, bundle):
    def drop_an_item(members):
        members["items.jsonl"] = members["items.jsonl"].split(b"\n", 1)[1]
    refused(personascope, rewrite(bundle, drop_an_item, keep_sums=False), "checksum")
    # One byte of the packed calls.
    bytes = bytearray(bundle.read_bytes())
    with zipfile.ZipFile(bundle) as file:
        info = file.getinfo("calls.jsonl")
        start = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    bytes[start] ^= 0x55
    bundle.with_name("flipped.zip").write_bytes(bytes)
    refused(personascope, bundle.with_name("flipped.zip"), "calls.jsonl")
    with zipfile.ZipFile(bundle.with_name("twice.zip"), "w") as file, zipfile.ZipFile(bundle) as whole:
        for name in [*whole.namelist(), "run.json"]:
            file.writestr(name, whole.read(name))
    refused(personascope, bundle.with_name("twice.zip"), "twice")


def test_wrong_uses_of_bundles_are_said(personascope, server, bundle):
    for words, reason in (
        (("export", "1"), "--output or with --bundle"),
        (("export", "1", "-o", "x.csv", "--bundle", "y.zip"), "--output or with --bundle"),
        (("export", "1", "--bundle", "y.zip", "--what", "calls"), "one whole run"),
        (("export", "1", "1", "--bundle", "y.zip"), "one whole run"),
        (("export", "9", "--bundle", "y.zip"), "no run 9"),
        (("export", "1", "--bundle", "missing/y.zip"), "cannot be written"),
        (("import", "bundle"), "from one file"),
        (("import", "bundle", bundle, "--force"), "from one file"),
    ):
        ended = personascope(*words)
        assert ended.code in (1, 2) and reason in ended.err, (words, ended.err)
    assert not (personascope.folder / "y.zip").exists()


def test_a_kill_while_importing_leaves_the_run_whole_or_not_at_all(personascope, server):
    run_batch(personascope, server, count=1500)
    assert personascope("export", "1", "--bundle", "run.zip").code == 0
    start = time.monotonic()
    assert personascope("import", "bundle", "run.zip", "--store", "whole.db").code == 0
    whole = time.monotonic() - start
    for part in range(1, 9):
        process = elsewhere_started(personascope, "import", "bundle", "run.zip")
        time.sleep(whole * part / 9)
        process.kill()
        process.wait()
        runs = elsewhere(personascope, "runs", "--json").json()["runs"] if other_exists(personascope) else []
        if runs:
            assert runs[0]["outcomes"]["answered"] == 1501, "all or nothing"
            break
    assert elsewhere(personascope, "import", "bundle", "run.zip").code == 0
    (run,) = elsewhere(personascope, "runs", "--json").json()["runs"]
    assert run["outcomes"]["answered"] == 1501
    assert elsewhere(personascope, "store", "check").code == 0


def elsewhere_started(personascope, *args):
    return personascope.start(*args, "--store", personascope.folder / "other.db")


def other_exists(personascope):
    path = personascope.folder / "other.db"
    return path.exists() and path.stat().st_size > 0


@pytest.fixture
def parquet():
    sys.path.insert(0, str(WHEEL))
    try:
        import pyarrow.parquet
    finally:
        sys.path.remove(str(WHEEL))
    return pyarrow.parquet


def test_parquet_has_typed_columns(personascope, server, parquet):
    run_batch(personascope, server)
    ended = personascope("export", "1", "-o", "items.parquet")
    assert ended.code == 0 and "7 rows" in ended.out, ended.err
    table = parquet.read_table(personascope.folder / "items.parquet")
    types = {field.name: str(field.type) for field in table.schema}
    assert types["position"] == "int64" and types["score"] == "double" and types["id"] == "string"
    rows = table.to_pylist()
    assert personascope("export", "1", "-o", "items.jsonl").code == 0
    lines = answers_of(personascope.folder / "items.jsonl")
    assert [list(row) for row in rows] == [list(rows[0])] * 7 and sorted(rows[0]) == sorted(lines[0])
    for row, line in zip(rows, lines, strict=True):
        for name, value in line.items():
            expected = json.dumps(value) if isinstance(value, (dict, list)) else value
            found = json.dumps(json.loads(row[name])) if isinstance(value, (dict, list)) else row[name]
            assert found == expected, name
    assert personascope("export", "1", "--what", "calls", "-o", "calls.parquet").code == 0
    calls = parquet.read_table(personascope.folder / "calls.parquet")
    assert str(calls.schema.field("latency_s").type) == "double"
    assert str(calls.schema.field("from_journal").type) == "bool"
    assert str(calls.schema.field("input_tokens").type) == "int64"
    assert calls.num_rows == 7
    empty = personascope("export", "1", "--outcome", "abstained", "-o", "none.parquet")
    assert empty.code == 0 and parquet.read_table(personascope.folder / "none.parquet").num_rows == 0


def test_without_the_writer_of_parquet_a_sentence_says_how_to_get_it(personascope, server, tmp_path):
    run_batch(personascope, server, count=0)
    env = {"PERSONASCOPE_PARQUET_ROWS": "/nowhere/parquet_rows"}
    ended = personascope("export", "1", "-o", "items.parquet", env=env)
    assert ended.code == 2 and "run scripts/setup-parquet" in ended.err
    assert not (personascope.folder / "items.parquet").exists()
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho it does not work >&2\nexit 1\n")
    broken.chmod(0o755)
    ended = personascope("export", "1", "-o", "items.parquet", env={"PERSONASCOPE_PARQUET_ROWS": str(broken)})
    assert ended.code != 0 and "it does not work" in ended.err
    assert not (personascope.folder / "items.parquet").exists()
