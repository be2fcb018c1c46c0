"""Runs every block of the documentation that is marked to be run, as a reader would."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A block of commands, and the block below it with what they print, if there is one.
MARKED = re.compile(r"<!-- run -->\n```sh\n(.*?)```\n(?:\n```\n(.*?)```\n)?", re.DOTALL)


def find_blocks():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        pytest.param(page, *block.groups(), id=f"{page.name}-{number}")
        for page in pages
        for number, block in enumerate(MARKED.finditer(page.read_text()), 1)
    ]


def test_the_documentation_has_blocks_to_run():
    assert len(find_blocks()) >= 5


def test_the_documentation_shows_what_is_printed():
    assert len([block for block in find_blocks() if block.values[2]]) >= 5


@pytest.mark.parametrize("page, block, shown", find_blocks())
def test_a_documented_command_works(page, block, shown, tmp_path):
    """With PERSONASCOPE_WRITE_DOCS, the pages get what is printed today."""
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
    if shown and os.environ.get("PERSONASCOPE_WRITE_DOCS"):
        text = page.read_text()
        assert text.count(f"```\n{shown}```") == 1
        page.write_text(text.replace(f"```\n{shown}```", f"```\n{result.stdout}```"))
    elif shown:
        assert shown == result.stdout, f"{page} shows something else"
