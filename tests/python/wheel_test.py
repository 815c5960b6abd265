"""What is packed: a wheel that works in a fresh environment, and a source from which one can be made."""
import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Both, from a copy of the sources, so that nothing is written into them."""
    folder = tmp_path_factory.mktemp("packed")
    tree = folder / "tree"
    tracked = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=SOURCE, capture_output=True,
                             text=True, check=True).stdout.split("\0")
    for name in filter(None, tracked):
        if (SOURCE / name).exists() and not name.startswith(("tests/", "docs/")):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).symlink_to(SOURCE / name)
    done = subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", folder, tree],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_has_the_package_and_nothing_for_tests(packed):
    names = zipfile.ZipFile(packed[0]).namelist()
    package = {name.split("/")[1] for name in names if name.startswith("hushwalk/")}
    written = {path.name for path in (SOURCE / "python/hushwalk").iterdir() if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed"}
    modules = {name for name in package if name.endswith(".so")}
    assert package - modules == written and [name.split(".")[0] for name in modules] == ["_core"]
    assert not [name for name in names if "seeded" in name or "test" in name]


def test_the_sdist_has_every_source_that_the_module_is_built_from(packed):
    names = {name.split("/", 1)[1] for name in tarfile.open(packed[1]).getnames() if "/" in name}
    needed = {"CMakeLists.txt", "setup.py", "pyproject.toml", "LICENSE", "README.md", "src/layers.txt", "python/exports.map"}
    for room in ("include", "src", "cli", "cmake", "python"):
        needed |= {str(path.relative_to(SOURCE)) for path in (SOURCE / room).rglob("*")
                   if path.is_file() and path.suffix in (".cpp", ".h", ".py", ".pyi", ".cmake", ".txt", ".js", ".css", ".json", ".in")
                   and "__pycache__" not in path.parts}
    assert needed <= names, sorted(needed - names)[:10]
    assert not [name for name in names if "seeded" in name or name.startswith("build/")]


def test_the_wheel_works_in_a_fresh_environment(packed, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "venv"], check=True)
    site = next((tmp_path / "venv/lib").glob("python3*/site-packages"))
    zipfile.ZipFile(packed[0]).extractall(site)
    code = "import hushwalk; r = hushwalk.rank(hushwalk.generate('karate'), 1, epsilon=1); assert r.certificate.verify(); print(hushwalk.__file__)"
    done = subprocess.run([tmp_path / "venv/bin/python", "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout
