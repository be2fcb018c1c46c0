"""A store that cannot be written, is damaged, newer, foreign, shared or full."""

import os
import resource
import signal
import sqlite3
import stat
import subprocess

import pytest

from harness import answers_of, chat

LINES = [chat(f"s{i}", f"Question {i}?") for i in range(20)]


@pytest.fixture
def requests(personascope):
    return personascope.write("requests.jsonl", LINES)


@pytest.fixture
def filled(personascope, requests, server):
    """A store with one finished run."""
    assert personascope.batch(requests, server, "-o", "answers.jsonl").code == 0
    server.reset()
    return personascope.store


def assert_refused(ended, server, *words):
    assert ended.code in (1, 2)
    assert ended.err.startswith("personascope: ")
    assert ended.err.count("\n") == 1, "one sentence, not: " + ended.err
    for word in words:
        assert word in ended.err
    assert server.requests() == 0


def test_a_file_in_place_of_the_folder(personascope, requests, server):
    personascope.home.write_text("not a folder")
    ended = personascope.batch(requests, server)
    assert_refused(ended, server, str(personascope.home), "name another path")
    assert ended.code == 2


def test_a_folder_that_nobody_can_write(personascope, requests, server):
    ended = personascope.batch(requests, server, "--store", "/proc/personascope/store.db")
    assert_refused(ended, server, "/proc/personascope", "writable")
    assert ended.code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(personascope, requests, server, filled):
    personascope.home.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert_refused(personascope.batch(requests, server), server, "writable")
    finally:
        personascope.home.chmod(stat.S_IRWXU)
    assert personascope.batch(requests, server).code == 0


