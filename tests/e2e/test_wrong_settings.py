"""A wrong key, account, model or address stops the run, and is never kept as an answer."""

import http.server
import threading

import pytest

from fake_openai import JsonServer
from harness import MODEL, answers_of, ask_words, chat

TWENTY = [chat(str(i), f"Question {i}?") for i in range(20)]
ANTHROPIC = "anthropic/claude-3-5-sonnet-20241022"


def run_twice(personascope, server, directive, model=MODEL, root=None):
    """A batch of which the first line fails so once; then resumed. Gives both ends."""
    lines = [chat("bad", f"{directive} Hello"), *TWENTY]
    requests = personascope.write("requests.jsonl", lines)
    first = personascope("batch", requests, "--model", model, "--base-url", root or server.url,
                         "--max-connections", 1, "-o", "answers.jsonl")
    sent = server.requests()
    second = personascope("resume", "1")
    return first, sent, second


@pytest.mark.parametrize(
    "directive, model, words",
    [
        ("[[status 400 times=1]][[words Your credit balance is too low to access the API.]]", ANTHROPIC,
         "credit balance is too low"),
        ("[[status 400 times=1]][[words API key not valid. Please pass a valid API key.]]", MODEL,
         "API key not valid"),
        ("[[status 429 times=1]][[words Insufficient balance]]", MODEL, "Insufficient balance"),
        ("[[status 402 times=1]]", MODEL, "402"),
        ("[[status 401 times=1]]", MODEL, "401"),
        ("[[status 400 times=1]][[words User location is not supported for the API use.]]", MODEL,
         "location is not supported"),
        ("[[status 400 times=1]][[words foo is not a valid model ID]]", MODEL, "not a valid model ID"),
        ("[[report 402 times=1]][[words Insufficient credits]]", MODEL, "Insufficient credits"),
    ],
)
def test_the_run_stops_at_once_and_resume_asks_again(personascope, server, directive, model, words):
    root = server.root if model == ANTHROPIC else server.url
    env = {"ANTHROPIC_API_KEY": "k"}
    personascope.env |= env
    first, sent, second = run_twice(personascope, server, directive, model, root)
    assert first.code == 1
    assert words in first.err and "continue with: personascope resume 1" in first.err
    assert sent == 1, "nothing more is sent"
    assert second.code == 0, second.err
    assert {a["outcome"] for a in answers_of(personascope.folder / "answers.jsonl")} == {"ok"}
    assert server.requests() == 1 + 21


def test_a_rerun_asks_again_too(personascope, server):
    requests = personascope.write(
        "requests.jsonl", [chat("x", "[[status 400 times=1]][[words Your credit balance is too low]]")]
    )
    assert personascope.batch(requests, server).code == 1
    again = personascope.batch(requests, server)
    assert again.code == 0 and answers_of(again.out)[0]["outcome"] == "ok"


def test_a_key_with_a_line_end_is_named_before_anything_is_sent(personascope, server):
    requests = personascope.write("requests.jsonl", TWENTY)
    env = {"OPENAI_API_KEY": "sk-secret\n"}
    ended = personascope.batch(requests, server, env=env)
    assert ended.code == 2
    assert "OPENAI_API_KEY" in ended.err and "line end" in ended.err and "sk-secret" not in ended.err
    assert server.requests() == 0
    assert personascope("runs", "--json").json()["runs"] == []
    assert personascope.batch(requests, server, env={"OPENAI_API_KEY": "sk-secret"}).code == 0


def test_failures_that_are_kept_are_asked_again_if_wanted(personascope, server):
    lines = [chat("bad", "[[status 400 times=1]]"), chat("long", "[[too-long times=1]]"),
             chat("no", "[[refuse]]"), chat("good", "Hello")]
    requests = personascope.write("requests.jsonl", lines)
    output = personascope.folder / "answers.jsonl"
    outcomes = lambda: [answer["outcome"] for answer in answers_of(output)]
    assert personascope.batch(requests, server, "-o", output).code == 1
    assert outcomes() == ["failed", "failed", "refused", "ok"]
    assert personascope("resume", "1").code == 1
    assert outcomes() == ["failed", "failed", "refused", "ok"]
    assert server.requests() == 4, "they are answers"
    done = personascope("resume", "1", "--retry-failed")
    assert done.code == 0, done.err
    assert outcomes() == ["ok", "ok", "refused", "ok"]
    assert server.requests() == 6, "only what failed is asked again"
    assert personascope("resume", "1").code == 0
    assert outcomes() == ["ok", "ok", "refused", "ok"]
    assert server.requests() == 6
    assert personascope("resume", "1", "--replay").code == 0
    assert outcomes() == ["ok", "ok", "refused", "ok"]


