"""An installation works without the checkout that it was built from."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from harness import BIN

BUILD = BIN.parent
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not shutil.which("cmake") or not (BUILD / "cmake_install.cmake").is_file(), reason="no build folder"
)


def is_release():
    return "CMAKE_BUILD_TYPE:STRING=Release" in (BUILD / "CMakeCache.txt").read_text()


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    ended = subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", prefix], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return prefix


@pytest.fixture
def installed(prefix, tmp_path):
    def run(*words):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [prefix / "bin" / "personascope", *words],
            cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    return run


def test_everything_is_there(prefix):
    for place in (
        "bin/personascope", "share/personascope/data/gym/personas.jsonl", "share/personascope/data/LICENSE",
        "share/personascope/models/smollm2-135m.gguf", "lib/personascope/libllama.so.0", "share/doc/personascope/LICENSE",
        "share/doc/personascope/NOTICE", "share/doc/personascope/LICENSE.llama.cpp", "share/man/man1/personascope.1",
        "share/bash-completion/completions/personascope", "share/zsh/vendor-completions/_personascope",
        "share/fish/vendor_completions.d/personascope.fish",
    ):  # fmt: skip
        assert (prefix / place).is_file(), place


def test_no_path_of_the_checkout_is_needed(prefix):
    for file in [prefix / "bin" / "personascope", *(prefix / "lib" / "personascope").iterdir()]:
        shown = subprocess.run(["readelf", "-d", file], capture_output=True, text=True).stdout
        paths = [line for line in shown.splitlines() if "RUNPATH" in line or "RPATH" in line]
        assert all("$ORIGIN" in line for line in paths), (file, paths)
    for file in prefix.rglob("*"):
        if file.is_symlink():
            assert not os.readlink(file).startswith("/"), file
    if is_release():
        assert str(CHECKOUT).encode() not in (prefix / "bin" / "personascope").read_bytes()


SMALL = (
    "gym", "run", "--limit", "1", "--questions-per-task", "1", "--task", "expected-action", "--max-output-tokens", "8",
    "--canaries", "0", "--json",
)  # fmt: skip


def test_it_runs_from_its_own_files(installed, prefix):
    doctor = installed("doctor")
    assert doctor.returncode == 0 and "kernels cpu-" in doctor.stdout, doctor.stdout + doctor.stderr
    run = installed(*SMALL)
    assert run.returncode == 0, run.stderr
    assert str(CHECKOUT) not in run.stdout
    assert installed("completion", "bash").returncode == 0
    models = installed("models", "--json")
    assert models.returncode == 0 and str(CHECKOUT) not in models.stdout


def copy_with_libraries(prefix, root):
    """The installation in /usr of a folder that holds nothing else but the system's libraries."""
    shutil.copytree(prefix, root / "usr", symlinks=True)
    for folder in ("home", "tmp"):
        (root / folder).mkdir()
    programs = [prefix / "bin" / "personascope", *(prefix / "lib" / "personascope").glob("libggml-cpu-*.so")]
    for program in programs:
        listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", listed):
            if not library.startswith(str(prefix)):
                target = root / library[1:]
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(pathlib.Path(library).resolve(), target)


def test_it_runs_where_the_checkout_is_gone(prefix, tmp_path):
    root = tmp_path / "root"
    copy_with_libraries(prefix, root)

    def run(*words):
        return subprocess.run(
            ["/usr/sbin/chroot", root, "/usr/bin/personascope", *words], capture_output=True, text=True, timeout=300,
            # There is no /proc, from which the loader would know where the program is.
            env={"HOME": "/home", "PATH": "/usr/bin", "LC_ALL": "C.UTF-8", "LD_ORIGIN_PATH": "/usr/bin"},
        )  # fmt: skip

    if run("version").returncode == 125:  # of chroot itself
        pytest.skip("only root can change the root folder")
    doctor = run("doctor")
    assert doctor.returncode == 0 and "kernels cpu-" in doctor.stdout, doctor.stdout + doctor.stderr
    ended = run(*SMALL)
    assert ended.returncode == 0, ended.stderr
    assert run("completion", "bash").returncode == 0


def test_it_can_be_moved(installed, prefix, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(prefix, moved, symlinks=True)
    ended = subprocess.run(
        [moved / "bin" / "personascope", "doctor"], cwd=tmp_path, capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert ended.returncode == 0 and "kernels cpu-" in ended.stdout, ended.stdout
    shutil.rmtree(moved / "share" / "personascope" / "models")
    assert "embedded model" in subprocess.run(
        [moved / "bin" / "personascope", "doctor"], cwd=tmp_path, capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PERSONASCOPE_DATA": str(prefix / "share/personascope/data")},
    ).stdout  # fmt: skip


@pytest.mark.skipif(not all(map(shutil.which, ("cpack", "dpkg-deb", "dpkg-shlibdeps"))), reason="needs cpack and dpkg-dev")
@pytest.mark.skipif(not os.environ.get("PERSONASCOPE_TEST_PACKAGE") and not is_release(), reason="only of a release")
def test_the_package(tmp_path):
    ended = subprocess.run(["cpack", "-G", "DEB", "-B", tmp_path], cwd=BUILD, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (package,) = tmp_path.glob("*.deb")
    root = tmp_path / "root"
    subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    depends = subprocess.run(["dpkg-deb", "-f", package, "Depends"], capture_output=True, text=True).stdout
    assert "libcurl" in depends and "libsqlite3" in depends and "llama" not in depends
    ended = subprocess.run(
        [root / "usr/bin/personascope", *SMALL], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
