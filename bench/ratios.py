#!/usr/bin/env python3
"""Runs the benchmarks and prints how hushwalk compares with its peers, as ratios of the same run.

    python3 bench/ratios.py build/release/bench [--only diffusion|import] [--repetitions N]

Repetitions of all contestants are interleaved at random and the best of each counts, because whatever else
a machine does can only slow a run down.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def run(binary, repetitions, min_time):
    """The rows of all repetitions."""
    command = [binary, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [row for row in json.loads(output)["benchmarks"] if row["run_type"] == "iteration"]


def best(rows, key_of, time_of):
    times = {}
    for row in rows:
        key = key_of(row)
        times[key] = min(times.get(key, float("inf")), time_of(row, key))
    return times


# --- diffusion: lazy PPR beside Eigen and SuiteSparse:GraphBLAS -------------------------------------------------


def diffusion_key(row):
    contestant, seeds, threads = row["name"].split("/")[:3]
    return contestant, int(seeds.split(":")[1]), int(threads.split(":")[1])


def diffusion_time(row, key):
    """Milliseconds per seed: of the processor with one thread, which other processes disturb least, else real."""
    return row["cpu_time" if key[2] == 1 else "real_time"] / key[1]


def report_diffusion(folder, repetitions):
    times = best(run(folder / "diffusion_bench", repetitions, 0.1), diffusion_key, diffusion_time)
    ours = times["hushwalk", 1, 1]
    peer = min(ms for (name, _, threads), ms in times.items() if name != "hushwalk" and threads == 1)
    print(f"{'':18} {'seeds':>5} {'threads':>7} {'ms per seed':>11} {'ratio':>6}")
    for key, ms in sorted(times.items(), key=lambda item: (item[0][2], item[0][1], item[1])):
        name, seeds, threads = key
        print(f"{name:18} {seeds:5} {threads:7} {ms:11.2f} {ms / ours:6.2f}")
    print("ratio: time per seed / that of hushwalk with one seed and one thread")
    print(f"diffusion, one seed, one thread: {peer / ours:.2f} times as fast as the fastest peer (target: at least 1)\n")


# --- import: 15 million edges beside a loop that only parses -----------------------------------------------------


def report_import(folder, repetitions):
    rows = run(folder / "import_bench", repetitions, 0)
    times = best(rows, lambda row: tuple(row["name"].split("/")[:2]), lambda row, _: row["real_time"])
    for text in ("sorted.txt", "shuffled.txt"):
        parse, full = times["parse", text], times["import", text]
        print(f"import of 15 million edges, {text}: {full:.0f} ms, {full / parse:.2f} times "
              f"the {parse:.0f} ms of a one-thread loop that only parses (target: at most 5)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the benchmarks were built")
    parser.add_argument("--only", choices=["diffusion", "import"])
    parser.add_argument("--repetitions", type=int, default=15)
    arguments = parser.parse_args()
    if arguments.only != "import":
        report_diffusion(arguments.folder, arguments.repetitions)
    if arguments.only != "diffusion":
        report_import(arguments.folder, arguments.repetitions)


if __name__ == "__main__":
    sys.exit(main())
