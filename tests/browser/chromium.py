"""Runs a script that looks at pages in Chromium."""
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
PATIENCE = 8 * 60  # seconds; ten times what it takes on an idle machine, and three times this is below the limit for hangs


def look_at(script, folder):
    """What it printed. Chromium hangs now and then before a page, of ours or not, is there: then once more, from the beginning."""
    for attempt in range(3):
        try:
            return subprocess.run([os.environ["NODE"], HERE / script, folder], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            print(f"Chromium hung, attempt {attempt + 1}")
    raise AssertionError("Chromium hung three times")
