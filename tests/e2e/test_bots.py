"""Bots with an API of their own: every example of docs/bots.md against a real server, and bad files."""

import json
import pathlib
import re

import pytest

from fake_bot import FakeBot
from harness import answers_of, chat

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "bots.md"
EXAMPLES = {re.search(r"example\.org/(\w+)", text)[1]: text
            for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.S)}
RUBRIC = DOCS.parents[1] / "data" / "rubrics" / "helpfulness.yaml"
KEY = "sk-bot-secret-1234"
TALK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"},
        {"role": "assistant", "content": "Yes."}, {"role": "user", "content": 'Two", "x": {'}]


@pytest.fixture
def bot():
    server = FakeBot()
    yield server
    server.stop()


@pytest.fixture
def use(personascope, bot):
    """use(name) writes the example to a file and gives the model's name."""
    personascope.env["BOT_API_KEY"] = KEY

    def write(name, change=lambda text: text):
        text = change(EXAMPLES[name].replace("https://bots.example.org", bot.url))
        (personascope.folder / f"{name}.yaml").write_text(text)
        return f"http/{name}.yaml"

    return write


def test_the_page_has_an_example_of_every_shape():
    assert set(EXAMPLES) == {"ask", "chat", "say", "stream", "lines", "talk", "sessions"}


@pytest.mark.parametrize("name, answer", [
    ("ask", "You asked: Be brief.\n\nHi {x} \"y\""),
    ("chat", 'Hi {x} "y"'),
    ("say", 'You said: Be brief.\n\nHi {x} "y"'),
    ("stream", '2 messages, last: Hi {x} "y"'),
    ("lines", 'Hi {x} "y"'),
    ("talk", 'message 1: Hi {x} "y"'),
    ("sessions", 'message 1: Hi {x} "y"'),
])
def test_every_example_is_asked_and_journalled(personascope, bot, use, name, answer):
    words = ["ask", 'Hi {x} "y"', "--system", "Be brief.", "--model", use(name)]
    first = personascope(*words)
    assert first.code == 0, first.err
    assert first.out.strip() == answer
    sent = len(bot.asked)
    again = personascope(*words)
    assert again.out.strip() == answer and len(bot.asked) == sent, "answered before"
    changed = personascope(*words[:-1], use(name, lambda text: text + "# changed\n"))
    assert changed.code == 0 and len(bot.asked) > sent, "another file is another bot"


@pytest.mark.parametrize("name", ["chat", "stream", "lines", "talk", "sessions"])
def test_a_dialogue_is_carried_on(personascope, bot, use, name):
    requests = personascope.write("r.jsonl", [{"id": "a", "messages": TALK}])
    ended = personascope("batch", requests, "--model", use(name), "-o", "a.jsonl")
    assert ended.code == 0, ended.err
    text = answers_of(personascope.folder / "a.jsonl")[0]["text"]
    assert 'Two", "x": {' in text
    if name == "chat":
        assert text == 'One? | Yes. | Two", "x": {'
        past = bot.asked[-1][3]["past"]
        assert [turn["author"] for turn in past] == ["human", "bot"]
        assert bot.asked[-1][3]["persona"] == "Be brief."
    if name == "stream":
        assert text.startswith("4 messages")
    if name in ("talk", "sessions"):
        assert text.startswith("message 2"), "the earlier message was sent first"
    if name == "sessions":
        assert bot.closed == ["s/1"]
        assert bot.asked[0][3] == {"persona": "Be brief."}


def test_a_bot_without_history_is_not_asked_to_go_on(personascope, bot, use):
    requests = personascope.write("r.jsonl", [{"id": "a", "messages": TALK}])
    ended = personascope("batch", requests, "--model", use("ask"))
    assert ended.code == 1 and "cannot carry on a dialogue" in ended.err
    assert bot.asked == []


@pytest.mark.parametrize("name", ["talk", "sessions"])
def test_the_lens_talks_in_one_session(personascope, bot, use, name):
    ended = personascope("lens", "run", "--model", use(name), "--limit", 1, "--max-turns", 3,
                         "--user-model", "embedded/smollm2-135m", "--judge", "embedded/smollm2-135m",
                         timeout=240)
    if "no model file" in ended.err or "setup-model" in ended.err:
        pytest.skip("needs the embedded model")
    assert ended.code in (0, 1), ended.err
    longest = max(bot.sessions.values(), key=len)
    assert len(longest) >= 2, bot.sessions
    assert len(bot.sessions) <= 2, "a message goes on in the session of the answer before it"
    if name == "sessions":
        assert sorted(bot.closed) == sorted(bot.sessions)


def test_a_bot_judges(personascope, bot, use):
    bot.answer = lambda method, path, body: json.dumps({"reply": {"text": "Plain.\nVerdict: 4"}})
    (personascope.folder / "t.jsonl").write_text(json.dumps(
        {"id": "a", "question": "Who are you?", "answer": "A baker."}) + "\n")
    ended = personascope("judge", "t.jsonl", "--rubric", RUBRIC, "--judge", use("ask"), "-o", "v.jsonl")
    assert ended.code == 0, ended.err
    assert bot.asked and answers_of(personascope.folder / "v.jsonl")[0]["score"] == 4


