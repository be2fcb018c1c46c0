"""Runs every block of the documentation that is marked to be run, as a reader would."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKED = re.compile(r"<!-- run -->\n```sh\n(.*?)```", re.DOTALL)


def find_blocks():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        pytest.param(block, id=f"{page.name}-{number}")
        for page in pages
        for number, block in enumerate(MARKED.findall(page.read_text()), 1)
    ]


def test_the_documentation_has_blocks_to_run():
    assert len(find_blocks()) >= 5


@pytest.mark.parametrize("block", find_blocks())
def test_a_documented_command_works(block, tmp_path):
    program = os.environ["PERSONASCOPE_BIN_DIR"] + "/personascope"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PERSONASCOPE_HOME": str(tmp_path / "home"),
    }
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.replace("build/release/bin/personascope", program)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
