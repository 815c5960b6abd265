"""An engineer puts it into a nightly job: exit codes, JSON, files, pipes, no surprises on a terminal or without one."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journey")
    hushwalk("generate", "karate", "-o", "g.hwg", "--quiet", cwd=folder)
    hushwalk("ledger", "init", "--graph", "g.hwg", "--epsilon", 3, "-o", "L", "--quiet", cwd=folder)
    return folder


def test_the_promise_is_known_before_anything_is_spent(hushwalk, folder):
    plan = hushwalk.json("plan", "g.hwg", "--epsilon", 0.1, "--all", cwd=folder)
    assert plan["certificate"]["released"] is False and plan["alternative"]["mechanism"] == "twohop"
    assert plan["alternative"]["total_epsilon"] == pytest.approx(3.4) and plan["plan"]["total_epsilon"] == 0.1
    cost = hushwalk.json("ledger", "cost", "g.hwg", "--ledger", "L", "--all", "--epsilon", 0.1, cwd=folder)
    assert cost["fits"] and cost["cost"] == 0.1


def test_the_job_writes_a_file_for_each_and_can_run_again(hushwalk, folder):
    job = ["rank", "g.hwg", "--ledger", "L", "--all", "--epsilon", 0.1, "--output-dir", "out", "--quiet"]
    files = hushwalk.json(*job, cwd=folder)["files"]
    assert len(files) == 34 and {os.stat(folder / entry["file"]).st_mode & 0o777 for entry in files} == {0o600}
    first = {entry["file"]: json.loads((folder / entry["file"]).read_text())["rankings"] for entry in files}
    assert hushwalk(*job, cwd=folder).stderr == ""
    assert first == {entry["file"]: json.loads((folder / entry["file"]).read_text())["rankings"] for entry in files}
    assert hushwalk.json("ledger", "show", "L", cwd=folder)["spent"] == 0.1


def test_a_stream_of_lines(hushwalk, folder):
    text = hushwalk("rank", "g.hwg", "--ledger", "L", "--all", "--epsilon", 0.1, "--format", "jsonl", "--quiet", cwd=folder).stdout
    *rankings, last = map(json.loads, text.splitlines())
    assert len(rankings) == 34 and last["certificate"]["rankings"] == 34
    assert "holds" in hushwalk("verify-certificate", "-", input=text).stdout
    shown = subprocess.run(f"{os.environ['HUSHWALK']} rank g.hwg --all --exact --format jsonl --full | head -n 1", shell=True, cwd=folder,
                           capture_output=True, text=True)
    assert json.loads(shown.stdout)["seed"] == 1 and "Broken pipe" not in shown.stderr


def test_a_spent_budget_is_an_error_for_machines(hushwalk, folder):
    done = hushwalk("rank", "g.hwg", "--ledger", "L", "--seed", 1, "--epsilon", 5, "--json", "--quiet", code=3, cwd=folder)
    error = json.loads(done.stderr)["error"]
    assert done.stdout == "" and error["code"] == 3 and error["message"]
    done = hushwalk("rank", "g.hwg", "--ledger", "L", "--seeed", 1, "--json", "--quiet", code=2, cwd=folder)
    assert "did you mean '--seed'?" in json.loads(done.stderr)["error"]["remedy"]


def test_entries_for_the_warehouse(hushwalk, folder):
    entries = hushwalk.json("ledger", "export", "L", cwd=folder)["entries"]
    lines = hushwalk("ledger", "export", "L", cwd=folder).stdout.splitlines()
    assert entries == [json.loads(line) for line in lines] and entries[0]["kind"] == "init"
    assert "--json contradicts --format csv" in hushwalk("ledger", "export", "L", "--json", "--format", "csv", code=2, cwd=folder).stderr
