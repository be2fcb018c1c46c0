#!/usr/bin/env python3
"""Measures a whole build of the program without ccache: seconds of CPU, wall time, and where they go.

    perf/build/run.py [--unity] [--preset NAME] [--target NAME]... [--jobs N] [--top N]

Builds in a folder of its own. --unity compiles several sources of a layer at a time. On a machine that does other work too, only the seconds of CPU can be compared.
"""

import argparse
import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def launch(log, command):
    """Stands between ninja and the compiler: runs it, and adds what it took to the log."""
    started = time.monotonic()
    status = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = command[command.index("-o") + 1] if "-o" in command else command[-1]
    line = json.dumps({"output": output, "cpu_s": used.ru_utime + used.ru_stime,
                       "wall_s": time.monotonic() - started, "memory_mb": used.ru_maxrss / 1024})
    with open(log, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    return status


def layer_of(output):
    parts = pathlib.PurePath(output).parts
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def short(output):
    return output.replace("CMakeFiles/", "").replace(".cxx.o", "").replace(".o", "")


def build(arguments, folder):
    log = folder / "compiled.jsonl"
    flags = ["-DCCACHE=OFF", f"-DPERSONASCOPE_UNITY={'ON' if arguments.unity else 'OFF'}",
             f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.executable};{pathlib.Path(__file__).resolve()};--launch;{log}"]
    subprocess.run(["cmake", "--preset", arguments.preset, "-B", folder / "build", *flags], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    subprocess.run(["ninja", "-C", folder / "build", f"-j{arguments.jobs}", *arguments.target], check=True,
                   stdout=sys.stderr)
    wall_s = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with open(log, encoding="utf-8") as file:
        return wall_s, cpu_s, [json.loads(line) for line in file]


def show(arguments, load, wall_s, cpu_s, compiled):
    compiling = sum(one["cpu_s"] for one in compiled)
    print(f"{arguments.preset}, {'several sources at a time' if arguments.unity else 'source by source'}: "
          f"{' '.join(arguments.target)}; load {load:.1f} before, {os.getloadavg()[0]:.1f} after")
    print(f"{cpu_s:.0f} s of CPU, {wall_s:.0f} s of wall time with {arguments.jobs} jobs; {len(compiled)} compilations: "
          f"{compiling:.0f} s; the rest (linking, ninja, this script): {cpu_s - compiling:.0f} s")
    layers = collections.defaultdict(list)
    for one in compiled:
        layers[layer_of(one["output"])].append(one["cpu_s"])
    print("\n| layer | compilations | CPU |\n|---|---|---|")
    for name, times in sorted(layers.items(), key=lambda entry: -sum(entry[1])):
        print(f"| {name} | {len(times)} | {sum(times):.0f} s |")
    print("\n| most CPU | CPU | memory |\n|---|---|---|")
    for one in sorted(compiled, key=lambda one: -one["cpu_s"])[:arguments.top]:
        print(f"| {short(one['output'])} | {one['cpu_s']:.1f} s | {one['memory_mb']:.0f} MB |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unity", action="store_true", help="several sources of a layer at a time")
    parser.add_argument("--preset", default="release")
    parser.add_argument("--target", action="append", help="what to build; personascope if not given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--top", type=int, default=12, help="how many of the slowest compilations to show")
    arguments = parser.parse_args()
    arguments.target = arguments.target or ["personascope"]
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        show(arguments, load, *build(arguments, pathlib.Path(folder)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--launch"]:
        sys.exit(launch(sys.argv[2], sys.argv[3:]))
    main()
