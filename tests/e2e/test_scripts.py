"""What scripts/setup.sh shows while it builds, and when it makes a build folder anew."""

import os
import pathlib
import shutil
import subprocess

import pytest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts/setup.sh"

# In place of cmake: configures, or "builds" with the lines of a build.
CMAKE = """#!/bin/sh
echo "$@" >> calls
if [ "$1" = --preset ]; then
  mkdir -p build/$2 && touch build/$2/build.ninja
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > build/$2/CMakeCache.txt
  exit
fi
for n in 1 2 3 4; do echo "[$n/4] Building CXX object $n.o"; done
echo "a warning"
exit ${BUILD_STATUS:-0}
"""


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "checkout"
    (folder / "scripts").mkdir(parents=True)
    (folder / "bin").mkdir()
    shutil.copy(SETUP, folder / "scripts")
    cmake = folder / "bin/cmake"
    cmake.write_text(CMAKE)
    cmake.chmod(0o755)
    return folder


def build(checkout, **variables):
    path = f"{checkout / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", "source scripts/setup.sh; build release personascope; echo built"],
                          cwd=checkout, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": path, **variables})
    calls = (checkout / "calls").read_text().splitlines()
    (checkout / "calls").unlink()
    return done, calls


def test_without_a_terminal_progress_is_shown_now_and_then_and_everything_else_at_once(checkout):
    done, _ = build(checkout)
    assert done.stdout.splitlines() == ["[1/4] Building CXX object 1.o", "[4/4] Building CXX object 4.o",
                                        "a warning", "built"]
    done, _ = build(checkout, PROGRESS_EVERY="0")
    assert done.stdout.count("Building CXX object") == 4


def test_a_build_that_fails_ends_the_script(checkout):
    done, _ = build(checkout, BUILD_STATUS="3")
    assert done.returncode != 0
    assert "a warning" in done.stdout
    assert "built" not in done.stdout


def test_a_folder_is_configured_once_and_again_after_the_checkout_was_moved(checkout):
    assert sum(call.startswith("--preset release") for call in build(checkout)[1]) == 1
    assert sum(call.startswith("--preset release") for call in build(checkout)[1]) == 0
    moved = checkout.parent / "elsewhere"
    checkout.rename(moved)
    (moved / "build/release/old").touch()
    done, calls = build(moved)
    assert sum(call.startswith("--preset release") for call in calls) == 1
    assert "was moved" in done.stderr
    assert not (moved / "build/release/old").exists()
