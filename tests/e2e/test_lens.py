"""`lens`: a simulated user, an assistant, judges, and the files of the published program."""

import http.server
import json
import pathlib
import re
import threading

import pytest

from harness import answers_of
from lens_models import findings, lens, models, script  # noqa: F401 (models is a fixture)

ROOT = pathlib.Path(__file__).resolve().parents[2]
LETTERS = ["none", "d", "p", "s", "dp", "ds", "ps", "dps"]


def test_a_run_shows_scores_with_what_they_rest_on(personascope, models):
    ended = lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", "2", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["dialogues"] == {"held": 12, "failed": 0, "terminated": 12, "mean_messages": 4.0}
    scores = found["dimensions"]
    assert scores["task_completion"]["rate"] == 1
    assert scores["personalization"]["mean"] == 3
    assert scores["naturalness_user"]["mean"] == 4
    assert scores["naturalness_asst"]["mean"] == 2
    assert scores["coherence_user"]["mean"] == 5
    assert scores["coherence_asst"]["mean"] is None
    assert scores["coherence_asst"]["outcomes"]["failed"] == 12, "an unread verdict is no score"
    assert found["audit"]["flagged"] == 0


def test_the_table_names_every_dimension(personascope, models):
    ended = lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", "1", "-d")
    assert ended.code == 2 and "--dimension in lens evaluate" in ended.err
    ended = lens(personascope, models, "run", "--users", "0-5", "--tasks-per-user", "1", "--dimension", "all")
    assert ended.code == 0, ended.err
    for name in ("task completion", "personalization", "naturalness, user", "coherence, assistant",
                 "first turn leak", "turn personalization", "simulated user  0 of 6 dialogues flagged"):
        assert name in ended.out
    turns = ended.out[ended.out.index("personalization turn by turn") :].splitlines()
    assert [row.split() for row in turns[2:4]] == [[turn, "3.00", "6"] for turn in "12"]


