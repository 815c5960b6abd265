"""What the README and the pages for beginners show works as it stands there."""
import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
README = (SOURCE / "README.md").read_text()


def blocks(language, text=README):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def run(script, hushwalk, folder):
    path = f"{pathlib.Path(hushwalk.program).parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PATH": path})
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_example_runs(hushwalk, tmp_path):
    printed = run(next(block for block in blocks("sh") if "hushwalk rank" in block), hushwalk, tmp_path)
    assert '"node":"eve"' in printed and "joe,1,eve," in printed


FOR_BEGINNERS = [SOURCE / "docs/getting-started.md", SOURCE / "docs/choosing.md", *sorted((SOURCE / "docs/howto").glob("*.md"))]


@pytest.mark.parametrize("page", FOR_BEGINNERS, ids=lambda page: page.stem)
def test_what_a_page_shows_runs(hushwalk, tmp_path, page):
    run("".join(blocks("sh", page.read_text())), hushwalk, tmp_path)


# Where a stranger reads how to make each journey.
PAGES_OF = {
    "data_scientist_test": ["getting-started.md", "howto/csv-to-ranking.md", "howto/everybody.md"],
    "privacy_officer_test": ["choosing.md", "howto/read-a-certificate.md"],
    "production_engineer_test": ["howto/nightly-job.md"],
    "researcher_test": ["howto/measure.md"],
}


def test_every_journey_has_its_pages():
    assert {journey.stem for journey in (SOURCE / "tests/journeys").glob("*_test.py")} == set(PAGES_OF)
    index = (SOURCE / "docs/index.md").read_text()
    assert all(page.removesuffix(".md") in index for pages in PAGES_OF.values() for page in pages)


@pytest.mark.parametrize("journey", sorted((SOURCE / "tests/journeys").glob("*_test.py")), ids=lambda journey: journey.stem)
def test_the_pages_of_a_journey_have_what_it_needs(journey):
    pages, text = "".join((SOURCE / "docs" / page).read_text() for page in PAGES_OF[journey.stem]), journey.read_text()
    commands = {" ".join(filter(None, words)) for words in re.findall(r'(?:hushwalk|hushwalk\.json|run)\("([a-z-]+)"(?:, "([a-z][a-z-]+)")?', text)}
    slips = {"generate chunglu", "--seeed"}  # mistakes on purpose
    slips |= {"info"} if journey.stem == "privacy_officer_test" else set()  # of a ledger: a mistake, too
    slips |= {"generate karate"}  # a graph to try it on
    assert commands and [command for command in commands - slips if f"hushwalk {command}" not in pages] == []
    assert [flag for flag in set(re.findall(r'"(--[a-z-]+)"', text)) - slips if flag not in pages] == []


def test_the_first_screen_is_short():
    assert len(README.splitlines()) <= 150


def test_the_commands_are_targets_of_the_makefile():
    targets = re.findall(r"^([a-z-]+):", (SOURCE / "Makefile").read_text(), re.M)
    assert set(re.findall(r"^make ([a-z-]+)", "".join(blocks("sh")), re.M)) <= set(targets)


def test_links_lead_somewhere():
    for page in [SOURCE / "README.md", *SOURCE.glob("docs/**/*.md"), SOURCE / "ARCHITECTURE.md", SOURCE / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
