"""A researcher wants to know how good the answers are on a graph of their own, at which price, and to see the paper's figures on it."""
import csv
import json

import pytest


@pytest.fixture(scope="module")
def folder(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journey")
    hushwalk("generate", "chung-lu", "--nodes", 300, "--edges", 2000, "-o", "mine.hwg", cwd=folder)
    return folder


def test_a_slip_of_the_pen(hushwalk, folder):
    assert "did you mean 'chung-lu'?" in hushwalk("generate", "chunglu", "-o", "x.hwg", code=2, cwd=folder).stderr
    assert "did you mean 'twohop'?" in hushwalk("evaluate", "mine.hwg", "--mechanism", "towhop", code=2, cwd=folder).stderr


def test_how_good_the_answers_are(hushwalk, folder):
    done = hushwalk("evaluate", "mine.hwg", "--mechanism", "auto,free,paper", "--epsilon", "0.1,1", "--seeds", 5, cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0].split()[:4] == ["mechanism", "epsilon", "eta", "ndcg"] and "not private" in done.stderr
    assert len({line.index("ndcg") if "ndcg" in line else None for line in lines[:1]}) == 1
    assert [line.split()[0] for line in lines[1:]] == ["free", "auto:", "paper", "auto:", "paper"]


def test_rows_for_the_notebook(hushwalk, folder):
    text = hushwalk("evaluate", "mine.hwg", "--mechanism", "free,twohop", "--seeds", 3, "--format", "jsonl", cwd=folder).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["mechanism"] for row in rows] == ["free", "twohop"] and rows[1]["ndcg"] > 0


def test_what_a_target_costs(hushwalk, folder):
    small = ["--proxy", "mine.hwg", "--seeds", 4, "--top", 20]
    free = hushwalk.json("tune", "--epsilon", 1, *small, cwd=folder)["free_ndcg"]
    assert "spend nothing" in hushwalk("tune", "--target-ndcg", f"{free / 2:.3f}", *small, cwd=folder).stdout
    assert "spend nothing" not in hushwalk("tune", "--target-ndcg", f"{(free + 3) / 4:.3f}", *small, cwd=folder).stdout


def test_the_papers_figures_on_a_graph_of_their_own(hushwalk, folder):
    done = hushwalk("reproduce", "datasets", "ndcg", "--quick", "--graphs", "mine.hwg", "-o", "report", cwd=folder)
    assert done.stdout == "report/report.html\n"
    with open(folder / "report" / "datasets.csv", newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["graph"], row["nodes"]) == ("mine.hwg", "300") and "your own graph" in row["origin"]
    with open(folder / "report" / "ndcg.csv", newline="", encoding="utf-8") as file:
        best = {row["mechanism"]: float(row["ndcg"]) for row in csv.DictReader(file) if row["epsilon"] == "1" and row["ndcg"]}
    page = (folder / "report" / "report.html").read_text()
    assert f"At ε = 1, twohop ranks with an NDCG of {best['twohop']:.2f}" in page, "the finding is made of this run's numbers"
    assert page.index("What this run found") < page.index('id="datasets"')
