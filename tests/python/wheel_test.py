"""What is packed: a wheel that works in a fresh environment, and a source from which one can be made."""
import os
import pathlib
import subprocess
import sys
import sysconfig
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
        if (SOURCE / name).exists() and (name.startswith("docs/schema/") or not name.startswith(("tests/", "docs/"))):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).symlink_to(SOURCE / name)
    stale = tree / f"build/lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}/hushwalk/_of_an_earlier_version.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
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
    for room in ("include", "src", "cli", "service", "cmake", "python", "docs/schema"):
        needed |= {str(path.relative_to(SOURCE)) for path in (SOURCE / room).rglob("*")
                   if path.is_file() and path.suffix in (".cpp", ".h", ".py", ".pyi", ".cmake", ".txt", ".js", ".css", ".json", ".in")
                   and "__pycache__" not in path.parts}
    assert needed <= names, sorted(needed - names)[:10]
    assert not [name for name in names if "seeded" in name or name.startswith("build/")]


def ranks_in_a_fresh_environment(wheel, folder):
    """With the two commands of the README. Nothing of the build that runs this test is seen: neither its module nor its environment."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    readme = (SOURCE / "README.md").read_text()
    assert "-m venv --system-site-packages env && env/bin/pip install --no-index build/dist/hushwalk-*.whl" in readme
    for command in ([sys.executable, "-m", "venv", "--system-site-packages", folder / "venv"],
                    [folder / "venv/bin/pip", "install", "--no-index", wheel]):
        done = subprocess.run(command, capture_output=True, text=True, env=environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Successfully installed hushwalk-" in done.stdout
    code = "import hushwalk; r = hushwalk.rank(hushwalk.generate('karate'), 1, epsilon=1); assert r.certificate.verify(); print(hushwalk.__file__)"
    done = subprocess.run([folder / "venv/bin/python", "-c", code], capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return str(folder) in done.stdout


def test_the_wheel_works_in_a_fresh_environment(packed, tmp_path):
    assert ranks_in_a_fresh_environment(packed[0], tmp_path)


@pytest.fixture
def unpacked(packed, tmp_path):
    tarfile.open(packed[1]).extractall(tmp_path)
    [folder] = tmp_path.glob("hushwalk-*")
    return folder


def test_the_sdist_alone_can_be_configured_and_has_all_that_the_build_names(unpacked, tmp_path):
    """CMake looks for every file that a target names; what is included by the sources is compiled below."""
    configure = ["cmake", "-S", unpacked, "-B", tmp_path / "build", "-G", "Ninja", "-DHUSHWALK_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    done = subprocess.run(configure, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    included = {line.split('"')[1] for room in ("src", "python/src", "cli", "service") for path in (SOURCE / room).rglob("*.[ch]*") if path.suffix in (".cpp", ".h")
                for line in path.read_text().splitlines() if line.startswith('#include "')}
    rooms = [unpacked / room for room in (".", "src", "include", "python/src", "cli", "cli/verbs", "service")]
    assert included and not [name for name in included if not any((room / name).exists() for room in rooms)]


@pytest.mark.skipif("HUSHWALK_WHEEL_FROM_SDIST" not in os.environ, reason="minutes: set HUSHWALK_WHEEL_FROM_SDIST=1, as make test-slow does")
def test_a_wheel_made_from_the_sdist_alone_works(unpacked, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("HUSHWALK_BUILD", "HUSHWALK_SOURCE", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "made", unpacked],
                          capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    [wheel] = (tmp_path / "made").glob("*.whl")
    assert ranks_in_a_fresh_environment(wheel, tmp_path)
