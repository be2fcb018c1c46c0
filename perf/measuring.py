"""What the measurements share: a loopback server, a program timed, a table of results."""

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build" / "release" / "bin"


class Loopback:
    """A server that answers after so many milliseconds, while the `with` lasts."""

    def __init__(self, latency_ms):
        self.process = subprocess.Popen([BIN / "personascope_loopback", "--latency-ms", str(int(latency_ms))],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def timed(words, env=None, cwd=None):
    """Runs the program; its output, seconds, seconds of CPU, and peak memory in MB."""
    started = time.monotonic()
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, env=env, cwd=cwd) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    if process.returncode:
        sys.exit(f"{' '.join(map(str, words[:4]))} ended with {process.returncode}: {out[:500]!r}")
    return {"out": out.decode(), "wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "mb": usage.ru_maxrss * 1024 / 1e6}


class Table:
    """Rows in Markdown, printed as they come; knows whether a target was missed."""

    def __init__(self):
        self.missed = False
        print("| | measured | target | |\n|---|---|---|---|")

    def row(self, name, measured, target="", met=None):
        self.missed = self.missed or met is False
        print(f"| {name} | {measured} | {target} | {'' if met is None else 'met' if met else '**missed**'} |")
