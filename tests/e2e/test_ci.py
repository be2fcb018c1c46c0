"""Gates as a CI job uses them: a regression, refusals, too small a test, and nothing evaluated."""

import xml.etree.ElementTree as xml

import pytest

from bot_work import Pipeline


@pytest.fixture
def ci(personascope, fake):
    return Pipeline(personascope, fake)


def test_a_regression_is_found_against_a_baseline_in_a_file(ci):
    assert ci.run("-o", "baseline.jsonl").code == 0
    ci.bot.quality, ci.bot.words = 3, "second"
    assert ci.run("--fresh").code == 0
    for gate in (("--fail-if-worse",), ("--fail-unless-not-worse-by", "0.3")):
        ended = ci.program("compare", "baseline.jsonl", 2, *gate)
        assert ended.code == 100, ended.err
        assert "gate missed" in ended.err
    ci.bot.quality, ci.bot.words = 4, "third"
    assert ci.run("--fresh").code == 0
    ended = ci.program("compare", "baseline.jsonl", 3, "--fail-unless-not-worse-by", "0.6", "--junit", "gates.xml")
    assert ended.code == 0, ended.err
    assert "is shown to be not worse" in ended.err
    [suite] = xml.parse(ci.program.folder / "gates.xml").getroot()
    assert suite.get("tests") == "1" and suite.get("failures") == "0"


def test_too_small_a_test_does_not_pass_for_lack_of_evidence(ci):
    assert ci.run("--limit", 2).code == 0
    ci.bot.words = "second"
    assert ci.run("--limit", 2, "--fresh").code == 0
    ended = ci.program("compare", 1, 2, "--fail-unless-not-worse-by", "0.2")
    assert ended.code == 100 and "not shown" in ended.err


def test_refusals_do_not_raise_the_score(ci):
    assert ci.run("--fail-under", "3.5").code == 0
    ci.bot.refusing = 3
    ended = ci.run("--fail-under", "3.5", "--fresh")
    assert ended.code == 100 and "counted as the worst score" in ended.err
    ended = ci.run("--fail-under", "3.5", "--fresh", "--unscored", "drop")
    assert ended.code == 0 and "left out" in ended.err, ended.err
    ended = ci.run("--max-refused", "0.02", "--fresh", "--junit", "gates.xml")
    assert ended.code == 100 and "refused" in ended.err and "limit 2 %" in ended.err
    [suite] = xml.parse(ci.program.folder / "gates.xml").getroot()
    assert suite.get("failures") == "1" and suite.find("testcase/failure") is not None
    ended = ci.program("compare", 1, 2, "--fail-if-worse")
    assert ended.code == 100, ended.out
    assert "counted as the worst score (--unscored worst)" in ended.out
    assert ci.program("compare", 1, 2, "--fail-if-worse", "--unscored", "drop").code == 0
    assert ci.program("compare", 1, 2, "--max-refused", "0.02").code == 100
    assert ci.program("compare", 1, 2, "--max-refused", "0.9").code == 0


def test_a_gate_that_evaluated_nothing_fails(ci):
    ci.bot.broken_judge = True
    ended = ci.run("--fail-under", "1", "--max-failed", "0")
    assert ended.code == 1, ended.err
    assert "gate undecided" in ended.err
    ended = ci.run("--fail-under", "1", "--max-failed", "1000", "--fresh")
    assert ended.code == 1 and "nothing was scored" in ended.err
    ci.bot.broken_judge = False
    assert ci.run("--fresh").code == 0
    ended = ci.program("compare", 1, 3, "--fail-if-worse")
    assert ended.code == 1 and "gate undecided" in ended.err


@pytest.mark.parametrize("flag", ["--fail-under", "--fail-under-lower"])
def test_a_limit_off_the_scale_is_refused_before_anything_is_spent(ci, flag):
    ended = ci.run(flag, "9")
    assert ended.code == 2 and "not on the scale of the score, 1 to 5" in ended.err
    assert not ci.server.asked
    ended = ci.program("bench", "main", "--model", "openai/a", "--judge", "openai/b", flag, "4")
    assert ended.code == 2 and "0 to 1" in ended.err
    ended = ci.program("lens", "run", "--model", "openai/a", "--judge", "openai/b", flag, "4")
    assert ended.code == 2 and "0 to 1" in ended.err


def test_the_lower_end_is_what_it_says(ci):
    ended = ci.run("--fail-under", "3.8", "--fail-under-lower", "3.8")
    assert ended.code == 100 and "the lower end" in ended.err
    assert ended.err.count("gate passed") == 1 and ended.err.count("gate missed") == 1
    ended = ci.run("--limit", 2, "--fail-under-lower", "2")
    assert ended.code == 1 and "no 95 % interval" in ended.err
