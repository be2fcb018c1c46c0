"""Runs every block of the documentation that is marked to be run, as a reader would."""

import os
import pathlib
import re
import shlex
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


def plain(text):
    """Without what depends on where the checkout is: its path, and the columns that the path widens."""
    return re.sub(" +", " ", text.replace(str(ROOT), "/home/me/personascope"))


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
    if shown and plain(shown) != plain(result.stdout) and os.environ.get("PERSONASCOPE_WRITE_DOCS"):
        text = page.read_text()
        assert text.count(f"```\n{shown}```") == 1
        page.write_text(text.replace(f"```\n{shown}```", f"```\n{result.stdout}```"))
    elif shown:
        assert plain(shown) == plain(result.stdout), f"{page} shows something else"


# Commands in fenced blocks of shell and in indented ones, continued lines joined.
FENCED = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"^    (?=personascope )((?:.*\\\n)*.*)", re.MULTILINE)


def find_commands():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for block in [*FENCED.findall(text), *INDENTED.findall(text)]:
            for line in block.replace("\\\n", " ").splitlines():
                line = line.strip().replace("build/release/bin/personascope", "personascope")
                if line.startswith("personascope ") and not re.search(r" \| (questions|loo|answer)|…|\[", line):
                    yield page.name, line


def test_every_command_of_the_documentation_has_flags_that_exist(personascope):
    helps, checked = {}, 0
    for page, line in find_commands():
        words = shlex.split(line, comments=True)[1:]
        for sign in ("|", "&&", ">", "<"):
            words = words[: words.index(sign)] if sign in words else words
        words = words[1:] if words[:1] == ["estimate"] else words
        command = tuple(words[:1])
        for length in (2, 1):
            shown = helps.get(tuple(words[:length])) or personascope("help", *words[:length])
            helps[tuple(words[:length])] = shown
            if len(words) >= length and shown.code == 0:
                command = tuple(words[:length])
                break
        assert helps[command].code == 0, f"{page}: {line}"
        for word in words:
            if re.fullmatch(r"--?[A-Za-z][\w-]*", word):
                known = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", helps[command].out)
                assert known, f"{page}: {word} in: {line}"
                checked += 1
    assert checked > 150
