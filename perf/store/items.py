#!/usr/bin/env python3
"""Items in the store: how much they add to the journal, and how fast the program shows them.

    cmake --build --preset release --target personascope perf_items
    perf/store/items.py [ITEMS] [RUNS]
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measuring import BIN, timed

ITEMS, RUNS = (sys.argv[1:] + ["200000", "1000"][len(sys.argv) - 1 :])[:2]

with tempfile.TemporaryDirectory() as folder:
    store = pathlib.Path(folder) / "items.db"
    subprocess.run([BIN / "perf_items", store, ITEMS, RUNS], check=True)
    for what, words in {
        "show --item": ("show", "1", "--item", str(int(ITEMS) // 2)),
        "first page of items": ("show", "1", "--limit", "20"),
        "worst 5": ("show", "1", "--worst", "5"),
        "runs": ("runs", "--limit", RUNS),
        "nothing (version)": ("version",),
    }.items():
        times = [timed([BIN / "personascope", *words, *([] if words == ("version",) else ["--store", store])])
                 for _ in range(7)]  # fmt: skip
        print(f"personascope {what:24} {1000 * statistics.median(t['wall'] for t in times):7.1f} ms,"
              f" CPU {1000 * statistics.median(t['cpu'] for t in times):6.1f} ms")
