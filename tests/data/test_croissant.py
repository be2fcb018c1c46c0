"""The metadata of each folder is up to date, and valid by Croissant's own validator where it is installed."""

import importlib.machinery
import importlib.util
import json
import pathlib

import pytest
from content_checks import DATA

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/make-croissant"
FOLDERS = ["gym", "bench", "lens", "exam"]


def load_script():
    loader = importlib.machinery.SourceFileLoader("make_croissant", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_croissant", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_metadata_is_up_to_date(folder):
    assert (DATA / folder / "croissant.json").read_text(encoding="utf-8") == load_script().render(folder), \
        "run scripts/make-croissant"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_and_every_line_file_is_described(folder):
    described = json.loads((DATA / folder / "croissant.json").read_text(encoding="utf-8"))
    files = {row["contentUrl"] for row in described["distribution"]}
    assert {path.name for path in (DATA / folder).iterdir() if path.is_file()} - files == {"croissant.json"}
    assert {row["name"] for row in described["recordSet"]} == {path.stem for path in (DATA / folder).glob("*.jsonl")}
    assert all(any(field["name"] == "id" for field in row["field"]) for row in described["recordSet"])


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_validator_accepts_it(folder):
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(jsonld=str(DATA / folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    name = dataset.metadata.record_sets[0].id
    first = next(iter(dataset.records(record_set=name)))
    assert first[f"{name}/id"]


@pytest.mark.parametrize("folder", ["", *(f"{name}/" for name in [*FOLDERS, "rubrics"])])
def test_every_folder_has_the_canary(folder):
    text = (DATA / f"{folder}CANARY").read_text(encoding="utf-8")
    assert text == (DATA / "CANARY").read_text(encoding="utf-8") and "canary GUID" in text


def test_both_licences_are_named():
    root = DATA.parent
    for name in ("NOTICE", "README.md", "data/LICENSE"):
        text = (root / name).read_text(encoding="utf-8")
        assert "Apache License" in text and "CC BY 4.0" in text, name
