"""What the Python tests share: the built command line, and real graphs where they exist."""
import json
import os
import pathlib
import subprocess

import pytest

from hang import HANG

PROGRAM = os.environ["HUSHWALK"]
SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


class CommandLine:
    program = PROGRAM

    def __call__(self, *arguments, code=0, **options):
        """Runs hushwalk and returns what it printed; the exit code must be as expected, None: any."""
        if not isinstance(options.get("input"), bytes):
            options.setdefault("text", True)
        options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
        if options["stdin"] is None:
            del options["stdin"]
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=HANG, **options)
        assert code in (None, done.returncode), (arguments, done.returncode, done.stdout, done.stderr)
        return done

    def json(self, *arguments, **options):
        return json.loads(self(*arguments, "--json", **options).stdout)


@pytest.fixture(scope="session")
def hushwalk():
    return CommandLine()


@pytest.fixture(scope="session")
def data():
    """The path of a real graph, or a skip."""
    folder = pathlib.Path(os.environ.get("HUSHWALK_DATA", SOURCE / ".." / "shared" / "data"))

    def find(name):
        if not (folder / name).exists():
            pytest.skip(f"{name} is not here: set HUSHWALK_DATA to a folder that has it")
        return folder / name

    return find
