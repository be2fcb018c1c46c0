"""The lens by the reference protocol, with imported prompts: equal to the published program, byte for byte."""

import hashlib
import json

import pytest

from fake_openai import FakeOpenAi, system_text, user_text
from lens_checkout import make_checkout, write
from lens_reference import Reference, gather

SIDES = [("task_completion", None), ("personalization", None), ("naturalness", "user"), ("naturalness", "assistant"),
         ("coherence", "user"), ("coherence", "assistant")]  # fmt: skip
ENDINGS = {"user": "_user", "assistant": "_asst", None: ""}


def dice(text, sides):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % sides


def talk(system, prompt):
    """A model whose words hang on every byte that it is sent."""
    seed = f"{system}\n{prompt}"
    mark = hashlib.sha256(seed.encode()).hexdigest()[:8]
    if system is None:
        scores = {"TASK": ["VERDICT: True", "verdict: false", "VERDICT:\nTrue", "I cannot say.", None],
                  "PERS": ["Personalization Score: 3\nJustification: so.", "Score: 2", "Personalization Score: 30"],
                  "NATU": ["Naturalness Score: 4", "<response>\nNaturalness Score: 2\n\nNaturalness Score: 5\n</response>"],
                  "COHE": ["Coherence Score: 1\n", "Coherence Score:  3", "  Coherence Score: 5 {ok} é"]}[prompt[:4]]  # fmt: skip
        said = scores[dice(seed, len(scores))]
        return f"{said}\n{mark}" if said else ""
    if system.startswith("Assist"):
        return f" \n{mark}: an offer — {{é}}\n"
    if "Open" in prompt:
        return f"Hello, TERMINATE is no word of mine. {mark} \n"
    if dice(seed, 4) == 0:
        return f"  {mark}: that is it. TERMINATE\nTERMINATE "
    return f"{mark}, and what else?\n"


@pytest.fixture
def fake():
    server = FakeOpenAi(lambda body: talk(system_text(body), user_text(body)))
    yield server
    server.stop()


