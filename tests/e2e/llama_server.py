"""A real llama-server on the small weights, from the same source as the embedded model."""

from __future__ import annotations

import json
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

CACHE = pathlib.Path(__file__).resolve().parents[2] / ".cache"
WEIGHTS = CACHE / "models/smollm2-135m.gguf"


def find_tool():
    """The newest llama-server that scripts/setup-model --server has built, or None."""
    built = sorted(CACHE.glob("llama-*/build-tools/bin/llama-server"))
    return built[-1] if built and WEIGHTS.is_file() else None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class LlamaServer:
    """Serves until stop() or kill(); start() brings it back on the same port."""

    def __init__(self, folder, *flags):
        self.log = folder / "llama-server.log"
        self.flags = [str(flag) for flag in flags]
        self.port = free_port()
        self.root = f"http://127.0.0.1:{self.port}"
        self.url = self.root + "/v1"
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [find_tool(), "--model", WEIGHTS, "--host", "127.0.0.1", "--port", str(self.port),
                 # More threads would wait for one another on a busy machine.
                 "--no-webui", "-c", "4096", "-np", "4", "--threads", "1", *self.flags],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + 60
        while not self._is_ready():
            assert self.process.poll() is None, self.log.read_text()[-2000:]
            assert time.monotonic() < deadline, "llama-server does not get ready"
            time.sleep(0.05)

    def _is_ready(self):
        try:
            return self.fetch("/health")["status"] == "ok"
        except (urllib.error.URLError, ConnectionError):
            return False

    def fetch(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data=data, headers={"Content-Type": "application/json"}
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as reply:
            return json.load(reply)

    def count_tokens(self, messages):
        """Of the conversation as the model's template writes it."""
        prompt = self.fetch("/apply-template", {"messages": messages})["prompt"]
        return len(self.fetch("/tokenize", {"content": prompt, "parse_special": True})["tokens"])

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=10)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()
