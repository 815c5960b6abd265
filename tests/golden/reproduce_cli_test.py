"""`reproduce` from the command line; tests/browser looks at its whole page."""
import csv

CHEAP = ["distortion", "rdp-steps", "wasserstein", "datasets", "wrong-claims"]


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


def test_help_lists_every_figure(hushwalk):
    text = hushwalk("reproduce", "--help").stdout
    assert all(name in text for name in [*CHEAP, "ndcg", "recall", "ablation", "eta-difference", "users"])
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
