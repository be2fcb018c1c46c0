"""Compares our AWS signatures with botocore's, over random requests.

Needs the packages in tests/requirements.txt, and PERSONASCOPE_BIN_DIR: the folder with sigv4_sign.
"""

import datetime
import json
import os
import pathlib
import random
import subprocess
from unittest import mock
from urllib.parse import quote

import botocore.auth
import botocore.session
from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.credentials import Credentials

REQUESTS = 200
MODEL_IDS = [
    "anthropic.claude-3-sonnet-20240229-v1:0",
    "us.meta.llama3-1-8b-instruct-v1:0",
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku-20240307-v1:0",
]
ALPHABET = "abcXYZ019-._~:/ +%&=?#@!$'()*,;[]\"<>|äßሴ漢🙂"


def sign_with_ours(requests):
    program = pathlib.Path(os.environ["PERSONASCOPE_BIN_DIR"]) / "sigv4_sign"
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def sign_with_botocore(request):
    moment = datetime.datetime.fromtimestamp(request["time"], datetime.UTC)

    class FixedClock(datetime.datetime):
        @classmethod
        def utcnow(cls):
            return moment.replace(tzinfo=None)

    aws_request = AWSRequest(
        method=request["method"], url=request["url"], data=request["body"].encode()
    )
    for name, value in request["headers"]:
        aws_request.headers[name] = value
    credentials = Credentials(
        request["access_key"], request["secret"], request["session_token"] or None
    )
    with mock.patch.object(botocore.auth.datetime, "datetime", FixedClock):
        signer = botocore.auth.SigV4Auth(credentials, request["service"], request["region"])
        signer.add_auth(aws_request)
    names = ["Authorization", "X-Amz-Date", "X-Amz-Security-Token"]
    return {name: aws_request.headers[name] for name in names if name in aws_request.headers}


def draw_text(draw, longest, shortest=0):
    return "".join(draw.choice(ALPHABET) for _ in range(draw.randint(shortest, longest)))


def draw_url(draw):
    scheme = draw.choice(["https", "http"])
    host = draw.choice(["bedrock-runtime.eu-west-1.amazonaws.com", "localhost", "[::1]"])
    port = draw.choice(["", "", ":80", ":443", ":8080"])
    model = draw.choice([draw.choice(MODEL_IDS), draw_text(draw, 20, 1)])
    path = draw.choice(
        [
            f"/model/{quote(model, safe='')}/converse",
            f"/proxy//a/../model/./{quote(model, safe='')}/converse/",
            "/漢 ä:raw",
            "/",
            "",
        ]
    )
    parameters = [
        f"{quote(draw_text(draw, 6, 1), safe='-_.~')}={quote(draw_text(draw, 6), safe='-_.~')}"
        for _ in range(draw.choice([0, 0, 1, 2, 5]))
    ]
    return f"{scheme}://{host}{port}{path}" + ("?" + "&".join(parameters) if parameters else "")


def draw_headers(draw):
    names = ["Content-Type", "X-Custom", "x-custom", "Accept", "User-Agent", "Expect", "X-Amz-Meta"]
    values = ["application/json", "  a   b  ", "x\ty", "", "é ü", "a,b"]
    return [[draw.choice(names), draw.choice(values)] for _ in range(draw.randint(0, 5))]


def draw_request(draw):
    return {
        "method": draw.choice(["GET", "POST", "PUT", "DELETE"]),
        "url": draw_url(draw),
        "headers": draw_headers(draw),
        "body": draw.choice(["", "{}", draw_text(draw, 200)]),
        "access_key": "AKID" + str(draw.randrange(10**9)),
        "secret": draw_text(draw, 40, 1),
        "session_token": draw.choice(["", f"token/{draw.randrange(10**9)}+=="]),
        "region": draw.choice(["us-east-1", "eu-west-1", "ap-southeast-2"]),
        "service": draw.choice(["bedrock", "service"]),
        "time": draw.randrange(0, 4_000_000_000),
    }


def test_random_requests_get_the_headers_that_botocore_gives_them():
    draw = random.Random(20150830)
    requests = [draw_request(draw) for _ in range(REQUESTS)]
    for request, ours in zip(requests, sign_with_ours(requests), strict=True):
        assert ours == sign_with_botocore(request), request


def capture_converse(model):
    """The request that botocore's own client would send, and when it signed it."""
    client = botocore.session.get_session().create_client(
        "bedrock-runtime",
        region_name="us-east-1",
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key="secret",
        aws_session_token="token",
    )
    sent = []

    def answer(request, **_):
        sent.append(request)
        raw = mock.Mock(stream=lambda: [b'{"stopReason": "end_turn"}'])
        return AWSResponse(request.url, 200, {}, raw)

    client.meta.events.register("before-send.bedrock-runtime", answer)
    client.converse(modelId=model, messages=[{"role": "user", "content": [{"text": "Hi"}]}])
    return sent[0]


def as_text(value):
    return value.decode() if isinstance(value, bytes) else value


def test_a_converse_call_is_signed_as_botocores_client_signs_it():
    for model in MODEL_IDS:
        sent = capture_converse(model)
        assert sent.url.endswith(f"/model/{quote(model, safe='')}/converse")
        headers = {name: as_text(value) for name, value in sent.headers.items()}
        moment = datetime.datetime.strptime(headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
        authorization = headers["Authorization"]
        signed = authorization.split("SignedHeaders=")[1].split(",")[0].split(";")
        added = ["host", "x-amz-date", "x-amz-security-token"]
        request = {
            "method": sent.method,
            "url": sent.url,
            "headers": [
                [name, value]
                for name, value in headers.items()
                if name.lower() in signed and name.lower() not in added
            ],
            "body": as_text(sent.body),
            "access_key": "AKIDEXAMPLE",
            "secret": "secret",
            "session_token": "token",
            "region": "us-east-1",
            "service": "bedrock",
            "time": int(moment.replace(tzinfo=datetime.UTC).timestamp()),
        }
        [ours] = sign_with_ours([request])
        assert ours["Authorization"] == authorization
