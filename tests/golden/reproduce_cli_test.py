"""`reproduce` from the command line; tests/browser looks at its whole page."""
import csv

import pytest

CHEAP = ["distortion", "rdp-steps", "wasserstein", "datasets", "wrong-claims"]
MEASURES = ["ndcg", "recall", "new_ndcg", "new_recall"]
SAME_ROWS = ["ndcg", "recall", "new-ndcg", "new-recall"]
UTILITY = [*SAME_ROWS, "epsilon-needed", "users", "ablation", "noise-type", "eta-paper", "eta-pushflow"]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_figures_by_name_are_csv_files_and_one_page(hushwalk, tmp_path):
    out = tmp_path / "new" / "out"
    document = hushwalk.json("reproduce", *CHEAP, "--quick", "-o", out)
    assert sorted(path.name for path in out.iterdir()) == sorted([name + ".csv" for name in CHEAP] + ["report.html"])
    assert document["report"] == str(out / "report.html") and len(document["figures"]) == len(CHEAP)
    page = (out / "report.html").read_text()
    assert all(f'id="{name}"' in page for name in CHEAP) and 'id="ndcg"' not in page
    assert "hushwalk reproduce distortion --quick -o" in page
    assert hushwalk("reproduce", "distortion", "--quick", "-o", out).stdout == f"{out / 'report.html'}\n"  # it may exist


@pytest.fixture(scope="module")
def utility(hushwalk, tmp_path_factory):
    """The tables of all utility figures, of one run on a small graph."""
    folder = tmp_path_factory.mktemp("utility")
    hushwalk("generate", "chung-lu", "--nodes", 150, "--edges", 600, "--random-seed", 1, "-o", folder / "small.hwg")
    hushwalk("reproduce", *UTILITY, "eta-difference", "--quick", "--graphs", folder / "small.hwg", "-o", folder / "out")
    return {path.stem: rows(path) for path in (folder / "out").glob("*.csv")}


def numbers(table, column):
    return [float(row[column]) for row in table if row[column]]


@pytest.mark.parametrize("name", UTILITY)
def test_new_nodes_stand_beside_all_nodes_in_every_table_of_utility(utility, name):
    for measure in MEASURES:
        values = numbers(utility[name], measure)
        assert values and all(0 <= value <= 1 for value in values), measure
        assert len(numbers(utility[name], measure + "_ci")) == len(values), measure


def test_differences_are_of_all_four_measures(utility):
    for measure in MEASURES:
        values = numbers(utility["eta-difference"], measure + "_difference")
        assert values and all(-1 <= value <= 1 for value in values), measure


def test_nothing_is_measured_twice(utility):
    """Noise is fresh: what was measured again would differ."""
    assert all(utility[name] == utility["ndcg"] for name in SAME_ROWS)


def test_the_epsilon_needed_is_the_smallest_that_was_seen_to_be_enough(utility):
    for row in utility["epsilon-needed"]:
        for measure, needed in [("ndcg", "epsilon"), ("new_ndcg", "new_epsilon")]:
            enough = [float(seen["epsilon"]) for seen in utility["ndcg"]
                      if seen["mechanism"] == row["mechanism"] and seen[measure] and float(seen[measure]) >= float(row["wanted"])]
            assert row[needed] == "" if not enough else float(row[needed]) == min(enough), row


def test_help_lists_every_figure(hushwalk):
    text = hushwalk("reproduce", "--help").stdout
    assert all(name in text for name in [*CHEAP, "ndcg", "recall", "ablation", "eta-difference", "new-ndcg", "new-recall", "users"])
    assert "Figure 4" in text and "Table 1" in text and "hushwalk reproduce --quick -o out" in text


def test_wrong_names_write_nothing(hushwalk, tmp_path):
    out = tmp_path / "out"
    assert "choose from: distortion" in hushwalk("reproduce", "figure-4", "-o", out, code=2).stderr
    assert "choose from: blogcatalog" in hushwalk("reproduce", "--graphs", "karate", "-o", out, code=2).stderr
    assert "no folder" in hushwalk("reproduce", "--data", tmp_path / "none", "-o", out, code=1).stderr
    hushwalk("reproduce", "distortion", code=2)
    assert not out.exists()
    out.write_text("a file")
    assert "cannot make the folder" in hushwalk("reproduce", "distortion", "-o", out, code=1).stderr
    assert out.read_text() == "a file"


def test_a_graph_of_the_users_own_is_taken_and_not_mistaken_for_the_published_one(hushwalk, tmp_path):
    (tmp_path / "blogcatalog.txt").write_text("1 2\n2 3\n")
    hushwalk("reproduce", "datasets", "--quick", "--data", tmp_path, "-o", tmp_path / "out")
    (row,) = rows(tmp_path / "out" / "datasets.csv")
    assert (row["nodes"], row["edges"], row["published_edges"]) == ("3", "2", "333983")
    assert "not the published" in row["origin"]


def test_without_data_a_look_alike_is_generated_and_named_so(hushwalk, tmp_path):
    hushwalk("reproduce", "datasets", "--quick", "-o", tmp_path)
    (row,) = rows(tmp_path / "datasets.csv")
    assert row["nodes"] == "10312" and "look-alike" in row["origin"]


def test_the_noise_of_theorem_1_is_below_that_of_composition(hushwalk, tmp_path):
    hushwalk("reproduce", "noise-scale", "--quick", "-o", tmp_path)
    scales = {(row["epsilon"], row["accountant"]): float(row["laplace_scale"]) for row in rows(tmp_path / "noise-scale.csv")}
    for epsilon in ("0.01", "0.1", "1", "3"):
        assert 5 < scales[epsilon, "composition"] / scales[epsilon, "Theorem 1"] < 10
