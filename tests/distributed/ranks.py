"""How tests start the processes of an MPI job."""
import os
import pathlib
import signal
import subprocess
import time

from hang import HANG

PROGRAM = os.environ["HUSHWALK_MPI"]
MANY = [2] + ([1, 3, 4] if "HUSHWALK_ALL_RANKS" in os.environ else [])
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
                            "OMPI_MCA_plm_rsh_agent": "/bin/false"}


def command(processes, *arguments):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(processes), PROGRAM, *map(str, arguments)]


def mpi(processes, *arguments, code=0, **options):
    done = subprocess.run(command(processes, *arguments), capture_output=True, text=True, timeout=HANG,
                          stdin=subprocess.DEVNULL, env=ENVIRONMENT, **options)
    assert code in (None, done.returncode), (arguments, done.returncode, done.stdout, done.stderr)
    return done


def children_of(launcher):
    try:
        return [int(pid) for task in pathlib.Path(f"/proc/{launcher}/task").iterdir() for pid in (task / "children").read_text().split()]
    except FileNotFoundError:
        return []


class Interrupted:
    """A job that loses one of its processes, or is interrupted, before it ends: tried earlier each time that it was over before."""

    def __init__(self, arguments, processes, after, which, prepare, signals=(signal.SIGKILL,)):
        self.tries = 0
        while True:
            self.folder, self.tries = prepare(self.tries), self.tries + 1
            job = subprocess.Popen(command(processes, *arguments), cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while len(children_of(job.pid)) < processes and job.poll() is None:
                time.sleep(0.01)
            time.sleep(after)
            children, sent = children_of(job.pid), signals[which % len(signals)]
            if sent == signal.SIGINT:
                job.send_signal(sent)
            elif children:
                os.kill(children[which % len(children)], sent)
            self.output, self.errors = job.communicate(timeout=HANG)
            if job.returncode != 0:
                return
            after /= 2
