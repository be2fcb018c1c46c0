"""What the end-to-end tests drive: the program in a clean surrounding, and the loopback server."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.request
from dataclasses import dataclass

BIN = pathlib.Path(os.environ.get("PERSONASCOPE_BIN_DIR", "build/release/bin")).resolve()
MODEL = "openai/gpt-4o"


def chat(id, content, **rest):
    """One line of a batch, as a dict."""
    return {"id": id, "messages": [{"role": "user", "content": content}], **rest}


def ask_words(server, prompt, *args):
    return ("ask", prompt, "--model", MODEL, "--base-url", server.url, *args)


def write_requests(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def answers_of(text):
    """The lines of a batch's output, parsed."""
    if isinstance(text, pathlib.Path):
        text = text.read_text()
    return [json.loads(line) for line in text.splitlines()]


@dataclass
class Ended:
    """A process that has ended."""

    code: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)

    def resume_command(self):
        """The words after `personascope` of the command that the program advised."""
        import shlex

        found = re.search(r"personascope (resume \d+[^\n]*)", self.err)
        assert found, f"no resume command in: {self.err}"
        return shlex.split(found[1])


class Program:
    """Runs `personascope` with a home folder of its own and without the tester's keys."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.folder = folder / "work"
        self.folder.mkdir()
        self.store = self.home / "personascope.db"
        self.env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(folder / "user"),
            "PERSONASCOPE_HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
        }

    def start(self, *args, env=None, stdout=subprocess.PIPE, **rest):
        return subprocess.Popen(
            [BIN / "personascope", *map(str, args)],
            env={**self.env, **(env or {})},
            cwd=self.folder,
            stdin=rest.pop("stdin", subprocess.DEVNULL),
            stdout=stdout,
            stderr=subprocess.PIPE,
            **rest,
        )

    def end(self, process, timeout=30):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
            raise AssertionError(f"still running after {timeout} s; it said: {err!r}")
        return Ended(process.returncode, (out or b"").decode(), err.decode())

    def __call__(self, *args, env=None, timeout=30, **rest):
        return self.end(self.start(*args, env=env, **rest), timeout)

    def batch(self, requests, server, *args, model=MODEL, **rest):
        return self(*self.batch_words(requests, server, *args, model=model), **rest)

    def batch_words(self, requests, server, *args, model=MODEL):
        return ["batch", requests, "--model", model, "--base-url", server.url, *args]

    def write(self, name, lines):
        return write_requests(self.folder / name, lines)


class Server:
    """A running personascope_loopback."""

    def __init__(self, folder, flags):
        folder.mkdir(parents=True, exist_ok=True)
        port_file = folder / "port"
        words = []
        for name, value in flags.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        self.process = subprocess.Popen(
            [BIN / "personascope_loopback", "--port-file", port_file, *words],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 10
        while not port_file.exists():
            assert self.process.poll() is None and time.monotonic() < deadline, "no loopback server"
            time.sleep(0.005)
        self.port = int(port_file.read_text())
        self.root = f"http://127.0.0.1:{self.port}"
        self.url = self.root + "/v1"

    def _fetch(self, path, method="GET"):
        request = urllib.request.Request(self.root + path, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as reply:
            return json.load(reply)

    def stats(self):
        return self._fetch("/stats")

    def requests(self):
        return self.stats()["requests"]

    def bodies(self):
        """What it was asked, oldest first."""
        return [json.loads(body) for body in self._fetch("/requests?limit=1000")]

    def reset(self):
        self._fetch("/reset", "POST")

    def wait_for_requests(self, count, timeout=20):
        deadline = time.monotonic() + timeout
        while self.requests() < count:
            assert time.monotonic() < deadline, f"the server saw only {self.requests()} requests"
            time.sleep(0.01)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
