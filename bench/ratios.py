#!/usr/bin/env python3
"""Runs the benchmarks and prints how hushwalk compares with its peers, as ratios of the same run.

    python3 bench/ratios.py build/release/bench [--only diffusion|graph-file|import|ledger|noise|python|service] [--repetitions N] [--previous COMMIT]
                            [--graph NAME|FILE.hwg]... [--alone] [--table FILE] [--plot FILE]

--previous COMMIT: builds the sampler and the diffusions of that commit, too, in build/previous; both then run in turn.
--graph: what to diffuse on, a preset or a graph file; by default blogcatalog-like and flickr-like. --alone: without peers, for large ones.
--table, --plot: where to write all ratios with their targets, as Markdown and as SVG.

Repetitions of all contestants are interleaved at random and the best of each counts, because whatever else
a machine does can only slow a run down.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time


@dataclasses.dataclass
class Ratio:
    """How one thing compares with another of the same run, and what it should be."""
    work: str
    value: float
    beside: str  # in words, after the number
    target: float | None = None
    at_most: bool = False

    def wanted(self):
        return "" if self.target is None else f"{'at most' if self.at_most else 'at least'} {self.target:g}"

    def reached(self):
        return self.target is None or (self.value <= self.target if self.at_most else self.value >= self.target)


RATIOS = []


def say(*ratio, **target):
    """Prints a ratio, and keeps it for the table."""
    RATIOS.append(Ratio(*ratio, **target))
    one = RATIOS[-1]
    print(f"{one.work}: {one.value:.2f} {one.beside}" + (f" (target: {one.wanted()})" if one.target is not None else ""))


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
        say(f"diffusion on {arguments[0]}, {key[1]} seeds, one thread", theirs[key] / ours[key], "times as fast as before")


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
            say(f"diffusion on {graph}, {width} seeds, one thread", min(peers) / times["hushwalk", width, 1],
                f"times as fast as the fastest peer (GraphBLAS {call})", target=2)


def report_diffusion(folder, repetitions, previous=None, graphs=(), alone=False):
    before = build_previous(previous, "diffusion_bench") if previous else None
    for graph in graphs or ["blogcatalog-like", "flickr-like"]:
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
        say(f"import of 15 million edges, {text}, {full:.0f} ms", full / parse, f"times the {parse:.0f} ms of a one-thread loop that only parses",
            target=3, at_most=True)


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
    say("noise", theirs / ours, f"times as fast as the sampler of {commit}", target=0.9)


def report_noise(folder, repetitions, previous=None):
    numpy_before = numpy_laplace(repetitions)
    times = noise_times(folder, repetitions)
    ours = times["hushwalk_laplace"]
    times["numpy_laplace"] = min(numpy_before, numpy_laplace(repetitions))
    for name, ns in sorted(times.items(), key=lambda item: item[1]):
        print(f"{name:18} {ns:8.2f} ns each {ns / ours:6.2f}")
    print("ratio: time / that of hushwalk's exact discrete Laplace, one thread, scale 2^40")
    say("noise", times["numpy_laplace"] / ours, "times as fast as NumPy's float Laplace", target=0.6)
    say("noise", times["cks_laplace"] / ours, "times as fast as a straightforward Canonne-Kamath-Steinke", target=5)
    say("noise by address", times["stream_laplace"] / ours, "times as fast as from a stream", target=0.9)
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
    say("graph file, checked whole", times["read_whole"] / times["check_whole"],
        "times the speed at which read(2) reads it from the page cache, with two threads each", target=0.7)
    [row] = [row for row in rows if row["name"].startswith("open_one_row")][:1]
    say(f"graph file, opening it and reading one row of {row['degree']:.0f} nodes", row["touched"] / 1e6, "MB of it are touched", target=1, at_most=True)
    print()


# --- Python: a release from Python beside the same by the C++ interface ---------------------------------------------


def report_python(folder, repetitions):
    """In turn, and the best of each: what else a machine does can only slow a run down."""
    environment = os.environ | {"PYTHONPATH": str(folder.parent / "python")}
    script = pathlib.Path(__file__).with_name("python_call.py")
    ours, peer = [], []
    for _ in range(max(1, repetitions // 5)):
        peer += [row["cpu_time"] for row in run(folder / "release_bench", 3, 0.2)]
        ours.append(float(subprocess.run([sys.executable, script, "3"], env=environment, check=True, capture_output=True).stdout))
    say(f"python: a release on blogcatalog-like, one thread, {min(ours):.0f} us", min(ours) / min(peer),
        f"times the {min(peer):.0f} us by the C++ interface", target=1.05, at_most=True)
    print()


# --- the service, on loopback ---------------------------------------------------------------------------------------


def report_service(folder, repetitions):
    subprocess.run(["/usr/bin/python3", pathlib.Path(__file__).parent / "service_load.py", folder.parent / "hushwalk"], check=True)


REPORTS = {"diffusion": report_diffusion, "noise": report_noise, "ledger": report_ledger, "import": report_import,
           "graph-file": report_graph_file, "python": report_python, "service": report_service}


def table():
    rows = [f"| {one.work} | {one.value:.2f} | {one.beside} | {one.wanted()} | {'' if one.target is None else 'yes' if one.reached() else 'no'} |" for one in RATIOS]
    return "\n".join(["| work | | beside | target | reached |", "|---|---|---|---|---|", *rows]) + "\n"


def draw(path):
    """Bars of all ratios that have a target, in units of it: right of the line is better."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    shown = [one for one in RATIOS if one.target is not None][::-1]
    figure, axis = plt.subplots(figsize=(9, 0.4 * len(shown) + 1.2))
    axis.barh(range(len(shown)), [one.target / one.value if one.at_most else one.value / one.target for one in shown],
              color=["#0072b2" if one.reached() else "#d55e00" for one in shown])
    axis.axvline(1, color="black", linewidth=1)
    axis.set_yticks(range(len(shown)), [f"{one.work}\n{one.value:.2f} {one.beside}" for one in shown], fontsize=7)
    axis.set(xscale="log", xlabel="of the target, right of the line is better")
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the benchmarks were built")
    parser.add_argument("--only", choices=list(REPORTS))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--previous", metavar="COMMIT", help="whose sampler and diffusions to compare with")
    parser.add_argument("--graph", action="append", default=[], help="a preset or a graph file, to diffuse on")
    parser.add_argument("--alone", action="store_true", help="diffusions without peers")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="write all ratios there, as Markdown")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="draw those with a target there, as SVG")
    arguments = parser.parse_args()
    for file in filter(None, (arguments.table, arguments.plot)):
        if not file.absolute().parent.is_dir():  # before hours of work
            parser.error(f"'{file}' cannot be written: there is no folder '{file.parent}'")
    for name, report in REPORTS.items():
        if arguments.only in (None, name):
            more = {"noise": [arguments.previous], "diffusion": [arguments.previous, arguments.graph, arguments.alone]}
            report(arguments.folder, arguments.repetitions, *more.get(name, []))
    if arguments.table:
        arguments.table.write_text(table())
    if arguments.plot and any(one.target is not None for one in RATIOS):
        draw(arguments.plot)


if __name__ == "__main__":
    sys.exit(main())
