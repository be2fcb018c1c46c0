"""A stand-in for the Hugging Face hub and for the host that its large files are redirected to."""

import hashlib
import http.server
import json
import re
import threading
import urllib.parse


class FakeHub:
    """Data sets of the files that a test gives it, and the faults that it asks for."""

    COMMIT = "0123456789abcdef0123456789abcdef01234567"

    def __init__(self, token=None):
        self.token = token
        self.sets = {}  # name → {path: bytes}
        self.gated = set()
        self.moved = set()
        self.wrong_hash = set()  # paths
        self.cuts = {}  # path → after how many bytes a connection ends, once each
        self.no_ranges = False
        self.listing = None  # in place of the true one
        self.seen = []  # (host, path, headers)
        self.cdn = self._serve("cdn")
        self.hub = self._serve("hub")
        self.endpoint = f"http://127.0.0.1:{self.hub.server_port}"

    def _serve(self, host):
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                owner.seen.append((host, self.path, dict(self.headers)))
                owner.answer_hub(self) if host == "hub" else owner.answer_file(self, self.path[1:])

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def stop(self):
        for server in (self.hub, self.cdn):
            server.shutdown()
            server.server_close()

    def files_asked_for(self):
        """Hosts and where the ranges begin."""
        return [(host, headers["Range"].split("-")[0]) for host, path, headers in self.seen if "/api/" not in path]

    @staticmethod
    def send(handler, status, body=b"", **headers):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def answer_hub(self, handler):
        found = re.match(r"/(api/)?datasets/([^/]+/[^/]+)/(revision|resolve)/([^/?]+)/?([^?]*)", handler.path)
        name = found and found[2]
        given = handler.headers.get("Authorization")
        if self.token and given != f"Bearer {self.token}":
            return self.send(handler, 401, f"Invalid token {given}".encode())
        if name in self.gated:
            return self.send(handler, 403, b"gated")
        if name in self.moved:
            return self.send(handler, 307, b"moved", Location="/api/datasets/new/name")
        if name not in self.sets:
            return self.send(handler, 404, b"none")
        if found[1]:
            return self.send(handler, 200, json.dumps(self.listing or self.list(name)).encode())
        path = found[5]
        if path.endswith(".parquet"):  # large files live on another host
            where = f"http://127.0.0.1:{self.cdn.server_port}/{name}/{path}"
            return self.send(handler, 302, b"Found", Location=where)
        if "resolve-cache" not in handler.path:  # small ones after a turn on this one
            return self.send(handler, 307, b"", Location=handler.path + "?resolve-cache")
        return self.answer_file(handler, f"{name}/{path}")

    def list(self, name):
        files = [{"rfilename": ".gitattributes", "size": 3, "blobId": "0" * 40},
                 {"rfilename": "README.md", "size": 3, "blobId": "0" * 40}]  # fmt: skip
        for path, content in self.sets[name].items():
            twisted = content + b"!" if path in self.wrong_hash else content
            git = hashlib.sha1(b"blob %d\0" % len(content) + twisted).hexdigest()
            entry = {"rfilename": path, "size": len(content), "blobId": git}
            if path.endswith(".parquet"):
                entry["lfs"] = {"sha256": hashlib.sha256(twisted).hexdigest(), "size": len(content), "pointerSize": 130}
            files.append(entry)
        return {"id": name, "sha": self.COMMIT, "siblings": files}

    def answer_file(self, handler, where):
        owner, name, path = urllib.parse.unquote(where.split("?")[0]).split("/", 2)
        content = self.sets[f"{owner}/{name}"][path]
        asked = re.match(r"bytes=(\d+)-(\d+)$", handler.headers.get("Range", ""))
        if asked and not self.no_ranges:
            start, total = int(asked[1]), len(content)
            content = content[start : int(asked[2]) + 1]
            handler.send_response(206)
            handler.send_header("Content-Range", f"bytes {start}-{start + len(content) - 1}/{total}")
        else:
            handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        if self.cuts.get(path):
            content = content[: self.cuts[path].pop(0)]
            handler.close_connection = True
        handler.wfile.write(content)
