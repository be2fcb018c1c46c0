"""An OpenAI-style server whose replies a test makes up, and which remembers what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeOpenAi:
    """`reply(body)` gives the text of the answer to a chat request; `asked` holds every body."""

    def __init__(self, reply):
        self.asked = []
        lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    fake.asked.append(body)
                answer = json.dumps(
                    {
                        "id": "x",
                        "object": "chat.completion",
                        "model": body["model"],
                        "choices": [
                            {
                                "index": 0,
                                "finish_reason": "stop",
                                "message": {"role": "assistant", "content": reply(body)},
                            }
                        ],
                        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
                    }
                ).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        self.env = {
            "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": self.url,
            "TOGETHER_API_KEY": "k",
            "TOGETHER_BASE_URL": self.url,
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def user_text(body):
    return body["messages"][-1]["content"]


def system_text(body):
    first = body["messages"][0]
    return first["content"] if first["role"] == "system" else None
