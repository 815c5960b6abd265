"""Pages as people see them: one pass of Chromium over a page with everything, the same without plots, the demo's, and
the whole report of `reproduce --quick` on a small graph."""
import json
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest

from chromium import look_at


@pytest.fixture(scope="module")
def seen(hushwalk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([os.environ["HUSHWALK_SAMPLE_PAGE"], folder / "sample.html", folder / "bare.html"], check=True)
    hushwalk("demo", "-o", folder / "demo.html")
    hushwalk("generate", "blogcatalog-like", "--nodes", 300, "--edges", 2000, "-o", folder / "blogcatalog.hwg")
    hushwalk("reproduce", "--quick", "--data", folder, "-o", folder / "out")
    (folder / "out" / "report.html").rename(folder / "reproduction.html")
    done = look_at("look.cjs", folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def drawn(seen, file):
    views = [view for view in seen["drawn"] if view["file"] == file]
    assert {(view["width"], view["colorScheme"]) for view in views} == {(w, c) for w in (1280, 390) for c in ("light", "dark")}
    return views


@pytest.mark.parametrize("file, figures, plots", [("sample", 6, 8), ("demo", 4, 3), ("reproduction", 25, 28)])
def test_every_figure_is_drawn_in_its_place(seen, file, figures, plots):
    for view in drawn(seen, file):
        assert view["figures"] == figures and len(view["plots"]) == len(view["drawings"]) == plots
        for place, drawing in zip(view["plots"], view["drawings"]):
            assert drawing["height"] > 100 and place["width"] - 20 < drawing["width"] <= place["width"] + 1, view
        assert view["openDrawers"] == 0


@pytest.mark.parametrize("file", ["sample", "demo", "reproduction"])
def test_nothing_overflows(seen, file):
    for view in drawn(seen, file):
        assert view["overflow"] <= 0 and view["overflowWithTables"] <= 0, view["width"]


@pytest.mark.parametrize("file", ["sample", "demo", "reproduction"])
def test_legends_are_never_cut(seen, file):
    for view in drawn(seen, file):
        labels = [label | {"edge": plot["right"]} for plot in view["legends"] for label in plot["labels"]]
        assert labels and not any("…" in label["text"] for label in labels)
        assert all(label["right"] <= label["edge"] + 1 for label in labels), (view["width"], max(labels, key=lambda l: l["right"] - l["edge"]))
        if file == "sample":
            assert any(label["text"].replace(" ", "") == "Theorem2asprinted(wrong)" for label in labels)


def test_shares_end_at_one_and_differences_have_a_zero(seen):
    for view in drawn(seen, "reproduction"):
        assert max(map(float, view["ndcg"])) == 1
        numbers = [float(text.replace("−", "-")) for text in view["difference"]]
        assert 0 in numbers and min(numbers) == -max(numbers) < 0


def test_hidden_curves_are_named_and_tables_show_that_they_scroll(seen):
    for view in drawn(seen, "sample"):
        assert [note for note in view["notes"] if "lie on" in note] == ["its twin and plain composition lie on each other."]
        assert view["shadows"]


def test_the_report_begins_with_six_findings(seen):
    view = drawn(seen, "reproduction")[0]
    assert view["ids"][:6] == ["found-quality", "found-price", "found-news", "found-new-recall", "found-users", "found-attack"]
    assert all(re.search(r"[0-9]", title) and title.endswith(".") for title in view["titles"][:6])


def test_the_demo_draws_the_club(seen):
    for view in drawn(seen, "demo"):
        assert view["ids"][0] == "club" and view["clubNames"].count("34") == 2 and view["clubLinks"] == 2 * 78


def test_nothing_is_fetched_and_nothing_complains(seen):
    for view in [*seen["drawn"], seen["withoutJavaScript"], seen["withoutPlots"], seen["exported"], seen["themed"]]:
        assert view["faults"] == []


@pytest.mark.parametrize("file", ["sample", "demo", "reproduction"])
def test_everybody_can_read_it(seen, file):
    """axe-core finds nothing, with all tables open, light and dark."""
    results = {view["colorScheme"]: view["violations"] for view in drawn(seen, file) if "violations" in view}
    assert results == {"light": [], "dark": []}


def test_light_and_dark_follow_the_system(seen):
    colours = {view["colorScheme"]: view["background"] for view in drawn(seen, "sample")}
    assert colours == {"light": "rgb(253, 253, 251)", "dark": "rgb(22, 24, 27)"}


def test_the_button_changes_page_and_plots(seen):
    before, after = seen["themed"]["before"], seen["themed"]["after"]
    assert all(before[part] and before[part] != after[part] for part in ("page", "line", "label")), (before, after)


def test_plots_follow_the_width_of_the_window(seen):
    narrowed = seen["themed"]["narrowed"]
    assert narrowed["overflow"] <= 0 and len(narrowed["drawings"]) == 8
    assert all(drawing["width"] <= 350 for drawing in narrowed["drawings"])


@pytest.mark.parametrize("view", ["withoutJavaScript", "withoutPlots"])
def test_tables_are_there_without_plots(seen, view):
    view = seen[view]
    assert len(view["tables"]) == 6 and all(table["height"] > 60 and table["width"] > 100 for table in view["tables"])
    assert all(plot["height"] == 0 for plot in view["plots"])
    assert view["overflow"] <= 0


def test_plots_are_saved_from_their_menu(seen):
    exported = seen["exported"]
    assert exported["links"] == ["Save as SVG", "Save as PNG"]
    assert exported["svg"]["name"] == "theorem-2.svg" and exported["png"]["name"] == "theorem-2.png"
    svg = xml.etree.ElementTree.fromstring(exported["svg"]["text"])
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert "Theorem 2 as printed (wrong)" in "".join(svg.itertext())
    assert exported["png"]["text"] == "\x89PNG\r\n\x1a\n"


def test_tables_are_saved_as_csv(seen):
    csv = seen["exported"]["csv"]
    assert csv["name"] == "plain.csv" and csv["text"].startswith("name,value,column_0,") and "nodes,10312," in csv["text"]


def test_names_are_never_markup(seen):
    assert all(view["markup"] == 0 for view in seen["drawn"])


def test_the_policy_stops_a_script_that_came_in(seen):
    assert seen["intruder"]["ran"] is None
    assert any("Content Security Policy" in fault for fault in seen["intruder"]["faults"])