def test_a_failure_that_stays_is_asked_once_each_time(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("bad", "[[status 400]]")])
    assert personascope.batch(requests, server).code == 1
    for sent in (2, 3):
        assert personascope("resume", "1", "--retry-failed").code == 1
        assert server.requests() == sent


@pytest.mark.parametrize(
    "directive, kind, words",
    [
        ("[[report 502]]", "transient", "the server reports error 502: asked for error 502"),
        ("[[report 429]]", "rate_limited", "error 429"),
        ("[[break-off]]", "transient", "finish_reason"),
    ],
)
def test_an_error_in_an_answer_is_tried_again_and_then_a_failure(
    personascope, server, directive, kind, words
):
    passing = directive.replace("]]", " times=1]]")
    requests = personascope.write("requests.jsonl", [chat("x", f"{passing} Hello")])
    ended = personascope.batch(requests, server)
    assert ended.code == 0 and server.requests() == 2, ended.err
    requests = personascope.write("requests.jsonl", [chat("x", f"{directive} Hello")])
    ended = personascope.batch(requests, server, "--max-retries", "1", "--timeout", "3")
    error = answers_of(ended.out)[0]["error"]
    assert ended.code == 1 and error["kind"] == kind and words in error["message"]
    streamed = personascope(*ask_words(server, f"{directive} Hello", "--max-retries", "0", "--timeout", "3"))
    assert streamed.code == 1 and words in streamed.err


def test_an_empty_answer_is_asked_for_once_more(personascope, server):
    lines = [chat("once", "[[blank times=1]] Hello"), chat("always", "[[blank]] Hello")]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope.batch(requests, server)
    once, always = answers_of(ended.out)
    assert once["outcome"] == "ok" and once["text"]
    assert always["text"] == "" and always["finish"] == "stop" and always["error"] is None
    assert server.requests() == 4
    assert personascope.batch(requests, server).out == ended.out
    assert server.requests() == 4


@pytest.mark.parametrize("path", ["/chat/completions", "/completions"])
def test_a_base_url_with_the_path_of_a_call_is_refused(personascope, server, path):
    address = server.url.replace("http://", "http://me:secret@") + path
    ended = personascope("ask", "Hello", "--model", MODEL, "--base-url", address)
    assert ended.code == 2
    assert f"give {server.url} instead" in ended.err and "secret" not in ended.err
    assert server.requests() == 0


class Website(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        text = b"<!DOCTYPE html><html><title>\x1b[2JLog in</title></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


def test_a_website_in_place_of_an_api_is_called_that(personascope):
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Website)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{site.server_port}"
    words = ("--model", MODEL, "--base-url", f"http://me:secret@{host}/v1", "--max-retries", "0")
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    ends = [personascope("ask", "Hello", *words), personascope("batch", requests, *words)]
    site.shutdown()
    site.server_close()
    for ended in ends:
        told = ended.out + ended.err
        assert ended.code == 1
        assert f"http://{host}/v1/chat/completions answered with a web page" in told
        assert "Log in" in told and "check the base URL" in told
        assert "secret" not in told and "\x1b" not in told


def test_a_wrong_path_is_named(personascope):
    server = JsonServer(lambda _path, _body: None)
    ended = personascope("ask", "Hello", "--model", MODEL, "--base-url", server.url + "/wrong")
    server.stop()
    assert ended.code == 1
    assert f"HTTP 404: Not Found (asked at {server.url}/wrong/chat/completions; check the base URL)" in ended.err
