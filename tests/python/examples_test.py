"""Every example runs as it stands: scripts, notebooks, and what the README and the documentation show."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
EXAMPLES = SOURCE / "examples"
ENVIRONMENT = os.environ | {"MPLBACKEND": "Agg"}


def run(*command, folder):
    done = subprocess.run([sys.executable, *map(str, command)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_a_script_runs(script, tmp_path):
    assert run(script, folder=tmp_path)
    assert list(tmp_path.iterdir()) == [], "it leaves nothing behind"


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_run(notebook, tmp_path):
    """In a kernel with HUSHWALK_NOTEBOOKS, which takes longer; else as a script."""
    document = json.loads(notebook.read_text())
    assert all(not cell.get("outputs") for cell in document["cells"]), "notebooks are kept without outputs"
    if "HUSHWALK_NOTEBOOKS" in os.environ:
        run("-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", tmp_path, notebook, folder=tmp_path)
        return
    code = "\n".join("".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code")
    (tmp_path / "notebook.py").write_text(code)
    run("notebook.py", folder=tmp_path)


def test_three_notebooks_and_every_script_are_listed():
    listed = (EXAMPLES / "README.md").read_text()
    files = [path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")]
    assert all(f"`{name}`" in listed for name in files) and sum(name.endswith(".ipynb") for name in files) == 3


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/getting-started.md", "docs/howto/everybody.md"])
def test_what_a_page_shows_in_python_runs(page, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(), re.M | re.S)
    assert blocks
    (tmp_path / "page.py").write_text("\n".join(blocks))
    said = " ".join(run("page.py", folder=tmp_path).split())
    if page == "README.md":  # what a new user may say about the answer, in the words of its certificate
        assert "What matters to 17: epsilon 1, personalized scope" in said and "rank node score" in said
        assert "Protected: every single edge that does not touch the seed. Privacy: epsilon = 1 (pure)." in said
        assert "Meaning: for somebody who knows all other edges, an answer changes the odds" in said and "at most 2.719" in said
        assert "For whom: the owner of the seed only" in said and "Counted: no ledger charged it" in said


def test_the_readme_translates_networkx_as_the_table_does():
    """Word by word, so that whoever copies the line gets what networkx gives, but for the noise."""
    there, here = re.search(r"^# (nx\.pagerank\(.*?\)),.*\nresult = hushwalk\.(rank.*)", (SOURCE / "README.md").read_text(), re.M).groups()
    assert there == "nx.pagerank(friends, alpha=0.85, personalization={17: 1})"
    assert here.startswith('rank(graph, 17, epsilon=1.0, diffusion="pagerank", beta=0.85,')
    assert 'nx.pagerank(G, alpha=0.85, personalization={a: 1})` | `rank(graph, a, epsilon=1, diffusion="pagerank", beta=0.85' in (SOURCE / "docs/python.md").read_text()
