"""A bot that is redeployed under the same address is asked again, and old answers pass no gate."""

import pytest

from bot_work import Pipeline, asked_of


@pytest.fixture
def ci(personascope, fake):
    return Pipeline(personascope, fake)


def test_a_redeployed_bot_is_not_passed_on_old_answers(ci):
    assert ci.run("--fail-under", "3.5").code == 0
    calls = ci.bot_calls()
    ci.bot.quality = 2  # redeployed under the same address
    ended = ci.run("--fail-under", "3.5")
    assert ended.code == 100 and ci.bot_calls() == calls
    assert "nothing was sent to openai/gpt-tested: all its 100 answers are from earlier runs" in ended.err
    assert "--fresh-answers" in ended.err and "--allow-cached" in ended.err
    assert ci.run("--fail-under", "3.5", "--allow-cached").code == 0
    assert "old answers:" in ci.run().err, "said without a gate too"
    judged = len(asked_of(ci.server, "gpt-judge"))
    ended = ci.run("--fail-under", "3.5", "--fresh-answers")
    assert ended.code == 100 and "is below 3.5" in ended.err and ci.bot_calls() == 2 * calls
    assert len(asked_of(ci.server, "gpt-judge")) > judged, "new answers are judged"
    ended = ci.run("--fail-under", "3.5", "--deployment", "build-2")
    assert ended.code == 100 and ci.bot_calls() == 3 * calls
    assert ci.run("--fail-under", "1.5", "--deployment", "build-2", "--allow-cached").code == 0
    assert ci.bot_calls() == 3 * calls, "the same deployment is found again"


def test_other_answers_are_re_used_with_fresh_answers(ci):
    ci.run()
    judged = len(asked_of(ci.server, "gpt-judge"))
    assert ci.run("--fresh-answers").code == 0
    assert len(asked_of(ci.server, "gpt-judge")) == judged, "the same answers have their verdicts"
    ended = ci.program("rescore", 2, env=ci.server.env)
    assert ended.code == 0, ended.err


def test_a_bot_with_its_own_system_prompt_gets_the_question_alone(ci):
    assert ci.run("--no-persona-system").code == 0
    bodies = asked_of(ci.server, "gpt-tested")
    assert bodies and all([message["role"] for message in body["messages"]] == ["user"] for body in bodies)
    ended = ci.run("--no-persona-system", "--protocol", "reference")
    assert ended.code == 2 and "--no-persona-system needs the strict protocol" in ended.err
