"""The parts of the gym's private split fit together, whatever the seed draws."""

import re

import pytest
from content_checks import BANNED, DATA, GYM_TASKS, words, load_jsonl

yaml = pytest.importorskip("yaml")
PARTS = yaml.safe_load((DATA / "gym/private.yaml").read_text(encoding="utf-8"))
WORKS = PARTS["people"]["works"]
LISTS = {**{name: PARTS["people"][name] for name in ("places", "habits", "convictions", "surprises")}, **PARTS["scenes"]}


def every_frame():
    return [(task, frame) for task, frames in PARTS["frames"].items() for frame in frames]


def test_there_is_enough_to_draw_from():
    assert set(PARTS["frames"]) == set(GYM_TASKS)
    assert all(len(set(frames)) == len(frames) >= 12 for frames in PARTS["frames"].values())
    assert len({work["work"] for work in WORKS}) == len(WORKS) >= 20
    assert all(len(set(texts)) == len(texts) >= 6 for texts in LISTS.values())


def test_every_work_has_every_word_and_ages_at_which_it_is_done():
    for work in WORKS:
        assert set(work) == set(WORKS[0]), work["work"]
        assert 18 <= work["from"] < work["until"] <= 90, work["work"]


def test_every_gap_is_filled_and_every_list_is_used():
    known = {"place", *PARTS["scenes"], *(name for name in WORKS[0] if isinstance(WORKS[0][name], str))}
    gaps = {gap for _, frame in every_frame() for gap in re.findall(r"\{(\w+)\}", frame)}
    assert gaps <= known and set(PARTS["scenes"]) <= gaps
    assert set(re.findall(r"\{(\w+)\}", PARTS["people"]["persona"])) == {
        "age", "work", "place", "habit", "conviction", "surprise"}


def test_the_frames_ask_and_banned_words_are_absent():
    for task, frame in every_frame():
        assert frame.endswith("?") or task == "linguistic-habits" and frame.endswith("."), frame
    texts = [frame for _, frame in every_frame()] + [text for texts in LISTS.values() for text in texts]
    assert not [text for text in texts if BANNED & set(words(text))]
    for sentences in ("habits", "convictions", "surprises"):
        assert all(text[0].isupper() and text.endswith(".") for text in LISTS[sentences])


def test_no_frame_is_a_shipped_question():
    shipped = {" ".join(words(row["question"])[:6]) for row in load_jsonl("gym/questions.jsonl")}
    assert not [frame for _, frame in every_frame() if " ".join(words(frame)[:6]) in shipped]
