#!/usr/bin/env python3
"""Runs the benchmarks and prints how hushwalk compares with its peers, as ratios of the same run.

    python3 bench/ratios.py build/release/bench [--only diffusion|graph-file|import|ledger|noise|python|service] [--repetitions N] [--previous COMMIT]
                            [--graph NAME|FILE.hwg]... [--alone]

--previous COMMIT: builds the sampler and the diffusions of that commit, too, in build/previous; both then run in turn.
--graph: what to diffuse on, a preset or a graph file; blogcatalog-like by default. --alone: without peers, for large ones.

Repetitions of all contestants are interleaved at random and the best of each counts, because whatever else
a machine does can only slow a run down.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time


def run(binary, repetitions, min_time, name=".", arguments=()):
    """The rows of all repetitions of the benchmarks with such a name."""
    command = [binary, *arguments, f"--benchmark_filter={name}", "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
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


def diffusion_times(folder, repetitions, arguments, name="."):
    return best(run(folder / "diffusion_bench", repetitions, 0.1, name, arguments), diffusion_key, diffusion_time)


def report_previous_diffusion(folder, previous, repetitions, arguments):
    """Both in turn, one thread."""
    ours, theirs = {}, {}
    for _ in range(repetitions):
        for times, where in (ours, folder), (theirs, previous):
            for key, ms in diffusion_times(where, 1, arguments, "hushwalk/.*threads:1").items():
                times[key] = min(times.get(key, ms), ms)
    for key in sorted(ours, key=lambda key: key[1]):
        print(f"diffusion on {arguments[0]}, {key[1]} seeds, one thread: {theirs[key] / ours[key]:.2f} times as fast as before")


def report_one_diffusion(times, graph):
    ours = times["hushwalk", 1, 1]
    print(f"{graph:18} {'seeds':>5} {'threads':>7} {'ms per seed':>11} {'ratio':>6}")
    for key, ms in sorted(times.items(), key=lambda item: (item[0][2], item[0][1], item[1])):
        name, seeds, threads = key
        print(f"{name:18} {seeds:5} {threads:7} {ms:11.2f} {ms / ours:6.2f}")
    print("ratio: time per seed / that of hushwalk with one seed and one thread")
    for width, call in (1, "mxv, or Eigen"), (16, "mxm of the same width"):
        peers = [ms for (name, seeds, threads), ms in times.items() if name != "hushwalk" and seeds == width and threads == 1]
        if peers:
            print(f"diffusion on {graph}, {width} seeds, one thread: {min(peers) / times['hushwalk', width, 1]:.2f} times as fast as "
                  f"the fastest peer (GraphBLAS {call}; target: at least 2)")


def report_diffusion(folder, repetitions, previous=None, graphs=(), alone=False):
    before = build_previous(previous, "diffusion_bench") if previous else None
    for graph in graphs or ["blogcatalog-like"]:
        report_one_diffusion(diffusion_times(folder, repetitions, [graph, "alone"] if alone else [graph]), graph)
        if before:
            report_previous_diffusion(folder, before, repetitions, [graph, "alone"])
        print()


# --- import: 15 million edges beside a loop that only parses -----------------------------------------------------


def report_import(folder, repetitions):
    rows = run(folder / "import_bench", repetitions, 0)
    times = best(rows, lambda row: tuple(row["name"].split("/")[:2]), lambda row, _: row["real_time"])
    for text in ("sorted.txt", "shuffled.txt"):
        parse, full = times["parse", text], times["import", text]
        print(f"import of 15 million edges, {text}: {full:.0f} ms, {full / parse:.2f} times "
              f"the {parse:.0f} ms of a one-thread loop that only parses (target: at most 5)")


# --- noise: discrete Laplace of scale 2^40 beside NumPy's continuous one and a straightforward exact one ----------


def numpy_laplace(rounds, count=1 << 20):
    """The best time of NumPy's float Laplace, in nanoseconds per sample."""
    import numpy
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    fastest = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        generator.laplace(0.0, 2.0**40, count)
        fastest = min(fastest, time.process_time() - start)
    return fastest / count * 1e9


def noise_times(folder, repetitions, name="."):
    rows = [row for row in run(folder / "noise_bench", repetitions, 0.05, name) if "items_per_second" in row]
    return best(rows, lambda row: row["name"], lambda row, _: 1e9 / row["items_per_second"])


