"""Types and documentation are true: stubtest, mypy, doctests."""
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


def run(*command, folder):
    environment = os.environ | {"MYPYPATH": os.environ["PYTHONPATH"]}
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_stub_of_the_core_is_what_the_core_is(tmp_path):
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-numpy.*]\nfollow_imports = skip\n")
    run("/usr/bin/stubtest", "hushwalk._core", "--mypy-config-file", "mypy.ini", folder=tmp_path)


def test_the_python_layer_is_typed(tmp_path):
    run(sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", tmp_path, SOURCE / "python/hushwalk",
        folder=tmp_path)


def test_every_example_in_the_documentation_is_true(tmp_path):
    package = pathlib.Path(os.environ["PYTHONPATH"].split(":")[0]) / "hushwalk"
    out = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", package, folder=tmp_path)
    assert int(out.split(" passed")[0].split()[-1]) >= 25


def test_every_public_name_has_a_docstring_with_an_example():
    import hushwalk
    shown = {"Error", "Failed", "UsageError", "Refused", "BudgetExceeded", "ImportNotice", "Verification", "RankedNode", "Plan",
             "Shared", "reproduce", "UNIT"}  # by the examples of others
    for name in hushwalk.__all__:
        thing = getattr(hushwalk, name)
        assert name == "UNIT" or thing.__doc__, name
        assert name in shown or ">>> " in thing.__doc__, name
