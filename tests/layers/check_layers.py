"""Checks that the sources keep to the layers, to one idea a file, and to a few house rules."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
LONGEST_FILE = 400
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
COMMENT = re.compile(r"(^|\s)//.*")
FLAG = re.compile(r"(?<![\w-])--[a-z]")
FORBIDDEN_NAMES = {"util", "utils", "common", "misc", "helpers", "helper"}


def read_rules():
    allowed, third_parties = {}, {}
    for line in (ROOT / "tests/layers/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, rest = line.partition(":")
        if name.startswith("third "):
            third_parties[name.removeprefix("third ").strip()] = set(rest.split())
        else:
            allowed[name] = set(rest.split())
    return allowed, third_parties


def check_includes(path, layer, allowed, third_parties):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        where = f"{path.relative_to(ROOT)}:{number}"
        if quote == '"':
            other = target.split("/")[0]
            if other != layer and other not in allowed[layer]:
                yield f"{where}: {layer} may not include {other} ({target})"
        for prefix, layers in third_parties.items():
            if target.startswith(prefix) and layer not in layers:
                yield f"{where}: {target} belongs behind {', '.join(sorted(layers))}"


def check_names(path, layer, allowed):
    """cli sees types of the layers it may include; nobody reaches others through their headers."""
    if layer != "cli":
        return
    forbidden = "|".join(sorted(set(allowed) - allowed[layer] - {layer, "main"}))
    name = re.compile(rf"(?<![\w:])(?:personascope::)?({forbidden})::")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for match in name.finditer(LITERAL.sub("", COMMENT.sub("", line))):
            yield (
                f"{path.relative_to(ROOT)}:{number}: {layer} may not name {match[1]}::; "
                "app gives user interfaces what they need"
            )


def check_permissions(allowed, third_parties, includes):
    """A permission that no include uses is one that nobody decided on."""
    for layer, others in allowed.items():
        for other in sorted(others):
            if not any(target.startswith(f"{other}/") for target in includes[layer]):
                yield f"layers.txt: {layer} may include {other}, but does not; take it out"
    for prefix, layers in third_parties.items():
        for layer in sorted(layers):
            if not any(target.startswith(prefix) for target in includes[layer]):
                yield f"layers.txt: {layer} may include {prefix}, but does not; take it out"


def check_own_header(path):
    """So that a header which lacks an include cannot hide behind what stands before it."""
    header = path.with_suffix(".hpp")
    if path.suffix != ".cpp" or not header.exists():
        return
    own = header.relative_to(SOURCES).as_posix()
    includes = filter(None, map(INCLUDE.match, path.read_text().splitlines()))
    first = next(includes, None)
    if not first or first[2] != own:
        yield f"{path.relative_to(ROOT)}: its first include must be {own}"


def check_file(path, layer):
    shown = path.relative_to(ROOT)
    lines = path.read_text().splitlines()
    if len(lines) > LONGEST_FILE:
        yield f"{shown}: {len(lines)} lines; is it still one idea? (most: {LONGEST_FILE})"
    if path.stem in FORBIDDEN_NAMES or FORBIDDEN_NAMES & set(shown.parts):
        yield f"{shown}: the name says nothing"
    if path.suffix == ".hpp":
        if not lines or not lines[0].startswith("// "):
            yield f"{shown}: a header begins with a line that says what it is for"
        if "#pragma once" not in lines:
            yield f"{shown}: #pragma once is missing"
    for number, line in enumerate(lines, 1):
        if layer not in ("cli", "main") and re.search(r"\b(std::cout|std::cerr|printf\(|fmt::print\()", line):
            yield f"{shown}:{number}: nothing below cli prints"


def check_flags(path, layer):
    """Below cli an option is named in backquotes; each door puts its own spelling there."""
    if layer in ("cli", "main") or path.stem.endswith("_test"):
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if ".aliases = " not in line and any(map(FLAG.search, LITERAL.findall(COMMENT.sub("", line)))):
            yield f"{path.relative_to(ROOT)}:{number}: a flag in a text below cli; name the option in backquotes"


def main():
    allowed, third_parties = read_rules()
    problems, files = [], 0
    includes = {layer: set() for layer in allowed}
    for path in sorted(SOURCES.rglob("*.[ch]pp")):
        layer = path.relative_to(SOURCES).parts[0]
        files += 1
        if layer not in allowed:
            problems.append(f"{path.relative_to(ROOT)}: {layer} is not in layers.txt")
            continue
        includes[layer] |= {match[2] for match in map(INCLUDE.match, path.read_text().splitlines()) if match}
        problems += check_includes(path, layer, allowed, third_parties)
        problems += check_names(path, layer, allowed)
        problems += check_own_header(path)
        problems += check_file(path, layer)
        problems += check_flags(path, layer)
    problems += check_permissions(allowed, third_parties, includes)
    if files == 0:
        problems.append("no sources found")
    print("\n".join(problems) or f"{files} files keep to the layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