def test_canaries_say_whether_a_judge_can_be_fooled(personascope, models):
    words = ("run", "--users", "0-5", "--tasks-per-user", "1", "--limit", "3", "--dimension", "personalization",
             "--dimension", "naturalness")  # fmt: skip
    fool = script(personascope, "fool.yaml", ("*", "Verdict: 4"))
    ended = lens(personascope, models | {"judge": fool}, *words, "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    [canaries] = found["canaries"]
    assert (canaries["n"], canaries["scored"]) == (8, 8), "four kinds in two dimensions, not in the user's"
    assert set(canaries["by_kind"]) == {"empty", "colon", "thought", "verdict"}
    assert [note for note in found["notes"] if "a sound judge gives about 0 %" in note]
    strict = script(personascope, "strict.yaml", ("*[ASSISTANT]: Done*", "Verdict: 4"), ("*", "Verdict: 1"))
    ended = lens(personascope, models | {"judge": strict}, *words)
    row = next(row for row in ended.out[ended.out.index("Canary check") :].splitlines() if strict in row)
    assert row.split()[1:] == ["0.0", "%", "8"]
    assert "a sound judge gives the lowest score" not in ended.out
    for none in (("--canaries", "0"), ("--protocol", "reference")):
        assert lens(personascope, models | {"judge": fool}, *words, *none, "--json").json()["canaries"] == []


def test_a_dialogue_is_written_as_python_would(personascope, models):
    ended = lens(personascope, models, "generate", "--users", "66", "--task", "ps-Books-1", "-d", "-si")
    assert ended.code == 0, ended.err
    [path] = (personascope.folder / "output/dialogue").rglob("*.json")
    assert path.parent.name.endswith("_d_s") and path.parent.parent.name == "user66"
    assert path.name == "ps-Books-1_dialogue.json"
    intent = next(json.loads(line)["user_intent"] for line in (ROOT / "data/lens/tasks.jsonl").open()
                  if '"ps-Books-1"' in line)
    expected = {
        "user_id": 66, "task_id": "ps-Books-1", "task_description": intent,
        "user_model": models["user"], "assistant_model": models["assistant"],
        "dialogue": [
            {"role": "user", "content": "Something for tomorrow, please. Olé."},
            {"role": "assistant", "content": "Done: it is settled."},
            {"role": "user", "content": "That will do."},
            {"role": "assistant", "content": "Glad to help."},
        ],
    }
    assert path.read_text() == json.dumps(expected, indent=4)


def test_all_eight_contexts_are_told_apart(personascope, models):
    ended = lens(personascope, models, "run", "--users", "0-2", "--tasks-per-user", "1", "--context-sweep", "all",
                 "--dimension", "personalization", "--output", "out", "--json")
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["contexts"] == LETTERS
    assert found["dialogues"]["held"] == 24
    by_context = found["dimensions"]["personalization"]["by_context"]
    assert set(by_context) == set(LETTERS)
    assert by_context["dps"]["against_first"] == {**by_context["dps"]["against_first"], "pairs": 3, "difference": 0}
    tags = {re.sub(r".*?((_[dps])*)$", r"\1", path.name) for path in (personascope.folder / "out/dialogue/user0").iterdir()}
    assert tags == {"", "_d", "_p", "_s", "_d_p", "_d_s", "_p_s", "_d_p_s"}


def test_several_domains(personascope, models):
    ended = lens(personascope, models, "generate", "--users", "0-9", "--multi-domain", "--tasks-per-user", "1")
    assert ended.code == 0, ended.err
    paths = list((personascope.folder / "output/dialogue").rglob("*.json"))
    assert paths and all(path.name.startswith("ps-multi-") for path in paths)


REFERENCE_JUDGE = (
    ("*question only: Was the goal reached*", "Justification: yes.\nVERDICT: True"),
    ("*fit this particular user*", "Justification: so so.\nPersonalization Score: 2"),
    ("*", "I would rather not."),
)


def published_gather(tree, dimension, pattern):
    """The published arithmetic, written anew: the first match counts, an unread completion is False."""
    values = []
    for path in tree.glob(f"evaluation/user*/*/{dimension}/*/*.txt"):
        found = re.search(pattern, path.read_text())
        if dimension == "task_completion":
            values.append(1 if found and found[1] == "True" else 0)
        elif found:
            values.append(int(found[1]))
    return len(values), sum(values) / len(values) if values else None


def test_the_published_chain_gives_the_published_numbers(personascope):
    models = {
        "user": script(personascope, "u.yaml", ("*[ASSISTANT]:*", "Bye. TERMINATE"), ("*", "Hello.")),
        "assistant": script(personascope, "a.yaml", ("*", "Done.")),
        "judge": script(personascope, "j.yaml", *REFERENCE_JUDGE),
    }
    common = ("--protocol", "reference", "-s", "0", "-e", "3", "--tasks-per-user", "3")
    ended = lens(personascope, models, "generate_dialogue", *common)
    assert ended.code == 0, ended.err
    tree = personascope.folder / "output"
    files = list((tree / "dialogue").rglob("*.json"))
    assert len(files) == 12
    one = json.loads(files[0].read_text())
    assert [turn["content"] for turn in one["dialogue"]] == ["Hello.", "Done.", "Bye.", "Done."]
    assert one["user_model"] == one["assistant_model"] == files[0].parent.name
    ended = lens(personascope, models, "evaluate", *common)
    assert ended.code == 0, ended.err
    verdicts = {path.read_text() for path in (tree / "evaluation").rglob("personalization/*/*.txt")}
    assert verdicts == {"Justification: so so.\nPersonalization Score: 2"}, "the judge's words, to the byte"
    for dimension, pattern in (("task_completion", r"VERDICT:\s*(True|False)"),
                               ("personalization", r"Personalization Score:\s*(\d+)"),
                               ("coherence", r"Coherence Score:\s*(\d+)")):
        found = personascope("lens", "gather_evaluation", "-d", dimension, "-f", "_user", "--json") \
            if dimension == "coherence" else personascope("lens", "gather", "output", "-d", dimension, "--json")
        assert found.code == 0, found.err
        reference = found.json()["reference"]
        count, mean = published_gather(tree, dimension, pattern)
        assert (reference["count"], reference.get("rate", reference.get("mean"))) == (count, mean)
    assert found.json()["unread"] == 12


def test_evaluate_reads_what_generate_wrote(personascope, models):
    common = ("--users", "0-5", "--tasks-per-user", "2", "-p")
    assert lens(personascope, models, "generate", *common).code == 0
    ended = lens(personascope, models, "evaluate", *common, "-d", "personalization", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["dialogues"]["given"] == 12
    [group] = [personascope("lens", "gather", "--json").json()]
    assert (group["files"], group["count"], group["mean"], group["unread"]) == (12, 12, 3, 0)
    missing = lens(personascope, models, "evaluate", "--users", "0-5", "-d", "personalization")
    assert missing.code == 2 and "there is no dialogue to evaluate" in missing.err


def test_a_failed_turn_is_an_outcome_and_the_others_go_on(personascope, models):
    path = personascope.folder / "bad.yaml"
    path.write_text(json.dumps({"rules": [{"when": "*That will do*", "error": "context_too_long"},
                                          {"when": "*", "reply": "Done."}]}))
    models["assistant"] = f"scripted/{path}"
    ended = lens(personascope, models, "run", "--users", "0-1", "--tasks-per-user", "1", "--items", "items.jsonl",
                 "--fail-on-error", "2", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["dialogues"]["broken"] == 2
    lines = answers_of(personascope.folder / "items.jsonl")
    assert [line["outcome"] for line in lines] == ["failed", "failed"]
    assert lines[0]["error"]["message"].startswith("the assistant, turn 2:")
    assert ended.json()["dimensions"]["personalization"]["outcomes"]["no_dialogue"] == 2


def test_a_run_is_resumed_between_two_turns(personascope, models):
    words = ("--users", "0-3", "--tasks-per-user", "1", "--dimension", "personalization")
    whole = lens(personascope, models, "run", *words, "--json", env={"PERSONASCOPE_HOME": str(personascope.home) + "2"})
    stopped = lens(personascope, models, "run", *words, "--max-calls", "7", "--max-connections", "1")
    assert stopped.code == 1, stopped.err
    ended = personascope(*stopped.resume_command()[:2], "--max-calls", "1000", "--json")
    assert ended.code == 0, ended.err
    assert findings(ended) == findings(whole)


def test_a_run_is_gathered_from_the_store_as_from_its_files(personascope, models):
    common = ("--users", "0-5", "--tasks-per-user", "2", "--both", "--context-sweep", "none,dp", "--output", "out")
    ended = lens(personascope, models, "run", *common, "--judge", models["assistant"], "--dimension", "personalization",
                 "--dimension", "task_completion", "--dimension", "naturalness")
    assert ended.code == 0, ended.err
    assert "rated low" in ended.out and "judges " in ended.out
    for words in ((), ("-d", "naturalness", "-f", "_asst"), ("--users", "2-3", "-md"), ("-i", models["judge"])):
        stored = personascope("lens", "gather", "1", *words, "--json").json()
        files = personascope("lens", "gather", "out", *words, "--json").json()
        groups = {(group["assistant"], group["dimension"], group.get("side"), group["judge"]): group
                  for group in stored["groups"]}
        assert groups
        for group in files["groups"]:
            key = (group["assistant"], group["dimension"], group.get("side"), group["judge"])
            own = groups.pop(key)
            for list_of in (lambda one: one["low_rated"]["verdicts"], lambda one: one["unread_verdicts"]):
                # The file has the score once more, in the published form.
                assert all(kept.pop("reason") in written.pop("reason") for kept, written in zip(list_of(own), list_of(group)))
            assert own == group
        assert not groups, "a judge who gave no verdict wrote a file, too"
    names = json.loads((personascope.folder / "out/models.json").read_text())
    assert set(names.values()) == {models["assistant"], models["judge"]}
    assert {path.name.removesuffix("_d_p") for path in (personascope.folder / "out/dialogue/user0").iterdir()} <= set(names)
    for run, message in (("7", "there is no run 7"), ("x7", "has no evaluations")):
        wrong = personascope("lens", "gather", run)
        assert wrong.code == 2 and message in wrong.err


def test_only_the_judges_are_asked_when_a_run_is_scored_again(personascope, models):
    ended = lens(personascope, models, "run", "--users", "0-3", "--tasks-per-user", "1", "--dimension", "personalization",
                 "--canaries", "0", "--json")  # fmt: skip
    assert ended.code == 0, ended.err
    path = pathlib.Path(models["judge"].removeprefix("scripted/"))
    path.write_text(path.read_text().replace("Verdict: 3", "Verdict: 1"))
    again = personascope("rescore", "1", "--json")
    assert again.code == 0, again.err
    assert again.json()["dimensions"]["personalization"]["mean"] == 1
    assert again.json()["dialogues"] == ended.json()["dialogues"]
    calls = personascope("show", "2", "--json").json()["spending"]["calls"]
    assert calls == 4, "one verdict a dialogue, and no turn of it"


@pytest.mark.parametrize("words, message", [
    (("run", "--users", "5-1"), "is not a range of users"),
    (("run", "--users", "1", "--sample", "20"), "two ways"),
    (("run", "--users", "2000"), "there is no such user"),
    (("run", "--data", "nowhere"), "has no users"),
    (("run", "--context-sweep", "dx"), "is not a context"),
    (("run", "--context-sweep", "d", "-p"), "leave out"),
    (("run", "--users", "0", "--reader", "openai/gpt-4o"), "openai/gpt-4o cannot compute the likelihood of a text: set --reader to"),
    (("run", "--dimension", "fluency"), "there is no dimension fluency"),
    (("run", "--task", "SD-Zoo-task-1"), "no user has such a task"),
    (("run", "--users", "0-3", "--domain", "Books", "--domain", "Alram"), "no task is of the domain Alram: did you mean Alarm?"),
    (("run", "--words", "nosuchdir"), "there is no folder"),
    (("run", "--words", "x" * 5000), "there is no folder"),
    (("run", "--data", "x" * 5000), "has no users"),
    (("run", "--users", "0", "--output", "x" * 5000), "nothing can be written to"),
    (("evaluate", "--users", "0", "--data", "x" * 5000), "has no users"),
    (("run", "--protocol", "reference", "--judge-repeats", "2"), "leave out --judge-repeats"),
    (("run", "--protocol", "reference", "--canaries", "1"), "--verdicts and --canaries"),
    (("run", "--protocol", "reference", "--both-orders"), "leave out --judge-repeats, --both-orders"),
    (("evaluate", "--protocol", "reference", "--verdicts", "text"), "--verdicts and"),
    (("gather", "nowhere"), "has no evaluations"),
    (("gather", "x" * 5000), "has no evaluations"),
])
def test_wrong_use_is_said_in_one_sentence(personascope, models, words, message):
    ended = lens(personascope, models, *words)
    assert ended.code == 2, ended.err
    assert message in ended.err


def test_the_flags_of_the_published_program_work(personascope, models):
    ended = lens(personascope, models, "generate_dialogue_md", "-s3", "-si", "--tasks-per-user", "1", "--limit", "3")
    assert ended.code == 0, ended.err
    paths = list((personascope.folder / "output/dialogue").rglob("*.json"))
    assert len(paths) == 3 and all(path.parent.name.endswith("_s") for path in paths)
    ended = lens(personascope, models, "generate", "-start_index", "4", "-end_index", "4", "--tasks-per-user", "1")
    assert ended.code == 0, ended.err
    assert (personascope.folder / "output/dialogue/user4").is_dir()
    ended = lens(personascope, models, "evaluate", "-s", "4", "-e", "4", "-u", "claude-3-haiku-v1", "-d", "personalization")
    assert ended.code == 0, ended.err
    ended = personascope("lens", "gather_evaluation", "-r", "us-east-1", "-u", "claude-3-haiku-v1", "-a", "-d", "personalization")
    assert ended.code == 0, ended.err
    assert ": 1 verdict\n" in ended.out


class Bedrock(http.server.BaseHTTPRequestHandler):
    """Answers as Bedrock does, and remembers by whom and where it was meant to be."""

    asked = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Bedrock.asked.append((self.headers["Authorization"], self.path, body))
        text = "Bye. TERMINATE" if body["inferenceConfig"]["temperature"] == 0.5 else "Done."
        answer = json.dumps({"output": {"message": {"role": "assistant", "content": [{"text": text}]}},
                             "stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 1}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("words, region", [((), "us-east-1"), (("-r", "eu-north-1"), "eu-north-1"),
                                           (("-bedrock_region", "ap-south-1"), "ap-south-1")])
def test_the_region_and_the_short_names_are_bedrocks(personascope, words, region):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bedrock)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Bedrock.asked.clear()
    env = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret",
           "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": f"http://127.0.0.1:{server.server_address[1]}"}
    begun = personascope("lens", "generate_dialogue", "-s", "0", "-e", "0", "--limit", "1", *words,
                         "-m", "llama-3-1-8b-instruct-v1", "-u", "claude-3-haiku-v1", "--max-calls", "1", env=env)
    assert begun.code == 1, begun.err
    ended = personascope("resume", "1", "--max-calls", "9", env=env)  # the region is kept with the run
    server.shutdown()
    server.server_close()
    assert ended.code == 0, ended.err
    assert [path for _, path, _ in Bedrock.asked] == [
        "/model/us.anthropic.claude-3-haiku-20240307-v1%3A0/converse", "/model/us.meta.llama3-1-8b-instruct-v1%3A0/converse"]
    assert all(f"/{region}/bedrock/aws4_request" in authorization for authorization, _, _ in Bedrock.asked)
    assert (personascope.folder / "output/dialogue/user0/llama-3-1-8b-instruct-v1").is_dir()


def test_the_whole_chain_on_the_embedded_model(personascope):
    ended = personascope("lens", "run", "--limit", "1", "--max-turns", "2", "--max-output-tokens", "40",
                         "--dimension", "all", "--reader", "embedded/smollm2-135m", "--output", "out", "--json", timeout=300)
    assert ended.code == 0, ended.err
    found = ended.json()
    assert found["dialogues"]["held"] == 1
    assert 1 <= found["dimensions"]["personalization"]["mean"] <= 4
    assert found["lift"]["turns"] >= 1


def test_gather_takes_a_domain_and_lists_low_verdicts_with_their_reasons(personascope, models):
    low = script(personascope, "low.yaml", ("*", "She asked for poems and got a car.\nVerdict: 1"))
    ended = lens(personascope, models | {"judge": low}, "run", "--users", "0-3", "--task", "ps-Books-1", "--task", "ps-Alarm-1",
                 "--dimension", "personalization")
    assert ended.code == 0, ended.err
    shown = personascope("lens", "gather", "1", "--domain", "books")
    assert shown.code == 0, shown.err
    rows = [row for row in shown.out.splitlines() if row.startswith("  user ")]
    assert rows and all(row.endswith("task ps-Books-1: 1") for row in rows), shown.out
    assert shown.out.count("    She asked for poems and got a car.") == len(rows)
    assert f"judged by {low}: " in shown.out, "by its name, not by its folder's"
    assert personascope("lens", "gather", "1", "--domain", "Zoo").code == 2


def test_gather_tells_cannot_assess_from_what_is_unreadable(personascope, models):
    for number, (words, said) in enumerate((("The dialogue is empty.\nVerdict: cannot assess", "cannot assess"),
                                            ("I am not sure.", "unreadable")), 1):
        judge = script(personascope, f"judge{number}.yaml", ("*", words))
        lens(personascope, models | {"judge": judge}, "run", "--users", "0", "--task", "ps-Books-1",
             "--dimension", "personalization", "--canaries", "0")
        shown = personascope("lens", "gather", str(number))
        assert f": 1 verdict, 1 {said}\n" in shown.out, shown.out + shown.err
        assert f"task ps-Books-1: {said}\n    {words.splitlines()[0]}" in shown.out
