"""Writes src/files/python_unprintable.cpp and the tables that the tests of Python's forms go by.

    python3.11 tools/make_python_tables.py

Run by Python 3.11, so that the table is that version's (Unicode 14); run it again, with
clang-format after it, only to move to another version.
"""

import ast
import hashlib
import json
import pathlib
import sys
import warnings

FILES = pathlib.Path(__file__).resolve().parents[1] / "src/files"

CASES = [
    "", "plain", "it's", 'say "no"', "it's \"both\"", "'", '"', "'\"", "back\\slash", "\\'", "a\nb\tc\rd",
    "\x00\x01\x1f\x7f", "\x80\x9f\xa0\xa1\xad\xff", "grün", "日本語", "😀", "e\u0301", "\u200b\u200e\u2028\u3000",
    "\ue000\ufeff\ufffd\uffff", "\U000e0001\U0010ffff", "{name} {{", "\x1b[31m", " lead and trail ",
]
LISTS = [[], [""], ["one"], ["it's", 'a "b"', "c\n"], ["😀", "\u200b", "', '"]]
LITERALS = [
    "'a'", '"a"', "'''a\nb'''", '"""a "quoted" b"""', "''", '""""""', "'a' 'b'  \"c\"", "('a'\n 'b')",
    "('a' # note\n\n 'b')", r"'\n\t\r\\\'\"\a\b\f\v'", r"r'\n\d'", r"R'a\'b'", "u'a'",
    r"'\x41\u00e9\U0001F600\101\7\08'", r"'\d\ \%'", "'a\\\nb'", "r'a\\\nb'", r"'\x00\0'", "'größe'", "'a\tb'",
    "['it\\'s']", "[]", "[ ]", "['a',]", "['a', 'b']", "[\n  # one\n  'a', # two\n  'b'\n]", "()", "('a',)", "('a')",
    "('a', 'b')", "'a', 'b'", "'a',", "(((('a'))))", "[['a'], ('b', []), {}]", "{}", "{'a': 1}", "{'a': 1, 'a': 2,}",
    "{'b': [1, {'c': None}], 'a': (True, False)}", "1", "0", "00", "-5", "+5", "- 5", "1_000", "0x1F", "0o17", "0b101",
    "0XfF", "-0x10", "1.5", ".5", "1.", "1e3", "1E-3", "-2.5e+1", "1_0.5", "9223372036854775807",
    "18446744073709551615", "-9223372036854775808", "True", "None", "['a'] # done", " 'a'", "\n'a'\n",
    "'''a\r\nb'''", "'''\n'''", "['a' 'b', 'c']", r"'''\''''", "'a' \\\n 'b'", "'{x}'", "'#'", "[1,2,]",
    # What ast.literal_eval refuses, too.
    "", "a", "'a", "'a\nb'", "'a\r\nb'", "'''a", "[", "['a'", "['a' 1]", "['a',,]", "[,]", "(,)", "{'a'}x", "{'a': }",
    "{'a' 1}", "{**a}", "[*a]", "f'a'", "f'{a}'", "'a' + 'b'", "'a'.strip()", "'a' 'b", "012", "1__0", "1_", "0x",
    "0b2", "1.2.3", "1e", "--", "-", "-'a'", "a = 1", "'a'; 'b'", "'a' b", "['a']['b']", r"'\x4'", r"'\u12'",
    r"'\U00110000'", "lambda: 1", "[x for x in y]", "]", "'a']", "True1", "nan", "inf", "'a'\n'b'", "'a' # x\n1",
]


def literal_row(source):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {"source": source, "value": ast.literal_eval(source.strip())}
    except (SyntaxError, ValueError):
        return {"source": source}


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
        sys.exit("make_python_tables.py: the table is Python 3.11's; run it with python3.11")
    rows = ",\n".join(f"{{0x{first:X}, 0x{last:X}}}" for first, last in unprintable_ranges())
    (FILES / "python_unprintable.cpp").write_text(
        "// Written by tools/make_python_tables.py.\n"
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
    lines = [json.dumps(literal_row(source)) for source in LITERALS]
    (FILES / "testdata/python_literals.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
