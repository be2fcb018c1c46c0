"""Completion in real shells, and the manual page."""

import shutil
import subprocess

import pytest

from harness import BIN


@pytest.fixture
def script(personascope, tmp_path):
    def write(shell):
        ended = personascope("completion", shell)
        assert ended.code == 0 and ended.err == ""
        path = tmp_path / f"completion.{shell}"
        path.write_text(ended.out)
        return path

    return write


def run(words, folder, env=None):
    ended = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and ended.stderr == "", ended.stderr
    return ended.stdout.split("\n")[:-1]


def complete_in_bash(path, folder, line):
    """What bash offers for the last word of the line."""
    words = line.split(" ")
    # As readline splits them: = is a word of its own.
    split = []
    for word in words:
        if word.startswith("--") and "=" in word:
            flag, _, value = word.partition("=")
            split += [flag, "="] + ([value] if value else [])
        else:
            split.append(word)
    quoted = " ".join(f"'{word}'" for word in split)
    text = f"""source {path}
COMP_WORDS=({quoted}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _personascope
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    return [line for line in run(["bash", "--norc", "-c", text], folder) if line]


CASES = [
    ("personascope gy", {"gym"}, {"bench"}),
    ("personascope gym ", {"run", "questions", "answer", "grade", "leaderboard"}, {"batch"}),
    ("personascope gym run --max-c", {"--max-cost", "--max-calls", "--max-connections"}, {"--model"}),
    ("personascope gym run --protocol ", {"strict", "reference"}, {"--model"}),
    ("personascope gym run --model embedded/", {"embedded/smollm2-135m"}, set()),
    ("personascope gym run --limit 2 --persona x --judge", {"--judge", "--judge-repeats"}, set()),
    ("personascope batch ", {"requests.jsonl", "a file.jsonl"}, {"run"}),
    ("personascope gym run --personas ", {"requests.jsonl"}, {"run"}),
    ("personascope export 1 --what ", {"items", "findings", "calls"}, set()),
    ("personascope completion ", {"bash", "zsh", "fish"}, set()),
    ("personascope estimate ", {"gym", "batch"}, {"runs", "ask"}),
    ("personascope estimate gym ", {"run"}, {"gym"}),
    ("personascope estimate gym run --quest", {"--questions-per-task"}, set()),
    ("personascope help lens ", {"run", "gather"}, {"--help"}),
    ("personascope gym run --epochs ", set(), {"requests.jsonl", "run"}),
]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("requests.jsonl", "a file.jsonl"):
        (folder / name).write_text("")
    return folder


def check(offered, wanted, unwanted, line):
    assert wanted <= set(offered), (line, offered)
    assert not unwanted & set(offered), (line, offered)


def test_bash(script, folder):
    path = script("bash")
    for line, wanted, unwanted in CASES:
        check(complete_in_bash(path, folder, line), wanted, unwanted, line)
    offered = complete_in_bash(path, folder, "personascope gym run --protocol=")
    assert set(offered) == {"strict", "reference"}
    assert complete_in_bash(path, folder, "personascope gym run --protocol=str") == ["strict"]


ZSH = r"""
import sys, pty, os, time, select, re
script, folder, line = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.environ.update(TERM="dumb", PS1="", ZDOTDIR="/nowhere", COLUMNS="200", LINES="1000")
    os.execvp("zsh", ["zsh", "-f", "-i"])
def read(until, limit=20):
    text, end = "", time.time() + limit
    while until not in text and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try: text += os.read(fd, 65536).decode(errors="replace")
            except OSError: break
    return text
def send(text):
    os.write(fd, text.encode())
send("autoload -Uz compinit; compinit -u -D; source %s; LISTMAX=100000; stty rows 1000 cols 200\n" % script)
send("zstyle ':completion:*' verbose no; unsetopt automenu; setopt listambiguous\n")
send("_list() { compadd() { builtin compadd \"$@\" }; zle list-choices }; zle -N _list; bindkey '^Y' list-choices\n")
send("echo rea''dy\n"); read("ready\r\n")
send(line); time.sleep(0.3)
send("\x19"); time.sleep(1.5)
send("\x03"); send("echo en''d\n")
print(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", read("end\r\n")))
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh(script, folder, tmp_path):
    path = script("zsh")
    assert run(["zsh", "-f", "-n", str(path)], folder) == []
    driver = tmp_path / "zsh.py"
    driver.write_text(ZSH)
    for line, wanted, unwanted in CASES:
        if len(wanted) < 2:  # one match is put into the line and not listed
            continue
        ended = subprocess.run(
            ["python3", driver, path, folder, line], capture_output=True, text=True, timeout=60
        )
        listed = ended.stdout.split(line, 1)[-1]
        for word in wanted:
            assert word.replace(" ", "\\ ") in listed or word in listed, (line, word, ended.stdout)


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish(script, folder, tmp_path):
    path = script("fish")
    env = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    for line, wanted, unwanted in CASES:
        lines = run(["fish", "-N", "-c", f"source {path}; complete -C '{line}'"], folder, env)
        offered = [one.split("\t")[0].replace("\\ ", " ") for one in lines]
        check(offered, wanted, unwanted, line)


def test_completion_needs_a_shell(personascope):
    assert personascope("completion").code == 2
    wrong = personascope("completion", "tcsh")
    assert wrong.code == 2 and "bash" in wrong.err


def test_man_page(personascope, tmp_path):
    ended = personascope("man")
    assert ended.code == 0 and ended.out.startswith(".TH PERSONASCOPE 1")
    for text in ("personascope gym run", "\\-\\-max\\-cost", "EXIT STATUS"):
        assert text in ended.out
    page = tmp_path / "personascope.1"
    page.write_text(ended.out)
    if shutil.which("groff"):
        shown = subprocess.run(["groff", "-man", "-ww", "-Tutf8", page], capture_output=True, text=True)
        assert shown.returncode == 0 and shown.stderr == "", shown.stderr[:2000]
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                               env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})  # fmt: skip
        assert shown.returncode == 0 and "--questions-per-task N" in shown.stdout, shown.stderr
