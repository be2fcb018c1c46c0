"""An OpenAI-style server whose replies a test makes up, and which remembers what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # with 5, connections that come at once wait a second to be accepted


class JsonServer:
    """Answers every POST with `answer(path, body)` as JSON; with None, as 404."""

    def __init__(self, answer):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                found = answer(self.path, body)
                text = json.dumps({"detail": "Not Found"} if found is None else found).encode()
                self.send_response(404 if found is None else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class FakeOpenAi(JsonServer):
    """`reply(body)` gives the text of the answer to a chat request; `asked` holds every body."""

    def __init__(self, reply):
        self.asked = []
        lock = threading.Lock()

        def answer(_path, body):
            with lock:
                self.asked.append(body)
            message = {"role": "assistant", "content": reply(body)}
            return {
                "id": "x",
                "object": "chat.completion",
                "model": body["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
            }

        super().__init__(answer)
        self.env = {
            "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": self.url,
            "TOGETHER_API_KEY": "k",
            "TOGETHER_BASE_URL": self.url,
        }


def user_text(body):
    return body["messages"][-1]["content"]


def system_text(body):
    first = body["messages"][0]
    return first["content"] if first["role"] == "system" else None
