#!/usr/bin/python3
"""What a graph costs that is spread over processes: measured on this host, and a model that carries it to larger ones (docs/distributed.md).

    bench/distributed.py BUILD_DIR [--edges 50000000 ...] [--families rmat sbm chung-lu] [--repeats 3] [--folder DIR]

Prints Markdown. Everything above "The model" is measured by the program itself (--timings of hushwalk-mpi), one process and thread for each
core that is used; what the model says is computed from it and from the assumptions that it names. The ghosts that the program counts are
compared with those of bench/ghosts.py, and the script fails where they differ. Wants an idle machine; --edges 200000 takes seconds.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

import ghosts

ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm_rsh_agent": "/bin/false"}
STEPS = 20
MOST_NODES = 2**32 - 2                # a node, and a place, has a number of 32 bits
MOST_GHOSTS = 2**31                   # of a process: GraphPart::link_up()
SWEEPING, BRINGING, DRAWING = "sweeping over links", "bringing in the values of others", "drawing noise"


# --- what is measured ------------------------------------------------------------------------------------------

class Run:
    """One command of hushwalk-mpi with --timings: seconds by phase in the first process, and what each process did."""

    def __init__(self, options, processes, words, transport=()):
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", *transport, "-n", processes, options.build / "hushwalk-mpi", *words,
                   "--threads", 1, "--timings"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        self.phases = {name: float(seconds) for seconds, name in
                       re.findall(r"^\D*([\d.]+) s +[\d.]+ %  (.+?)(?: \(\d+ times\))?$", done.stderr, re.MULTILINE)}
        self.processes = [dict(zip(("links", "inner", "others", "times", "brought", "kilobytes"), map(int, numbers))) for numbers in re.findall(
            r"process \d+: (\d+) links, (\d+) of them in rows that need no others; (\d+) rows of others, brought (\d+) times in (\d+) bytes; "
            r"at most (\d+) kB", done.stderr)]
        if len(self.processes) != processes:
            sys.exit(f"{processes} processes did not say what they did:\n{done.stderr}")

    def sum(self, what):
        return sum(process[what] for process in self.processes)

    def bytes_a_sweep(self):
        return self.sum("brought") / max(self.processes[0]["times"], 1)


def exact(graph, steps=STEPS):
    return ["rank", graph, "--seed", 1, "--exact", "--top", 10, "--steps", steps, "--json"]


def best(runs, key):
    return min(runs, key=key)


def sweep_seconds(run):
    return (run.phases[SWEEPING] + run.phases.get(BRINGING, 0)) / STEPS


def measure_time(options, graph, edges):
    """Seconds of a sweep for one and two processes, and the share of it that waits for others."""
    found = {}
    for processes in (1, 2):
        run = best([Run(options, processes, exact(graph)) for _ in range(options.repeats)], sweep_seconds)
        found[processes] = {"seconds": sweep_seconds(run), "share": run.phases.get(BRINGING, 0) / STEPS / sweep_seconds(run),
                            "inner": run.sum("inner") / max(run.sum("links"), 1), "memory": 1024 * run.sum("kilobytes") / edges}
    return found


def measure_bytes(options, graph):
    """Bytes of a sweep and seed for 1 to 16 processes, over shared memory and over TCP; and that ghosts.py counts the same ghosts."""
    many, found = [1, 2, 4, 8, 16], {}
    counted = ghosts.count(graph, many)[2]
    for processes in many:
        runs = [Run(options, processes, exact(graph, 2), transport) for transport in ((), ("--mca", "btl", "tcp,self"))]
        for run in runs:
            if [process["others"] for process in run.processes] != list(counted[processes][0]):
                sys.exit(f"{graph}, {processes} processes: the program has {[process['others'] for process in run.processes]} rows of others, "
                         f"and bench/ghosts.py counts {list(counted[processes][0])}")
        found[processes] = {"default": runs[0].bytes_a_sweep(), "tcp": runs[1].bytes_a_sweep(), "ghosts": runs[0].sum("others"),
                            "most": max(process["others"] for process in runs[0].processes),
                            "inner": runs[0].sum("inner") / max(runs[0].sum("links"), 1)}
    return found


def measure_noise(options, graph, nodes):
    """Seconds for one draw, on one thread."""
    words = ["rank", graph, "--seed", 1, "--mechanism", "output", "--epsilon", 1, "--eta", 1, "--top", 10, "--steps", 2, "--json"]
    return min(Run(options, 1, words).phases[DRAWING] for _ in range(options.repeats)) / nodes


def measure(options, family, edges, folder):
    graph = folder / f"{family}-{edges}.hwg"
    nodes = edges // options.edges_per_node
    made = json.loads(subprocess.run([str(options.build / "hushwalk"), "generate", family, "--nodes", str(nodes), "--edges", str(edges), "--random-seed", "1",
                                      "-o", str(graph), "--json"], check=True, capture_output=True, text=True).stdout)
    nodes, edges = made["nodes"], made["edges"]
    offsets = ghosts.read(graph)[0]
    found = {"family": family, "nodes": nodes, "edges": edges, "degrees": numpy.diff(offsets).astype(numpy.int64), "times": measure_time(options, graph, edges),
             "bytes": measure_bytes(options, graph), "noise": measure_noise(options, graph, nodes)}
    graph.unlink()
    return found


# --- what is computed ------------------------------------------------------------------------------------------

def expected_ghosts(degrees, processes, kept=0.0):
    """In all, when nodes are dealt to processes regardless of links: a node of degree d is needed by another process with probability
    1 - (1 - 1/P)^d. With an order of nodes that keeps a share of the links inside a process, only the rest is dealt out."""
    if processes == 1:
        return 0.0
    degree, count = numpy.unique(degrees, return_counts=True)
    return (processes - 1) * float(numpy.sum(count * -numpy.expm1(degree * numpy.log1p(-(1 - kept) / processes))))


def order_factor(found):
    """How many ghosts there were, of those expected without any order of the nodes: the last number of processes that was measured."""
    processes, last = list(found["bytes"].items())[-1]
    return last["ghosts"] / max(expected_ghosts(found["degrees"], processes), 1)


def model(options, found, edges, hosts, gigabits, kept=0.0):
    """A sweep for one seed on one host of many."""
    nodes = min(edges // options.edges_per_node, MOST_NODES)
    degrees = found["degrees"] * (edges / nodes) / (found["edges"] / found["nodes"])      # the same shape, with the mean of the larger graph
    ghosts_of_host = order_factor(found) * expected_ghosts(numpy.rint(degrees), hosts, kept) / found["nodes"] * nodes / hosts
    speedup = options.cores * options.efficiency
    link = found["times"][1]["seconds"] / (2 * found["edges"])
    sweep = link * 2 * edges / hosts / speedup
    exchange = 8 * ghosts_of_host / (gigabits * 1e9 / 8 * options.wire) + options.latency * (hosts - 1)
    noise = found["noise"] * nodes / hosts / speedup
    gather = 8 * nodes / (gigabits * 1e9 / 8 * options.wire)                              # a released column, to the first process
    memory = 8 * edges / hosts + 20 * nodes / hosts + 44 * ghosts_of_host + 3 * 8 * (nodes / hosts + ghosts_of_host)
    return {"nodes": nodes, "ghosts": ghosts_of_host, "sweep": sweep, "exchange": exchange, "noise": noise, "gather": gather, "memory": memory}


# --- tables ----------------------------------------------------------------------------------------------------

def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def print_measured(all_found):
    table(["graph", "edges", "processes", "ms a sweep (measured)", "of it waiting for others (measured)", "links of rows that need no others (measured)",
           "bytes of memory an edge, all processes (measured)"],
          [[found["family"], f"{found['edges']:,}", processes, f"{1e3 * of['seconds']:.2f}", f"{of['share']:.1%}", f"{of['inner']:.1%}", f"{of['memory']:.1f}"]
           for found in all_found for processes, of in found["times"].items()])
    table(["graph", "edges", "processes", "bytes a sweep and seed (measured)", "over TCP (measured)", "ghosts, most of a process (measured)",
           "of those expected without an order (measured / computed)", "links of rows that need no others (measured)"],
          [[found["family"], f"{found['edges']:,}", processes, f"{of['default']:,.0f}", f"{of['tcp']:,.0f}", f"{of['most']:,}",
            f"{of['ghosts'] / expected_ghosts(found['degrees'], processes):.3f}" if processes > 1 else "", f"{of['inner']:.1%}"]
           for found in all_found for processes, of in found["bytes"].items()])
    table(["graph", "edges", "ns a link end, one thread (measured)", "ns a draw, one thread (measured)"],
          [[found["family"], f"{found['edges']:,}", f"{1e9 * found['times'][1]['seconds'] / (2 * found['edges']):.2f}", f"{1e9 * found['noise']:.1f}"]
           for found in all_found])


def print_model(options, all_found):
    print(f"\n**The model** (all of it computed): {options.edges_per_node} edges a node, at most 2^32 - 2 nodes; the time of a link end and of a draw, the shape of "
          f"degrees and the effect of the order of nodes as measured on the largest graph of each family above; hosts of {options.cores} cores that are worth "
          f"{options.cores * options.efficiency:g} of the one measured; a link that carries {options.wire:.0%} of its rate, and {1e6 * options.latency:g} µs for each other host; "
          "nothing of the exchange overlapped.")
    largest = {found["family"]: found for found in sorted(all_found, key=lambda found: found["edges"])}
    rows = []
    for family, found in largest.items():
        for edges in (10**9, 10**10, 10**11):
            for hosts in (16, 64, 256):
                slow, fast = (model(options, found, edges, hosts, gigabits) for gigabits in (10, 100))
                ordered = model(options, found, edges, hosts, 10, options.kept)
                if max(slow["ghosts"], slow["nodes"] / hosts) >= MOST_GHOSTS or slow["ghosts"] + slow["nodes"] / hosts >= MOST_NODES:
                    rows.append([family, f"{edges:.0e}".replace("e+", "e"), hosts, f"{slow['ghosts'] / 1e6:,.1f}", *[""] * 7, "refused: use more hosts"])
                    continue
                rows.append([family, f"{edges:.0e}".replace("e+", "e"), hosts, f"{slow['ghosts'] / 1e6:,.1f}", f"{1e3 * slow['sweep']:,.1f}",
                             f"{1e3 * slow['exchange']:,.1f}", f"{1e3 * fast['exchange']:,.1f}", f"{1e3 * ordered['exchange']:,.1f}", f"{1e3 * slow['noise']:,.2f}",
                             f"{slow['gather']:,.2f} / {fast['gather']:,.2f}", f"{slow['memory'] / 2**30:,.1f}", " / ".join("exchange" if one["exchange"] > one["sweep"] else "sweep" for one in (slow, fast, ordered))])
    table(["family", "edges", "hosts", "million ghosts a host", "ms a sweep", "ms exchange, 10 Gb/s", "ms exchange, 100 Gb/s",
           f"ms exchange, 10 Gb/s and {options.kept:.0%} of links inside a process", "ms a draw for all nodes",
           "s to bring a released column to the first process, 10 / 100 Gb/s", "GiB a host", "most of the time, of the three"],
          rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--edges", type=int, nargs="+", default=[50_000_000])
    parser.add_argument("--families", nargs="+", default=["rmat", "sbm", "chung-lu"])
    parser.add_argument("--edges-per-node", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3, help="the best counts")
    parser.add_argument("--folder", type=pathlib.Path, help="for graph files, which are removed")
    parser.add_argument("--cores", type=int, default=32, help="of a host of the model")
    parser.add_argument("--efficiency", type=float, default=0.25, help="what one of them adds: sweeps are bound by memory")
    parser.add_argument("--kept", type=float, default=0.9, help="share of links inside a process, with an order of nodes that follows links")
    parser.add_argument("--wire", type=float, default=0.8, help="what a link carries of its rate")
    parser.add_argument("--latency", type=float, default=2e-5, help="seconds for a message")
    options = parser.parse_args()
    options.build = options.build.resolve()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        all_found = [measure(options, family, edges, pathlib.Path(folder)) for family in options.families for edges in options.edges]
    print_measured(all_found)
    print_model(options, all_found)


if __name__ == "__main__":
    main()
