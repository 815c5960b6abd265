"""Runs a script that looks at pages in Chromium."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from hang import HANG

HERE = pathlib.Path(__file__).parent
TRIES = 4
STILL = HANG / 5  # seconds without a step


def look_at(script, folder):
    """What it printed. Chromium hangs now and then, on a loaded machine more often: then once more, from the beginning. It hangs
    when nothing happens any more, however long the steps before took."""
    for _ in range(TRIES):
        with tempfile.TemporaryFile() as steps, tempfile.TemporaryFile() as said:
            process = subprocess.Popen([os.environ["NODE"], HERE / script, folder], stdout=said, stderr=steps, start_new_session=True, env=os.environ | {"DEBUG": "pw:api"})
            size, last = 0, time.monotonic()
            while process.poll() is None and time.monotonic() - last < STILL:
                time.sleep(0.1)
                if (now := os.fstat(steps.fileno()).st_size) != size:
                    size, last = now, time.monotonic()
            hangs = process.poll() is None
            if hangs:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            steps.seek(0), said.seek(0)
            errors, output = steps.read().decode(errors="replace"), said.read().decode(errors="replace")
            if not hangs:
                return subprocess.CompletedProcess(process.args, process.returncode, output, errors)
            print(f"Chromium hung; its last steps: {errors[-1000:]}")
    raise AssertionError("Chromium hung every time")
