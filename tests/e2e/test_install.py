"""An installation works without the checkout that it was built from."""

import os
import pathlib
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
    def run(*words, wrap=()):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [*wrap, prefix / "bin" / "personascope", *words],
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


def check(installed, wrap=()):
    doctor = installed("doctor", wrap=wrap)
    assert doctor.returncode == 0 and "kernels cpu-" in doctor.stdout, doctor.stdout + doctor.stderr
    run = installed(*SMALL, wrap=wrap)
    assert run.returncode == 0, run.stderr
    assert installed("completion", "bash", wrap=wrap).returncode == 0
    return run.stdout


def test_it_runs_from_its_own_files(installed, prefix):
    said = check(installed)
    assert str(CHECKOUT) not in said
    models = installed("models", "--json")
    assert models.returncode == 0 and str(CHECKOUT) not in models.stdout


def test_it_runs_where_the_checkout_is_gone(installed, prefix, tmp_path):
    """The checkout and what its links point to are hidden behind empty folders, for this process alone."""
    hidden = {CHECKOUT, (CHECKOUT / ".cache").resolve(), BUILD}
    mounts = " && ".join(f"mount -t tmpfs none '{path}'" for path in sorted(hidden) if path.is_dir())
    wrap = ("unshare", "-rm", "sh", "-c", mounts + ' && exec "$@"', "sh")
    if subprocess.run([*wrap, "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine does not let us mount")
    assert subprocess.run([*wrap, "test", "-e", CHECKOUT / "data"]).returncode != 0
    check(installed, wrap)


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


@pytest.mark.skipif(not shutil.which("cpack") or not shutil.which("dpkg-deb"), reason="no cpack or dpkg-deb")
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
