"""The documentation: built without a warning, every link leads somewhere, nothing comes from elsewhere, every page opens in Chromium."""
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

import pytest

from chromium import look_at

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", folder / "trees", SOURCE / "docs",
                           folder / "html"], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0 and done.stderr == "", done.stderr[-3000:]
    return folder / "html"


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and what can be linked to in it."""
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in ("canonical",) or tag in ("script", "img", "iframe", "object", "source"):
            self.loads += [values[name] for name in ("src", "href", "data") if values.get(name)]


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path.read_text()) for path in site.rglob("*.html") if "_static" not in path.parts}


def test_every_link_leads_somewhere(pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path.name}: {link}"
            fragment = urllib.parse.unquote(parts.fragment)
            assert not fragment or target not in pages or fragment in pages[target].ids, f"{path.name}: {link}"
            checked += 1
    assert checked > 1000


def test_no_page_loads_anything_from_elsewhere(site, pages):
    for path, page in pages.items():
        assert not [load for load in page.loads if re.match(r"(https?:)?//", load)], path.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import ['\"](https?:)?//", sheet.read_text()), sheet.name


@pytest.fixture(scope="module")
def seen(site):
    done = look_at("site.cjs", site)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_page_opens_without_a_complaint(seen, pages):
    assert len(seen) == len(pages) > 60
    for name, view in seen.items():
        assert view["faults"] == [], name
        assert name in ("genindex.html", "search.html", "py-modindex.html") or view["title"] and view["words"] > 200, name


def test_formulas_are_drawn_by_the_browser_itself(seen, pages):
    """The overview's and those of the notes' statements; no text of the notation they were written in is left over."""
    drawn = {name: view["formulas"] for name, view in seen.items() if view["formulas"]}
    assert len(drawn) >= 18 and len(drawn["math/overview.html"]) >= 6
    assert all(formula["width"] > 60 and formula["height"] > 10 for formulas in drawn.values() for formula in formulas)
    assert not [formula for formulas in drawn.values() for formula in formulas if "\\" in formula["text"] or "$" in formula["text"]]


def test_every_picture_is_drawn_and_described(seen):
    images = [image for view in seen.values() for image in view["images"]]
    assert {"one-answer.svg", "users.svg", "recommender.svg", "guess.svg", "twohop.svg"} <= {image["from"].split("/")[-1] for image in images}
    assert all(image["width"] > 100 and image["words"] for image in images)


def test_the_site_has_what_people_look_for(pages, site):
    text = {path.relative_to(site).as_posix(): path.read_text() for path in pages}
    assert "hushwalk ledger forget" in text["command-line.html"] and "--exclude-neighbors" in text["command-line.html"]
    assert 'id="hushwalk.rank"' in text["python-api.html"] and 'id="hushwalk.Ledger.create"' in text["python-api.html"]
    assert "register_mechanism" in text["api.html"] and "0.3.0" in text["changelog.html"]


def test_every_page_is_in_the_contents(site):
    contents = (site / "index.html").read_text()
    written = [path.relative_to(SOURCE / "docs").with_suffix(".html").as_posix() for path in (SOURCE / "docs").glob("**/*.md")]
    missing = [name for name in written if name != "index.html" and f'href="{name}"' not in contents]
    assert [name for name in missing if not name.startswith(("math/", "decisions/"))] == []


def test_pictures_are_those_of_the_figures(tmp_path):
    subprocess.run([sys.executable, SOURCE / "docs/pictures.py", tmp_path], check=True)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (SOURCE / "docs/pictures").iterdir() if path.name != "twohop.svg"}
    assert made == kept, "run docs/pictures.py"
