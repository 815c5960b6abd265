"""Runs a script that looks at pages in Chromium."""
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
PATIENCE = 3, 4, 6, 12  # minutes: more each time, for machines that are only slow; together below the limit for hangs


def look_at(script, folder):
    """What it printed. Chromium hangs now and then, on a loaded machine more often: then once more, from the beginning."""
    steps = os.environ | {"DEBUG": "pw:api"}  # on standard error
    for minutes in PATIENCE:
        try:
            return subprocess.run([os.environ["NODE"], HERE / script, folder], capture_output=True, text=True, timeout=60 * minutes, env=steps)
        except subprocess.TimeoutExpired as hung:
            print(f"Chromium hung after {minutes} minutes; its last steps:", str(hung.stderr)[-1000:])
    raise AssertionError("Chromium hung every time")
