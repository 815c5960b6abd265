"""How tests start the processes of an MPI job."""
import os
import subprocess

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
    pids = subprocess.run(["ps", "-o", "pid=", "--ppid", str(launcher)], capture_output=True, text=True).stdout.split()
    return [int(pid) for pid in pids]
