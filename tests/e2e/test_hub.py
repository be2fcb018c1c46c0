"""Data sets fetched from a stand-in for the Hugging Face hub: checked, continued, and the token kept."""

import json
import pathlib

import pytest

from fake_hub import FakeHub
from harness import answers_of
from test_import_bench import PERSONAS, QUESTIONS, write_parquet  # noqa: F401

TOKEN = "hf_a_token_that_nobody_may_see"
PRISM = "SynthLabsAI/PRISM-Filter"
PEOPLE = "SynthLabsAI/Synthetic-Personas"


@pytest.fixture
def hub():
    hubs = []

    def start(**options):
        hubs.append(FakeHub(**options))
        return hubs[-1]

    yield start
    for one in hubs:
        one.stop()


@pytest.fixture
def published(hub, write_parquet):  # noqa: F811
    """Both sets, behind a token."""
    made = hub(token=TOKEN)
    made.sets[PRISM] = {"data/prism questions.jsonl": "".join(json.dumps({"question": q}) + "\n" for q in QUESTIONS).encode()}
    people = write_parquet("people.parquet", PERSONAS).read_bytes()
    made.sets[PEOPLE] = {"data/train-00000-of-00001.parquet": people}
    return made


def fetch(personascope, hub, *words, token=TOKEN, **rest):
    env = {"HF_ENDPOINT": hub.endpoint + "/", **({"HF_TOKEN": token} if token else {}), **rest}
    return personascope("import", "persona-bench", "--hub", *words, env=env)


def assert_no_token(personascope, ended):
    assert TOKEN not in ended.out + ended.err
    for path in personascope.home.rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


def test_the_published_sets_are_fetched_checked_and_imported(personascope, published):
    ended = fetch(personascope, published, "--json")
    assert ended.code == 0, ended.err
    said = ended.json()
    assert (said["personas"], said["questions"]) == (8, 12)
    assert [(one["repo"], one["commit"], one["files"], one["fetched"]) for one in said["hub"]] == [
        (PRISM, FakeHub.COMMIT, 1, 1), (PEOPLE, FakeHub.COMMIT, 1, 1),
    ]  # fmt: skip
    assert len(answers_of(pathlib.Path(said["questions_file"]))) == 12
    assert f"{PRISM}: data/prism questions.jsonl 0.0 MB of 0.0 MB" in ended.err
    # The token went to the hub alone, also after the redirect.
    assert {host for host, _, _ in published.seen} == {"hub", "cdn"}
    for host, _, headers in published.seen:
        assert ("Authorization" in headers) == (host == "hub")
    assert_no_token(personascope, ended)
    # Nothing is fetched twice.
    published.seen.clear()
    again = fetch(personascope, published, "--json", "--force", "--quiet")
    assert again.code == 0 and again.err == ""
    assert [one["fetched"] for one in again.json()["hub"]] == [0, 0]
    assert published.files_asked_for() == []


