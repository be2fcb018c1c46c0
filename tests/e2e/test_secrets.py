"""A planted key, bearer token, AWS secret or URL password is found nowhere afterwards."""

import base64
import http.server
import json
import threading

import pytest

from harness import MODEL, chat

KEY = "sk-planted-0123456789abcdef"
PASSWORD = "hunter2secret"
BEARER = "bedrock-api-key-planted0123456789"
AWS_SECRET = "wJalrPlantedSecretKey0123456789"
AWS_TOKEN = "FwoGZXIvPlantedSessionToken0123456789"
ALL = [KEY, PASSWORD, BEARER, AWS_SECRET, AWS_TOKEN]

# Everything that a server may do to a request, and what we tell about it.
FATES = [
    "Hello",
    "[[echo-key]]",
    "[[status 401]]",
    "[[status 404]]",
    "[[status 500]]",
    "[[status 429]]",
    "[[too-long]]",
    "[[refuse]]",
    "[[filter]]",
    "[[close]]",
    "[[cut]]",
    "[[stall]]",
    "[[endless]]",
    "[[not-json]]",
    "[[empty]]",
    "[[invalid-utf8]]",
]


def forms_of(secret):
    """The secret, and what it looks like in a Basic header."""
    forms = [secret.encode()]
    for prefix in ("", "user:"):
        forms.append(base64.b64encode((prefix + secret).encode()).rstrip(b"=")[:-1])
    return forms


def assert_nowhere(secrets, personascope, *ends):
    """Nor in what was printed, nor in any file that the program has left."""
    texts = {}
    for number, ended in enumerate(ends):
        texts[f"stdout {number}"] = ended.out.encode()
        texts[f"stderr {number}"] = ended.err.encode()
    for folder in (personascope.home, personascope.folder):
        for path in folder.rglob("*"):
            if path.is_file() and path.name != ".env":
                texts[str(path)] = path.read_bytes()
    for place, text in texts.items():
        for secret in secrets:
            for form in forms_of(secret):
                assert form not in text, f"{form!r} is in {place}: {text[:2000]!r}"


def read_everything(personascope):
    """What the store holds, as every command shows it (the store itself is compressed)."""
    ends = [personascope("runs", "--json"), personascope("runs"), personascope("doctor", "--json")]
    for run in ends[0].json()["runs"]:
        ends.append(personascope("show", run["run"], "--json"))
        ends.append(personascope("show", run["run"]))
        ends.append(personascope("show", run["run"], "--limit", "1000", "--prompts", "--json"))
        ends.append(personascope("show", run["run"], "--limit", "1000", "--prompts"))
        for what in ("items", "findings", "calls"):
            ends.append(personascope("export", run["run"], "--what", what, "-o", "-"))
        ends.append(personascope("explain-miss", run["run"], "--json"))
    return ends


def attack(personascope, model, address, env, secrets):
    lines = [chat(f"fate{i}", f"{fate} {i}") for i, fate in enumerate(FATES)]
    ends = []
    quick = ("--max-retries", "0", "--idle-timeout", "1", "--attempt-timeout", "5", "--timeout", "6")
    calm = [line for line in lines if "[[status 40" not in line["messages"][0]["content"]]
    for number, part in enumerate([calm, [lines[2]], [lines[3]]]):
        requests = personascope.write(f"requests{number}.jsonl", part)
        words = ("batch", requests, "--model", model, "--base-url", address, *quick)
        ends.append(personascope(*words, "-o", f"answers{number}.jsonl", "--json", env=env))
        ends.append(personascope(*words, env=env))
    for fate in ("Hello", "[[echo-key]]", "[[status 401]]", "[[cut]]"):
        for form in ([], ["--json"]):
            ends.append(
                personascope("ask", fate, "--model", model, "--base-url", address, *quick, *form, env=env)
            )
    ends.append(personascope("doctor", "--ask", "--model", model, "--base-url", address, env=env))
    ends.append(personascope("models", "--json", env=env))
    ends += read_everything(personascope)
    assert any("[redacted]" in ended.out + ended.err for ended in ends), "nothing was echoed at all"
    assert_nowhere(secrets, personascope, *ends)


def test_an_openai_key(personascope, server):
    attack(personascope, MODEL, server.url, {"OPENAI_API_KEY": KEY}, [KEY])


def test_an_anthropic_key(personascope, server):
    model = "anthropic/claude-3-5-sonnet-20241022"
    attack(personascope, model, server.root, {"ANTHROPIC_API_KEY": KEY}, [KEY])


def test_a_key_in_the_env_file(personascope, server):
    (personascope.folder / ".env").write_text(f"OPENAI_API_KEY='{KEY}'\n")
    attack(personascope, MODEL, server.url, {}, [KEY])


def test_a_bedrock_bearer_token(personascope, server):
    env = {"AWS_BEARER_TOKEN_BEDROCK": BEARER}
    attack(personascope, "bedrock/some-model", server.root, env, [BEARER])