def test_a_read_only_mount(personascope, requests, server, filled, tmp_path):
    place = tmp_path / "read-only"
    place.mkdir()
    bind = ["mount", "--bind", "-o", "ro", str(personascope.home), str(place)]
    if os.geteuid() != 0 or subprocess.run(bind, capture_output=True).returncode != 0:
        pytest.skip("needs root and mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place)], check=True)
        ended = personascope.batch(requests, server, "--store", place / "personascope.db")
        assert_refused(ended, server, "writable")
        assert ended.code == 1
        new = personascope.batch(requests, server, "--store", place / "new.db")
        assert_refused(new, server, "writable")
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_an_output_folder_that_cannot_be_written_costs_nothing(personascope, requests, server):
    for output in ("/proc/answers.jsonl", personascope.folder / "no" / "answers.jsonl", "/tmp"):
        ended = personascope.batch(requests, server, "-o", output)
        assert_refused(ended, server, str(output).rsplit("/", 1)[0])
        assert ended.code == 2


@pytest.mark.parametrize("content", [b"garbage " * 4000, b"a note\n", b"SQLite format 3\0" + b"\xff" * 9000])
def test_garbage_in_place_of_the_store(personascope, requests, server, content):
    personascope.home.mkdir()
    personascope.store.write_bytes(content)
    ended = personascope.batch(requests, server)
    assert_refused(ended, server, str(personascope.store))
    assert ended.code == 2
    assert personascope.store.read_bytes() == content, "a file that is not ours was changed"


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_a_truncated_store(personascope, requests, server, filled, share):
    os.truncate(filled, int(filled.stat().st_size * share))
    ended = personascope.batch(requests, server)
    assert ended.code == 1
    assert "damaged" in ended.err and "recover" in ended.err


def test_a_store_with_damaged_pages(personascope, requests, server, filled):
    size = filled.stat().st_size
    with open(filled, "r+b") as file:
        file.seek(8192)
        file.write(b"\xa5" * (size - 8192))
    ended = personascope.batch(requests, server)
    assert ended.code == 1
    assert "damaged" in ended.err
    assert personascope("runs").code == 1
    assert personascope("show", "1").code == 1


def test_a_newer_store(personascope, requests, server, filled):
    with sqlite3.connect(filled) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = filled.read_bytes()
    for words in (["runs"], ["show", "1"], ["resume", "1"]):
        ended = personascope(*words)
        assert_refused(ended, server, "newer version", "update")
        assert ended.code == 1
    assert_refused(personascope.batch(requests, server), server, "newer version")
    assert filled.read_bytes() == before


def test_another_program_s_database(personascope, requests, server):
    personascope.home.mkdir()
    with sqlite3.connect(personascope.store) as connection:
        connection.execute("CREATE TABLE bookmark (url TEXT)")
    connection.close()
    before = personascope.store.read_bytes()
    ended = personascope.batch(requests, server)
    assert_refused(ended, server, "another program")
    assert ended.code == 1
    assert personascope.store.read_bytes() == before


def test_a_folder_in_place_of_the_store(personascope, requests, server):
    personascope.store.mkdir(parents=True)
    ended = personascope.batch(requests, server)
    assert_refused(ended, server, "is a folder", "name a file")
    assert ended.code == 2


def test_a_device_in_place_of_the_store(personascope, requests, server):
    assert_refused(personascope.batch(requests, server, "--store", "/dev/null"), server, "/dev/null")


def test_the_store_is_for_its_owner_alone(personascope, filled):
    assert stat.S_IMODE(filled.stat().st_mode) == 0o600
    assert stat.S_IMODE(personascope.home.stat().st_mode) == 0o700


def test_two_processes_share_one_new_store(personascope, loopback):
    server = loopback(latency_ms=10)
    processes = []
    for name in ("a", "b", "c"):
        lines = [chat(f"{name}{i}", f"Question {i} of {name}?") for i in range(150)]
        requests = personascope.write(f"{name}.jsonl", lines)
        words = personascope.batch_words(requests, server, "-o", f"{name}.out", "--json")
        processes.append((name, personascope.start(*words)))
    for name, process in processes:
        ended = personascope.end(process)
        assert ended.code == 0, ended.err
        assert ended.json()["outcomes"]["ok"] == 150
        answers = answers_of(personascope.folder / f"{name}.out")
        assert [answer["id"] for answer in answers] == [f"{name}{i}" for i in range(150)]
    assert server.requests() == 450
    assert len(personascope("runs", "--json").json()["runs"]) == 3


def test_a_run_is_carried_out_by_one_process_at_a_time(personascope, loopback):
    server = loopback(latency_ms=100)
    lines = [chat(str(i), f"Question {i}?") for i in range(60)]
    requests = personascope.write("requests.jsonl", lines)
    first = personascope.start(
        *personascope.batch_words(requests, server, "--max-connections", 3, "-o", "answers.jsonl")
    )
    server.wait_for_requests(3)
    second = personascope("resume", "1")
    assert second.code == 2
    assert "another process" in second.err and "run 1" in second.err
    assert personascope.end(first).code == 0
    assert server.requests() == 60
    assert personascope("resume", "1").code == 0
    assert server.requests() == 60


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs root and mount")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def noisy_lines(count, size):
    # Text that does not compress, so that the store grows as fast as it can.
    return [chat(f"d{i}", f"{i} " + os.urandom(size // 2).hex()) for i in range(count)]


def test_a_full_disk_loses_nothing(personascope, loopback, small_disk):
    server = loopback(latency_ms=5)
    requests = personascope.write("requests.jsonl", noisy_lines(200, 20_000))
    store = small_disk / "store.db"
    output = personascope.folder / "answers.jsonl"
    words = ("--store", store, "--max-connections", 4, "-o", output)
    ended = personascope.batch(requests, server, *words)
    assert ended.code == 1
    assert "no space left" in ended.err and "kept" in ended.err
    assert not output.exists()
    asked = server.requests()
    assert 10 < asked < 200

    still_full = personascope("resume", "1", "--store", store)
    assert still_full.code == 1 and "no space left" in still_full.err
    asked_in_vain = server.requests() - asked
    assert asked_in_vain <= 4 + 4

    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    done = personascope("resume", "1", "--store", store)
    assert done.code == 0, done.err
    assert [answer["outcome"] for answer in answers_of(output)] == ["ok"] * 200
    # What was in flight when the disk filled up is asked again, and nothing else.
    assert server.requests() <= 200 + 2 * 8 + asked_in_vain


def test_a_full_disk_for_the_output_loses_nothing(personascope, server, small_disk):
    requests = personascope.write("requests.jsonl", noisy_lines(40, 100))
    (small_disk / "ballast").write_bytes(b"x" * 1_534_000)
    output = small_disk / "answers.jsonl"
    said = "[[say " + "word " * 2000 + "]]"
    requests = personascope.write("requests.jsonl", [chat(str(i), f"{said}{i}") for i in range(10)])
    ended = personascope.batch(requests, server, "-o", output)
    assert ended.code == 1
    assert "space" in ended.err and str(output) in ended.err
    assert "resume 1" in ended.err
    assert not output.exists()
    (small_disk / "ballast").unlink()
    assert personascope("resume", "1").code == 0
    assert len(answers_of(output)) == 10
    assert server.requests() == 10


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, resource.RLIM_INFINITY))


def test_a_limit_on_the_size_of_files_loses_nothing(personascope, loopback):
    server = loopback(latency_ms=5)
    requests = personascope.write("requests.jsonl", noisy_lines(150, 20_000))
    output = personascope.folder / "answers.jsonl"
    words = personascope.batch_words(requests, server, "--max-connections", 4, "-o", output)
    ended = personascope(*words, preexec_fn=limit_file_size)
    assert ended.code == 1
    assert str(personascope.store) in ended.err
    assert not output.exists()
    done = personascope("resume", "1")
    assert done.code == 0, done.err
    assert [answer["outcome"] for answer in answers_of(output)] == ["ok"] * 150
    assert server.requests() <= 150 + 2 * 8


@pytest.mark.parametrize("words", [["show", "1"], ["export", "1", "-o", "items.jsonl"], ["resume", "1"],
                                   ["rescore", "1"], ["explain-miss", "1"], ["store", "check"], ["compare", "1", "2"],
                                   ["agreement", "1"], ["runs"], ["card", "gym"], ["card", "gym", "--run", "1"],
                                   ["gym", "leaderboard"], ["lens", "gather", "1"]])
def test_a_mistyped_path_makes_no_store(personascope, words):
    ended = personascope(*words, "--store", "typo.db")
    assert ended.code == 2 and "typo.db" in ended.err, ended.err
    assert not (personascope.folder / "typo.db").exists()


def test_a_store_that_is_deleted_stops_the_run(personascope, loopback):
    server = loopback(latency_ms=20)
    requests = personascope.write("r.jsonl", [chat(str(i), f"Question {i}?") for i in range(2000)])
    process = personascope.start(*personascope.batch_words(requests, server, "--fixed-connections", 4))
    server.wait_for_requests(20)
    for file in personascope.home.glob("personascope.db*"):
        file.unlink()
    ended = personascope.end(process, 60)
    assert ended.code == 1, ended.err
    assert "the store was deleted or moved" in ended.err
    assert server.requests() < 1000, "answers that cannot be kept are not asked for"