def build_previous(commit, target):
    """The folder of the benchmarks of a commit."""
    tree = pathlib.Path("build/previous").resolve()
    subprocess.run(["git", "worktree", "remove", "--force", tree], stderr=subprocess.DEVNULL)
    subprocess.run(["git", "worktree", "add", "--quiet", "--force", "--detach", tree, commit], check=True)
    if target == "diffusion_bench":  # which needs public headers only: the library of that commit, measured as ours is
        ours = pathlib.Path(__file__).parent
        shutil.copytree(ours / "peers", tree / "bench/peers", dirs_exist_ok=True)
        for name in ("diffusion_bench.cpp", "bench_graph.cpp", "bench_graph.h"):
            shutil.copy(ours / name, tree / "bench" / name)
    subprocess.run(["cmake", "--preset", "release", "-DHUSHWALK_BENCH=ON"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build/release", "--target", target], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return tree / "build/release/bench"


def report_previous_noise(folder, commit, repetitions):
    """Both in turn, because a machine is faster at one time than at another."""
    previous = build_previous(commit, "noise_bench")
    ours = theirs = float("inf")
    for _ in range(repetitions):
        ours = min(ours, noise_times(folder, 1, "hushwalk_laplace")["hushwalk_laplace"])
        theirs = min(theirs, noise_times(previous, 1, "hushwalk_laplace")["hushwalk_laplace"])
    print(f"noise: {theirs / ours:.2f} times as fast as the sampler of {commit} (target: at least 0.9)")


def report_noise(folder, repetitions, previous=None):
    numpy_before = numpy_laplace(repetitions)
    times = noise_times(folder, repetitions)
    ours = times["hushwalk_laplace"]
    times["numpy_laplace"] = min(numpy_before, numpy_laplace(repetitions))
    for name, ns in sorted(times.items(), key=lambda item: item[1]):
        print(f"{name:18} {ns:8.2f} ns each {ns / ours:6.2f}")
    print("ratio: time / that of hushwalk's exact discrete Laplace, one thread, scale 2^40")
    print(f"noise: {times['numpy_laplace'] / ours:.2f} times as fast as NumPy's float Laplace (target: at least 0.6), "
          f"{times['cks_laplace'] / ours:.2f} times a straightforward Canonne-Kamath-Steinke (target: at least 5), by address "
          f"{times['stream_laplace'] / ours:.2f} times as fast as from a stream (target: at least 0.9)")
    if previous:
        report_previous_noise(folder, previous, repetitions)
    print()


# --- ledger: with a thousand answers and with a million ---------------------------------------------------------------


def report_ledger(folder, repetitions):
    del repetitions
    print(subprocess.run([folder / "ledger_bench"], check=True, capture_output=True, text=True).stdout)


# --- graph file: checking 600 MB beside reading them -------------------------------------------------------------


def report_graph_file(folder, repetitions):
    rows = run(folder / "graph_file_bench", repetitions, 0.2)
    times = best(rows, lambda row: row["name"].split("/")[0], lambda row, _: row["real_time"])
    print(f"graph file: checked at {times['read_whole'] / times['check_whole']:.2f} times the speed at which read(2) reads it "
          "from the page cache, with two threads each (target: at least 0.7)")
    [row] = [row for row in rows if row["name"].startswith("open_one_row")][:1]
    print(f"graph file: opening it and reading one row of {row['degree']:.0f} nodes touches {row['touched'] / 1e6:.2f} MB of it "
          "(target: less than 1)\n")


# --- Python: a release from Python beside the same by the C++ interface ---------------------------------------------


def report_python(folder, repetitions):
    """In turn, and the best of each: what else a machine does can only slow a run down."""
    environment = os.environ | {"PYTHONPATH": str(folder.parent / "python")}
    script = pathlib.Path(__file__).with_name("python_call.py")
    ours, peer = [], []
    for _ in range(max(1, repetitions // 5)):
        peer += [row["cpu_time"] for row in run(folder / "release_bench", 3, 0.2)]
        ours.append(float(subprocess.run([sys.executable, script, "3"], env=environment, check=True, capture_output=True).stdout))
    print(f"python: a release takes {min(ours):.0f} us, {100 * (min(ours) / min(peer) - 1):.1f} % more than the {min(peer):.0f} us "
          "by the C++ interface, blogcatalog-like, one thread (target: less than 5 % more)\n")


# --- the service, on loopback ---------------------------------------------------------------------------------------


def report_service(folder, repetitions):
    subprocess.run(["/usr/bin/python3", pathlib.Path(__file__).parent / "service_load.py", folder.parent / "hushwalk"], check=True)


REPORTS = {"diffusion": report_diffusion, "noise": report_noise, "ledger": report_ledger, "import": report_import,
           "graph-file": report_graph_file, "python": report_python, "service": report_service}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the benchmarks were built")
    parser.add_argument("--only", choices=list(REPORTS))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--previous", metavar="COMMIT", help="whose sampler and diffusions to compare with")
    parser.add_argument("--graph", action="append", default=[], help="a preset or a graph file, to diffuse on")
    parser.add_argument("--alone", action="store_true", help="diffusions without peers")
    arguments = parser.parse_args()
    for name, report in REPORTS.items():
        if arguments.only in (None, name):
            more = {"noise": [arguments.previous], "diffusion": [arguments.previous, arguments.graph, arguments.alone]}
            report(arguments.folder, arguments.repetitions, *more.get(name, []))


if __name__ == "__main__":
    sys.exit(main())