def test_the_key_is_sent_and_shown_nowhere(personascope, bot, use):
    bot.answer = lambda method, path, body: json.dumps({"reply": {"text": f"Your key is {KEY}."}})
    requests = personascope.write("r.jsonl", [chat("a", "Hi"), chat("b", "Fail")])
    bot.fail = lambda path, body: (400, f"bad key {KEY}") if "Fail" in body["question"] else None
    model = use("ask", lambda text: text.replace("/ask", "/ask?k=${BOT_API_KEY}"))
    ended = personascope("batch", requests, "--model", model, "-o", "a.jsonl")
    assert bot.asked[0][2]["Authorization"] == f"Bearer {KEY}"
    assert bot.asked[0][1].endswith(KEY)
    assert "[redacted]" in (personascope.folder / "a.jsonl").read_text()
    files = [p for p in personascope.home.rglob("*") if p.is_file()] + [personascope.folder / "a.jsonl"]
    for file in files:
        assert KEY.encode() not in file.read_bytes(), file
    assert KEY not in ended.out + ended.err
    assert KEY not in personascope("show", "1", "--json").out


def test_faults_of_the_server_are_retried_and_a_session_starts_anew(personascope, bot, use):
    failures = iter([(503, "down"), (500, "oops")])
    bot.fail = lambda path, body: next(failures, None) if path.endswith("messages") else None
    requests = personascope.write("r.jsonl", [chat("a", "Hi")])
    ended = personascope("batch", requests, "--model", use("sessions"), "-o", "a.jsonl")
    assert ended.code == 0, ended.err
    assert answers_of(personascope.folder / "a.jsonl")[0]["text"] == "message 1: Hi"
    assert len(bot.sessions) == 3 and sorted(bot.closed) == sorted(bot.sessions)


@pytest.mark.parametrize("change, words", [
    (lambda t: t.replace("${BOT_API_KEY}", "${OPENAI_API_KEY}"), "begin with BOT_"),
    (lambda t: t.replace("${BOT_API_KEY}", "${BOT_OTHER}"), "BOT_OTHER is not set"),
    (lambda t: t.replace("{message}", "{mesage}"), "there is no {mesage}"),
    (lambda t: t.replace("answer:", "anser:"), "answer"),
    (lambda t: t.replace("Authorization:", '"A\\r\\nB":'), "headers"),
    (lambda t: "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\n" + t, "bot"),
    (lambda t: re.sub("url: http", "url: file", t), "http://"),
])
def test_a_bad_file_is_named_before_anything_is_sent(personascope, bot, use, change, words):
    personascope.env["OPENAI_API_KEY"] = "sk-openai-secret"
    model = use("ask", change)
    ended = personascope("batch", personascope.write("r.jsonl", [chat("a", "Hi")]), "--model", model)
    assert ended.code == 2, ended.err
    assert words in ended.err or words == "bot" and "ask.yaml" in ended.err
    assert "secret" not in ended.err
    assert bot.asked == []
    assert personascope("runs", "--json").json()["runs"] == []


def test_the_lens_names_a_bot_that_cannot_carry_on_a_dialogue(personascope, bot, use):
    ended = personascope("lens", "run", "--model", use("ask"), "--limit", 1)
    assert ended.code == 2 and "cannot carry on a dialogue" in ended.err
    assert bot.asked == []


def stopped_run(personascope, bot, use, **more):
    """A batch that stopped after one of its two lines."""
    requests = personascope.write("r.jsonl", [chat("a", "One"), chat("b", "Two")])
    ended = personascope("batch", requests, "--model", use("ask"), "--max-calls", 1, "-o", "a.jsonl",
                         "--store", "s.db", **more)
    assert ended.code == 1 and len(bot.asked) == 1, ended.err
    return ("resume", "1", "--store", "s.db", "--max-calls", 10)


def test_ones_own_run_is_resumed_unless_the_file_has_changed(personascope, bot, use):
    words = stopped_run(personascope, bot, use)
    use("ask", lambda text: text.replace("reply.text", "reply"))
    changed = personascope(*words)
    assert changed.code == 2 and "another file" in changed.err and len(bot.asked) == 1
    use("ask")
    done = personascope(*words)
    assert done.code == 0 and len(bot.asked) == 2, done.err


def test_resuming_somebody_elses_run_sends_a_bot_no_key_unasked(personascope, bot, use, tmp_path):
    words = stopped_run(personascope, bot, use, env={"PERSONASCOPE_HOME": str(tmp_path / "other")})
    refused = personascope(*words)
    assert refused.code == 2 and len(bot.asked) == 1
    for part in ("BOT_API_KEY", bot.url, "--trust-addresses"):
        assert part in refused.err
    assert KEY not in refused.err
    trusted = personascope(*words, "--trust-addresses")
    assert trusted.code == 0 and len(bot.asked) == 2, trusted.err


def test_a_bot_that_judges_badly_is_asked_again_in_one_message(personascope, bot, use):
    replies = iter(["Fine, I think.", '{"reason": "fine", "score": 4}'])
    bot.answer = lambda method, path, body: json.dumps({"reply": {"text": next(replies)}})
    requests = personascope.write("r.jsonl", [chat("a", "Score it.", response_format={
        "type": "json_schema", "json_schema": {"name": "s", "schema": {
            "type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}}})])
    ended = personascope("batch", requests, "--model", use("ask"), "-o", "a.jsonl")
    assert ended.code == 0, ended.err
    assert "did not fit the schema" in bot.asked[1][3]["question"]


def test_a_missing_file_and_a_base_url_are_named(personascope, bot, use):
    missing = personascope("ask", "Hi", "--model", "http/nowhere.yaml")
    assert missing.code == 2 and "nowhere.yaml" in missing.err
    both = personascope("ask", "Hi", "--model", use("ask"), "--base-url", bot.url)
    assert both.code == 2 and "--base-url" in both.err