def files_below(folder):
    """All but our own index of folder names."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.name != "models.json"}  # fmt: skip


def sent_to(fake):
    return sorted((system_text(body) or "", user_text(body), body["temperature"], body["max_completion_tokens"])
                  for body in fake.asked)  # fmt: skip


def test_a_copy_is_used_in_place(personascope):
    root, prompts = make_checkout(personascope)
    ended = personascope("import", "personalens", root, "--json")
    assert ended.code == 0, ended.err
    said = ended.json()
    assert said["found"] == {"users": 3, "tasks": 6, "multi_tasks": 6, "prompts": 30}
    assert said["missing"] == []
    assert said["odd"] == [f'user{user} has an interest in a domain called "Buses**"' for user in range(3)]
    pack = personascope.home / "packs/personalens"
    assert (pack / "reference/user-multi.txt").read_text() == prompts["user", "multi"]["task_prompt"]
    assert (pack / "reference/assistant/mistral/dps.txt").read_text() == prompts["assistant"]["MISTRAL_TASK_PROMPT_DPS"]
    assert not (pack / "profile").exists(), "the users stay where they are"
    shown = personascope("import", "personalens", root, "--force")
    assert "tasks across several   6" in shown.out and "Buses**" in shown.out


def test_what_cannot_be_read_is_named(personascope):
    root, _ = make_checkout(personascope)
    write(root / "util/assistant_prompts.py", "CLAUDE_SYSTEM_PROMPT = make_it()\nCLAUDE_TASK_PROMPT_D = 'x {what}'\n"
                                              f"open({str(root / 'was-run')!r}, 'w')\n")  # fmt: skip
    (root / "data/profile/user1/tasks.json").write_text('{"Task 1": {"task_id": "SD-Zoo-task-1", "User Intent": 3}}')
    ended = personascope("import", "personalens", root, "--json")
    assert ended.code == 0, ended.err
    missing = ended.json()["missing"]
    assert ended.json()["found"]["prompts"] == 12
    assert missing[0].endswith('user1/tasks.json, Task 1: "User Intent" must be a text')
    assert "prompt assistant/claude/system: util/assistant_prompts.py: no CLAUDE_SYSTEM_PROMPT that can be read; ours is used" in missing
    assert "prompt assistant/claude/d: util/assistant_prompts.py, CLAUDE_TASK_PROMPT_D: {what} is not one of its placeholders; ours is used" in missing
    assert not (root / "was-run").exists()
    empty = personascope("import", "personalens", root / "src", "--name", "other")
    assert empty.code == 2 and "has no users" in empty.err
    gone = personascope("lens", "run", "--pack", "personalense")
    assert gone.code == 2 and "there is no pack personalense (there are: personalens)" in gone.err


@pytest.mark.parametrize("model", ["claude-3", "my-llama", "mixtral-x"])
def test_the_published_contexts_are_equal_to_the_byte(personascope, fake, model):
    root, prompts = make_checkout(personascope, tasks=2 if model == "claude-3" else 1)
    assert personascope("import", "personalens", root).code == 0
    words = ("--pack", "personalens", "--protocol", "reference", "--model", f"openai/{model}")
    ended = personascope("lens", "generate", *words, "--user-model", "openai/user", "--both",
                         "--context-sweep", "none,d,p,s,dps", env=fake.env)  # fmt: skip
    assert ended.code == 0, ended.err
    ours = personascope.folder / "output"
    name = min(path.name for path in (ours / "dialogue/user0").iterdir())
    assert model in name
    theirs = personascope.folder / "published"
    reference = Reference(root, prompts, talk, name)
    for span in ("single", "multi"):
        for letters in ("none", "d", "p", "s", "dps"):
            reference.generate(theirs, range(3), span, letters)
    assert files_below(ours / "dialogue") == files_below(theirs / "dialogue")
    endings = [len(json.loads(text)["dialogue"]) for text in files_below(theirs / "dialogue").values()]
    assert max(endings) > 8 > min(endings), "some dialogues are long, others short"

    ended = personascope("lens", "evaluate", *words, "--judge", "openai/judge", "--both", env=fake.env)
    assert ended.code == 0, ended.err
    [judge] = [path.name for path in (ours / f"evaluation/user0/{name}/coherence").iterdir()]
    for span in ("single", "multi"):
        for dimension, side in SIDES:
            reference.evaluate(theirs, range(3), span, judge, dimension, side)
    assert files_below(ours) == files_below(theirs)
    assert sent_to(fake) == sorted((system or "", *rest) for system, *rest in reference.sent)

    for span, flag in (("single", "--single-domain"), ("multi", "-md")):
        for dimension, side in SIDES:
            found = personascope("lens", "gather", "output", "-d", dimension, "-f", ENDINGS[side], flag, "--json")
            assert found.code == 0, found.err
            expected = gather(theirs, name, dimension, judge, ENDINGS[side], span)
            got = found.json()["reference"]
            for domain in got["by_domain"].values():
                for extra in set(domain) - {"count", "mean", "rate"}:
                    del domain[extra]
            got["distribution"] = {score: count for score, count in got["distribution"].items() if count}
            assert {key: got[key] for key in expected} == expected


def test_a_user_who_never_ends_has_the_last_word(personascope):
    never = FakeOpenAi(lambda body: "Hm.")
    root, prompts = make_checkout(personascope, users="0", tasks=1)
    assert personascope("import", "personalens", root).code == 0
    ended = personascope("lens", "generate", "--pack", "personalens", "--protocol", "reference", "--both",
                         "--model", "openai/claude-3", env=never.env)  # fmt: skip
    never.stop()
    assert ended.code == 0, ended.err
    output = personascope.folder / "output/dialogue"
    [name] = [path.name for path in (output / "user0").iterdir()]
    reference = Reference(root, prompts, lambda *_: "Hm.", name)
    for span in ("single", "multi"):
        reference.generate(personascope.folder / "published", [0], span, "none")
    assert files_below(output) == files_below(personascope.folder / "published/dialogue")
    assert sorted(len(json.loads(text)["dialogue"]) for text in files_below(output).values()) == [41, 61]


@pytest.mark.parametrize("letters, shown", [("dp", "DP"), ("ds", "DS"), ("ps", "PS")])
def test_contexts_that_were_never_published_say_what_is_not_known(personascope, fake, letters, shown):
    root, prompts = make_checkout(personascope, users="0", tasks=1)
    assert personascope("import", "personalens", root).code == 0
    ended = personascope("lens", "generate", "--pack", "personalens", "--protocol", "reference", "--model", "openai/claude-3",
                         "--context-sweep", letters, env=fake.env)  # fmt: skip
    assert ended.code == 0, ended.err
    reference = Reference(root, prompts, talk, "claude-3")
    profile, [task] = reference.load(0, "single")
    [first] = [body for body in fake.asked if system_text(body).startswith("Assist")][:1]
    parts = user_text(first).split("\n\nUser: ")[0]
    assert parts.startswith("CLAUDE DPS\n")
    assert ("- age: " in parts) == ("D" in shown)
    assert ("🙂" in parts) == ("P" in shown)
    assert (f"- {next(iter(task['situations']))}: " in parts) == ("S" in shown)
    assert parts.count("Not known.") == 1