def test_the_password_of_a_url(personascope, server):
    address = server.url.replace("http://", f"http://user:{PASSWORD}@")
    attack(personascope, MODEL, address, {}, [PASSWORD])


def test_the_password_of_a_url_in_the_environment(personascope, server):
    address = server.url.replace("http://", f"http://user:{PASSWORD}@")
    env = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY}
    ends = [
        personascope("models", "--json", env=env),
        personascope("models", env=env),
        personascope("ask", "[[echo-key]]", "--model", MODEL, env=env),
        personascope("ask", "Hello", "--model", MODEL, "--json", env=env),
        personascope("doctor", "--ask", "--model", MODEL, env=env),
    ]
    assert ends[3].code == 0
    assert_nowhere([KEY, PASSWORD], personascope, *ends)


def test_aws_secrets_are_not_even_sent(personascope, server):
    env = {
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": AWS_SECRET,
        "AWS_SESSION_TOKEN": AWS_TOKEN,
    }
    requests = personascope.write("requests.jsonl", [chat(str(i), fate) for i, fate in enumerate(
        ["Hello", "[[echo-key]]", "[[status 500]]", "[[status 403]]"])])
    words = ("batch", requests, "--model", "bedrock/some-model", "--base-url", server.root)
    ends = [
        personascope(*words, "--max-retries", "0", env=env),
        personascope(*words, "--max-retries", "0", "-o", "answers.jsonl", "--json", env=env),
    ]
    assert_nowhere([AWS_SECRET, AWS_TOKEN], personascope, *ends, *read_everything(personascope))


@pytest.mark.parametrize(
    "words",
    [
        ["--base-url", "ADDRESS", "--no-such-flag"],
        ["--baseurl", "ADDRESS"],
        ["ADDRESS"],
        ["--base-url", "ADDRESS", "--max-calls", "many"],
        ["--base-url", "ADDRESS", "--model", "nobody/x"],
        ["--base-url", "ftp://user:" + PASSWORD + "@127.0.0.1/v1"],
        ["--base-url", "user:" + PASSWORD + "@127.0.0.1/v1"],
        ["--base-url", "http://user:" + PASSWORD + "@no-such-host.invalid/v1"],
        ["--base-url", "http://user:" + PASSWORD + "@127.0.0.1:99999/v1"],
        ["--base-url", "http://user:" + PASSWORD + "@[::1/v1"],
    ],
)
def test_wrong_use_does_not_quote_the_password(personascope, server, words):
    address = server.url.replace("http://", f"http://user:{PASSWORD}@")
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    given = [address if word == "ADDRESS" else word for word in words]
    model = [] if "--model" in words else ["--model", MODEL]
    ended = personascope("batch", requests, *model, *given, "--max-retries", "0")
    assert ended.code in (1, 2)
    assert_nowhere([PASSWORD], personascope, ended)


def test_the_resume_command_holds_no_password_and_the_address_can_be_given_again(
    personascope, server
):
    address = server.url.replace("http://", f"http://user:{PASSWORD}@")
    lines = [chat(str(i), f"Question {i}") for i in range(4)]
    requests = personascope.write("requests.jsonl", lines)
    ended = personascope(
        "batch", requests, "--model", MODEL, "--base-url", address, "--max-calls", "2",
        "-o", "answers.jsonl",
    )
    assert ended.code == 1
    assert_nowhere([PASSWORD], personascope, ended)
    done = personascope(*ended.resume_command(), "--base-url", address)
    assert done.code == 0, done.err
    assert_nowhere([PASSWORD], personascope, done)
    assert server.requests() == 4


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers well, and quotes the key in the answer's text."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = f"You sent {self.headers['Authorization']} to me"
        if body.get("stream"):
            pieces = [said[:17], said[17:25], said[25:]]
            events = [
                {"model": "m", "choices": [{"index": 0, "delta": {"content": piece}}]}
                for piece in pieces
            ] + [{"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
            text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
            kind = "text/event-stream"
        else:
            message = {"role": "assistant", "content": said}
            text = json.dumps(
                {"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
            )
            kind = "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        pass


@pytest.fixture
def echo():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_an_answer_that_quotes_the_key_is_kept_without_it(personascope, echo):
    requests = personascope.write("requests.jsonl", [chat("x", "Hello")])
    env = {"OPENAI_API_KEY": KEY}
    ends = [
        personascope("batch", requests, "--model", MODEL, "--base-url", echo, env=env),
        personascope("ask", "Hello", "--model", MODEL, "--base-url", echo, "--json", env=env),
    ]
    assert all(ended.code == 0 for ended in ends)
    assert_nowhere([KEY], personascope, *ends)


def test_an_answer_that_quotes_the_key_is_streamed_without_it(personascope, echo):
    env = {"OPENAI_API_KEY": KEY}
    words = ("ask", "Hello", "--model", MODEL, "--base-url", echo)
    ends = [personascope(*words, env=env), personascope(*words, env=env)]
    assert ends[0].code == 0, ends[0].err
    assert "You sent" in ends[0].out
    assert_nowhere([KEY], personascope, *ends)
