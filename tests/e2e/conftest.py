import pytest

from fake_openai import FakeOpenAi
from harness import BIN, Program, Server


def pytest_sessionstart(session):
    for name in ("personascope", "personascope_loopback"):
        if not (BIN / name).is_file():
            pytest.exit(f"no {BIN / name}: build it, or set PERSONASCOPE_BIN_DIR", returncode=2)


@pytest.fixture
def personascope(tmp_path):
    """Runs the program: personascope("batch", file, ...) gives its exit code and what it printed."""
    return Program(tmp_path)


@pytest.fixture
def loopback(tmp_path):
    """Starts a server: loopback(latency_ms=20, key="k") has a URL, stats() and reset()."""
    servers = []

    def start(**flags):
        servers.append(Server(tmp_path / f"server{len(servers)}", flags))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def server(loopback):
    return loopback()


@pytest.fixture
def fake():
    """Starts a server of the OpenAI kind: fake(reply) answers a request's body with reply(body)."""
    servers = []

    def start(reply):
        servers.append(FakeOpenAi(reply))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
