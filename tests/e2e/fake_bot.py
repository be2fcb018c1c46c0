"""A server with the APIs that the examples of docs/bots.md describe. It remembers what it was asked."""

from __future__ import annotations

import json
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler

from fake_openai import Server


class FakeBot:
    def __init__(self):
        self.asked = []  # method, path, headers, body
        self.sessions = {}  # what was said in each, by id
        self.closed = []
        self.fail = lambda path, body: None  # (status, text) in place of an answer
        self.lock = threading.Lock()
        bot = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                size = int(self.headers.get("Content-Length") or 0)
                raw = self.rfile.read(size)
                body = json.loads(raw) if raw else None
                with bot.lock:
                    bot.asked.append((self.command, self.path, dict(self.headers), body))
                    failure = bot.fail(self.path, body)
                    status, text = failure or (200, bot.answer(self.command, self.path, body))
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, method, path, body):
        parts = urllib.parse.urlsplit(path)
        name = parts.path.split("/")[1]
        if name == "ask":
            return json.dumps({"reply": {"text": f"You asked: {body['question']}"}, "usage": {"in": 7, "out": 3}})
        if name == "chat":
            said = [turn["text"] for turn in body["past"]] + [body["input"]["text"]]
            return json.dumps({"outputs": [{"text": "no"}, {"text": " | ".join(said)}]})
        if name == "say":
            return "You said: " + urllib.parse.parse_qs(parts.query)["text"][0]
        if name == "stream":
            pieces = [{"delta": {"text": piece}} for piece in (str(len(body["messages"])), " messages, ", "last: ",
                                                               body["messages"][-1]["content"])]
            return "".join(f"data: {json.dumps(p)}\n\n" for p in [*pieces, {"finished": True}])
        if name == "lines":
            text = body["messages"][-1]["content"]
            return "".join(json.dumps({"text": text[:end]}) + "\n" for end in range(1, len(text) + 1))
        if name == "talk":
            return self.talk(parts.path.split("/")[2], body)
        return self.session(method, parts.path.split("/")[2:], body)

    def talk(self, id, body):
        said = self.sessions.setdefault(id, [])
        said.append(body["message"])
        return json.dumps({"answer": f"message {len(said)}: {body['message'].splitlines()[-1]}"})

    def session(self, method, rest, body):
        if not rest:
            id = f"s/{len(self.sessions) + 1}"
            self.sessions[id] = []
            return json.dumps({"session": {"id": id}})
        id = urllib.parse.unquote(rest[0])
        assert id in self.sessions and id not in self.closed
        if method == "DELETE":
            self.closed.append(id)
            return "{}"
        return self.talk(id, body)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
