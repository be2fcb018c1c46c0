"""Writes src/files/python_unprintable.cpp and the test table of src/files/python_repr_test.cpp.

    python3.11 tools/make_python_unprintable.py

Run by Python 3.11, so that the table is that version's (Unicode 14); run it again, with
clang-format after it, only to move to another version.
"""

import hashlib
import json
import pathlib
import sys

FILES = pathlib.Path(__file__).resolve().parents[1] / "src/files"

CASES = [
    "", "plain", "it's", 'say "no"', "it's \"both\"", "'", '"', "'\"", "back\\slash", "\\'", "a\nb\tc\rd",
    "\x00\x01\x1f\x7f", "\x80\x9f\xa0\xa1\xad\xff", "grün", "日本語", "😀", "e\u0301", "\u200b\u200e\u2028\u3000",
    "\ue000\ufeff\ufffd\uffff", "\U000e0001\U0010ffff", "{name} {{", "\x1b[31m", " lead and trail ",
]
LISTS = [[], [""], ["one"], ["it's", 'a "b"', "c\n"], ["😀", "\u200b", "', '"]]


def unprintable_ranges():
    ranges = []
    for code in range(sys.maxunicode + 1):
        if chr(code).isprintable():
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def main():
    if sys.version_info[:2] != (3, 11):
        sys.exit("make_python_unprintable.py: the table is Python 3.11's; run it with python3.11")
    rows = ",\n".join(f"{{0x{first:X}, 0x{last:X}}}" for first, last in unprintable_ranges())
    (FILES / "python_unprintable.cpp").write_text(
        "// Written by tools/make_python_unprintable.py.\n"
        '#include "files/python_unprintable.hpp"\n\n'
        "namespace personascope::files {\nnamespace {\n\n"
        f"constexpr CodeRange kRanges[] = {{\n{rows}}};\n\n"
        "}  // namespace\n\n"
        "std::span<const CodeRange> python_unprintable() {\n  return kRanges;\n}\n\n"
        "}  // namespace personascope::files\n")
    every_character = "".join(chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF)
    lines = [json.dumps({"value": value, "repr": repr(value)}) for value in CASES + LISTS]
    digest = hashlib.sha256(repr(every_character).encode()).hexdigest()
    lines.append(json.dumps({"every_character_sha256": digest}))
    (FILES / "testdata").mkdir(exist_ok=True)
    (FILES / "testdata/python_repr.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
