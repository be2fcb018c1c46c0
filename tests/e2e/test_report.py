"""Charts and reports of stored runs: what they show, every format, and hostile texts as text."""

import html.parser
import json
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from gym_work import MODEL, TASKS, judge_words, strict_reply
from harness import chat

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "[click](javascript:alert(1))",
    "\x1b[2J\x1b[31mred",
    "safe‮txt.exe",
    "</pre></details></style><script>alert(2)</script>",
    "\\input{/etc/passwd} ```",
    "x" * (1 << 20),
]


class Page(html.parser.HTMLParser):
    """What a browser makes of a page: elements, attributes, texts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.texts.append(data)


def run_gym(personascope, fake, reply=strict_reply, limit=6):
    ended = personascope(
        *("gym", "run", "--limit", limit, "--questions-per-task", "2", "--model", MODEL),
        *(*judge_words(["openai/gpt-judge"]), "--canaries", "0", "--reader", "none", "--quiet"),
        env=fake(reply).env,
        timeout=120,
    )
    assert ended.code == 0, ended.err


def marks_of(svg):
    return [mark for mark in ET.fromstring(svg).iter(SVG + "g") if mark.get("class") == "ps-mark"]


def test_a_gym_run_has_its_charts_with_the_numbers_of_its_findings(personascope, fake):
    run_gym(personascope, fake)
    listed = personascope("plot", "list", "1", "--json").json()["charts"]
    kinds = {chart["kind"] for chart in listed}
    assert kinds >= {"outcomes", "scores", "radar", "heatmap", "distribution"}
    results = personascope("show", "1", "--json").json()["results"]
    for kind in kinds:
        ended = personascope("plot", kind, "1", "-o", f"{kind}.svg")
        assert ended.code == 0, ended.err
        marks = marks_of((personascope.folder / f"{kind}.svg").read_text())
        assert marks, kind
        for mark in marks:
            assert mark.find(SVG + "title").text and mark.find(SVG + "desc").text
            assert mark.get("data-label")
    scores = {mark.get("data-label"): mark for mark in marks_of((personascope.folder / "scores.svg").read_text())}
    assert set(scores) == set(TASKS.values()) | {"PersonaScore"}
    for name in TASKS.values():
        assert float(scores[name].get("data-value")) == pytest.approx(results["tasks"][name]["mean"])
    low, high = results["persona_score"]["ci95"]
    assert float(scores["PersonaScore"].get("data-low")) == pytest.approx(low)
    assert float(scores["PersonaScore"].get("data-high")) == pytest.approx(high)
    cells = marks_of((personascope.folder / "heatmap.svg").read_text())
    assert len(cells) >= 6 * 5 and all(cell.get("data-row") for cell in cells)


@pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="needs librsvg2-bin")
def test_charts_become_png_and_pdf(personascope, fake):
    run_gym(personascope, fake, limit=1)
    for name, start in (("scores.png", b"\x89PNG\r\n"), ("scores.pdf", b"%PDF-")):
        ended = personascope("plot", "scores", "1", "-o", name)
        assert ended.code == 0, ended.err
        assert (personascope.folder / name).read_bytes().startswith(start)


def test_plot_says_what_is_wrong(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a", "hello"), chat("b", "[[refuse]]")])
    personascope.batch(requests, server, "-o", "answers.jsonl")
    cases = [
        (("plot", "scores", "1", "-o", "x.svg"), "run 1 has no chart of the kind scores; it has outcomes"),
        (("plot", "outcomes", "1", "--part", "nothing", "-o", "x.svg"), "with \"nothing\" in the title"),
        (("plot", "outcomes", "1", "-o", "x.gif"), "end it with .svg, .png or .pdf"),
        (("plot", "outcomes", "1"), "name the file to draw with --output"),
        (("plot", "outcomes", "9", "-o", "x.svg"), "no run 9"),
        (("plot", "pie", "1", "-o", "x.svg"), "pie"),
        (("plot", "outcomes", "1", "-o", "missing/x.svg"), "cannot be written"),
    ]
    for words, message in cases:
        ended = personascope(*words)
        assert ended.code == 2 and message in ended.err, (words, ended.err)
    none = personascope("plot", "outcomes", "1", "-o", "x.png", env={"PATH": "/nowhere"})
    assert none.code != 0 and "librsvg2-bin" in none.err
    drawn = personascope("plot", "outcomes", "1", "-o", "-")
    labels = {mark.get("data-outcome"): mark.get("data-n") for mark in marks_of(drawn.out)}
    assert labels == {"answered": "1", "refused": "1"}
    assert not list(personascope.folder.glob("x.*"))


def test_a_report_is_one_file_that_loads_and_runs_nothing(personascope, fake):
    run_gym(personascope, fake)
    ended = personascope("report", "1", "-o", "report.html", "--transcripts", "20", "--worst")
    assert ended.code == 0, ended.err
    text = (personascope.folder / "report.html").read_text()
    page = Page(text)
    assert "script" not in page.elements and "link" not in page.elements and "img" not in page.elements
    assert not [name for name, _ in page.attributes if name in ("src", "href") or name.startswith("on")]
    assert "default-src 'none'" in text and len(text) < 2_000_000
    shown = " ".join(page.texts)
    for word in ("Outcomes", "PersonaScore", "How it was made", "Method", "openai/gpt-judge", *TASKS.values()):
        assert word in shown, word
    assert page.elements.count("details") == 20 and page.elements.count("svg") >= 5
    scores = [float(found) for found in re.findall(r"<summary>[^<]*scored, score ([\d.]+)", text)]
    assert len(scores) == 20 and scores == sorted(scores)


def test_reports_in_markdown_and_latex_have_the_tables(personascope, fake):
    run_gym(personascope, fake)
    results = personascope("show", "1", "--json").json()["results"]
    mean = f"{results['tasks']['Expected Action']['mean']:.2f}"
    assert personascope("report", "1", "-o", "report.md").code == 0
    markdown = (personascope.folder / "report.md").read_text()
    assert re.search(rf"\| Expected Action \| {mean} \|", markdown)
    assert personascope("report", "1", "-o", "report.tex").code == 0
    latex = (personascope.folder / "report.tex").read_text()
    assert re.search(rf"Expected Action & {mean} &", latex) and r"\toprule" in latex


def test_several_runs_are_in_one_report(personascope, fake):
    run_gym(personascope, fake, limit=1)
    run_gym(personascope, fake, limit=2)
    assert personascope("report", "1", "2", "-o", "both.html", "--json").json()["output"] == "both.html"
    text = (personascope.folder / "both.html").read_text()
    assert "Report of 2 runs" in text and "<h2>Run 1:" in text and "<h2>Run 2:" in text


def test_a_redacted_report_has_no_texts(personascope, fake):
    def talkative(body):
        reply = strict_reply(body)
        return reply.replace("Because.", "SECRETREASON").replace("I would:", "SECRETANSWER")

    run_gym(personascope, fake, talkative, limit=2)
    words = ("report", "1", "-o", "open.html", "--transcripts", "10")
    assert personascope(*words).code == 0
    opened = (personascope.folder / "open.html").read_text()
    assert "SECRETREASON" in opened and "SECRETANSWER" in opened
    personas = {item["persona"] for item in
                map(json.loads, personascope("export", "1", "-o", "-").out.splitlines())}
    assert any(persona[:50] in opened.replace("&#39;", "'") for persona in personas)
    for name in ("redacted.html", "redacted.md", "redacted.tex"):
        assert personascope("report", "1", "-o", name, "--redact").code == 0
        text = (personascope.folder / name).read_text().replace("&#39;", "'")
        assert "SECRET" not in text
        assert not [persona for persona in personas if persona[:30] in text]
    refused = personascope(*words, "--redact")
    assert refused.code == 2 and "a redacted report has none" in refused.err


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_answers_are_text(personascope, fake, hostile):
    def reply(body):
        text = strict_reply(body)
        return hostile if text.startswith("I would:") else text

    run_gym(personascope, fake, reply, limit=1)
    ended = personascope("report", "1", "-o", "report.html", "--transcripts", "10")
    assert ended.code == 0, ended.err
    text = (personascope.folder / "report.html").read_text()
    page = Page(text)
    assert not {"script", "img", "a", "iframe", "link"} & set(page.elements)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("href", "src")]
    assert "\x1b" not in text and "‮" not in text and len(text) < 2_000_000
    first = hostile.replace("\x1b", "�").replace("‮", "")[:60]
    assert first in " ".join(page.texts), "it is shown"
    for name in ("report.md", "report.tex"):
        assert personascope("report", "1", "-o", name, "--transcripts", "10").code == 0
        assert "\x1b" not in (personascope.folder / name).read_text()
    assert r"\input{" not in (personascope.folder / "report.tex").read_text()


def test_report_says_what_is_wrong(personascope, server):
    requests = personascope.write("requests.jsonl", [chat("a", "hello")])
    personascope.batch(requests, server, "-o", "answers.jsonl")
    cases = [
        (("report", "1", "-o", "x.docx"), "end it with .html, .md or .tex"),
        (("report", "1"), "--output"),
        (("report", "9", "-o", "x.html"), "no run 9"),
        (("report", "1", "9", "-o", "x.html"), "no run 9"),
        (("report", "1", "-o", "x.html", "--worst"), "--transcripts"),
        (("report", "1", "-o", "missing/x.html"), "cannot be written"),
    ]
    for words, message in cases:
        ended = personascope(*words)
        assert ended.code == 2 and message in ended.err, (words, ended.err)
    assert not list(personascope.folder.glob("x.*"))
    assert personascope("report", "1", "-o", "batch.html", "--transcripts", "1").code == 0
    assert "answered" in (personascope.folder / "batch.html").read_text()