def test_one_set_of_another_name_and_revision(personascope, published):
    published.sets["me/mine"] = {"q.csv": b"question\nWould you rather own or rent it?\n"}
    ended = fetch(personascope, published, "me/mine", "--revision", "a branch", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["questions"] == 1
    assert published.seen[0][1] == "/api/datasets/me/mine/revision/a%20branch?blobs=true"


def test_a_token_left_by_a_login_is_found(personascope, published, tmp_path):
    (tmp_path / "hf").mkdir()
    (tmp_path / "hf/token").write_text(TOKEN + "\n")
    ended = fetch(personascope, published, token=None, HF_HOME=str(tmp_path / "hf"))
    assert ended.code == 0, ended.err
    assert_no_token(personascope, ended)


def test_a_cut_connection_is_continued_where_it_ended(personascope, published):
    path = "data/train-00000-of-00001.parquet"
    published.cuts[path] = [1000, 500]
    ended = fetch(personascope, published, PEOPLE)
    assert ended.code == 0, ended.err
    ranges = [asked for host, asked in published.files_asked_for() if host == "cdn"]
    assert ranges == ["bytes=0", "bytes=1000", "bytes=1500"]


def test_what_an_earlier_command_fetched_is_continued(personascope, published):
    path = "data/train-00000-of-00001.parquet"
    published.cuts[path] = [700, 0]
    ended = fetch(personascope, published, PEOPLE)
    assert ended.code == 1, ended.out
    assert "127.0.0.1" in ended.err
    published.cuts.clear()
    published.seen.clear()
    assert fetch(personascope, published, PEOPLE).code == 0
    assert [asked for host, asked in published.files_asked_for() if host == "cdn"] == ["bytes=700"]


def test_a_server_without_ranges_sends_it_all_anew(personascope, published):
    path = "data/train-00000-of-00001.parquet"
    published.cuts[path] = [1000]
    published.no_ranges = True
    ended = fetch(personascope, published, PEOPLE, "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["personas"] == 8


def test_a_large_file_comes_in_ranges(personascope, published):
    line = json.dumps({"question": "Is it worth so many bytes? " + "x" * 900_000}) + "\n"
    published.sets["me/large"] = {"q.jsonl": b"".join(line.replace("x", str(i), 1).encode() for i in range(40))}
    ended = fetch(personascope, published, "me/large", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["questions"] == 40
    starts = {asked for _, asked in published.files_asked_for()}
    assert starts == {"bytes=0", f"bytes={16 << 20}", f"bytes={32 << 20}"}


@pytest.mark.parametrize("repo, path", [(PRISM, "data/prism questions.jsonl"), (PEOPLE, "data/train-00000-of-00001.parquet")])
def test_a_file_with_another_checksum_is_refused_and_removed(personascope, published, repo, path):
    published.wrong_hash.add(path)
    ended = fetch(personascope, published, repo)
    assert ended.code == 2
    assert "arrived with another checksum than the hub announced" in ended.err
    assert not [file for file in (personascope.home / "hub").rglob("*") if file.is_file()]
    published.wrong_hash.clear()
    assert fetch(personascope, published, repo).code == 0


def test_refusals_say_what_to_do(personascope, published):
    none = fetch(personascope, published, token=None)
    assert none.code == 2 and "set HF_TOKEN or run `huggingface-cli login`" in none.err
    wrong = fetch(personascope, published, token="hf_wrong_token_of_somebody")
    assert wrong.code == 2 and "does not accept the token" in wrong.err
    assert "hf_wrong_token_of_somebody" not in wrong.err
    missing = fetch(personascope, published, "me/none")
    assert missing.code == 2 and "the hub has no data set me/none" in missing.err
    published.gated.add(PRISM)
    gated = fetch(personascope, published, PRISM)
    assert gated.code == 2 and f"ask for it on {published.endpoint}/datasets/{PRISM}" in gated.err
    behind = published.endpoint.replace("//", "//me:sesame@")
    gated = fetch(personascope, published, PRISM, HF_ENDPOINT=behind)
    assert gated.code == 2 and f"ask for it on {published.endpoint}/datasets/{PRISM}" in gated.err and "sesame" not in gated.err
    published.moved.add(PEOPLE)
    moved = fetch(personascope, published, PEOPLE)
    assert moved.code == 2 and f"{PEOPLE} has been renamed" in moved.err
    for bad in ("nobody", "../../etc", "a/b/c", "a/b?x"):
        ended = fetch(personascope, published, bad)
        assert ended.code == 2 and "name it as OWNER/NAME" in ended.err
    plain = fetch(personascope, published, HF_ENDPOINT="http://hub.invalid")
    assert plain.code == 2 and "would travel unprotected" in plain.err


@pytest.mark.parametrize(
    "files, words",
    [
        ([{"rfilename": "a\\b.csv", "size": 1, "blobId": "0" * 40}], "name that cannot be used"),
        ([{"rfilename": "/etc/x.csv", "size": 1, "blobId": "0" * 40}], "name that cannot be used"),
        ([{"rfilename": "x.csv", "size": 1}], "no size or hash for x.csv"),
        ([{"rfilename": "x.csv", "size": 10**15, "blobId": "0" * 40}], "more than 8 GB"),
        ([{"rfilename": "../../x.csv", "size": 1, "blobId": "0" * 40}], "contains no .parquet"),
        ("all", "lacks the commit or the files"),
    ],
)
def test_a_hostile_list_of_files_is_refused(personascope, published, files, words):
    published.listing = {"sha": FakeHub.COMMIT, "siblings": files}
    ended = fetch(personascope, published, PRISM)
    assert ended.code in (1, 2)
    assert words in ended.err
    assert len(ended.err.strip().splitlines()) == 1
