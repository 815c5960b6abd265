#!/usr/bin/python3
"""Time of the mechanisms beside an exact answer, and beside plain NumPy, SciPy and igraph programs for the same work: ratios of one run.

    PYTHONPATH=build/release/python python3 bench/mechanisms.py [--graph NAME]... [--rounds N] [--table FILE] [--plot FILE]

Processor time of one thread, graph and artefact open, certificates included. All contestants of a graph run in turn, several
rounds, and the best of each counts: whatever else a machine does can only slow a run down.
"""
import argparse
import os

for library in ("OMP", "OPENBLAS", "MKL"):  # before they are loaded
    os.environ[f"{library}_NUM_THREADS"] = "1"

import dataclasses
import pathlib
import time

import igraph
import numpy as np
import scipy.sparse as sparse

import hushwalk

BETA, STEPS, TOP, TOGETHER, EVERYBODY = 0.8, 100, 100, 16, 1000
DENSE_LIMIT = 20_000  # nodes: beyond it a dense matrix does not fit


def adjacency(graph):
    """Symmetric, in the order of the node list."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    rows = [np.fromiter((place[other] for other in graph.neighbors(node)), dtype=np.int32) for node in graph.nodes]
    columns = np.concatenate(rows)
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return sparse.csr_matrix((np.ones(len(columns)), columns, offsets), shape=(len(rows), len(rows)))


def best_of(scores):
    return np.argsort(-scores, axis=0)[:TOP]


def first_states(nodes, seeds):
    state = np.zeros((nodes, len(seeds)))
    state[seeds, np.arange(len(seeds))] = 1
    return state


def exact_scipy(links, degrees, seeds):
    """Lazy personalized PageRank by sparse products."""
    start = first_states(links.shape[0], seeds)
    state = start.copy()
    for _ in range(STEPS):
        state = BETA / 2 * (links @ (state / degrees)) + BETA / 2 * state + (1 - BETA) * start
    return best_of(state)


def exact_igraph(peer, seeds):
    """Its own PageRank (PRPACK, not lazy, to its own tolerance)."""
    return [np.argsort(-np.array(peer.personalized_pagerank(directed=False, damping=BETA, reset_vertices=[int(seed)])))[:TOP] for seed in seeds]


def paper_numpy(links, degrees, seeds, eta, scale, random):
    """The paper's algorithm as one would write it down: clip, step, two draws of Laplace noise, in each step."""
    start = first_states(links.shape[0], seeds)
    state = start.copy()
    for _ in range(STEPS):
        state = np.clip(state, -eta * degrees, eta * degrees)
        state = BETA / 2 * (links @ (state / degrees)) + BETA / 2 * state + (1 - BETA) * start
        state += random.laplace(0, scale, state.shape) + random.laplace(0, scale, state.shape)
    return best_of(state)


def edge_flip_numpy(dense, seed, epsilon, random):
    """Randomized response on every pair, as a dense matrix, then the exact diffusion on what came out."""
    nodes = dense.shape[0]
    flipped = np.triu(random.random((nodes, nodes), dtype=np.float32) < 1 / (1 + np.exp(epsilon)), 1)
    noisy = (dense ^ (flipped | flipped.T)).astype(np.float32)
    degrees = np.maximum(noisy.sum(axis=0), 1)
    start = np.zeros(nodes, dtype=np.float32)
    start[seed] = 1
    state = start.copy()
    for _ in range(STEPS):
        state = BETA / 2 * (noisy @ (state / degrees)) + BETA / 2 * state + (1 - BETA) * start
    return best_of(state)


@dataclasses.dataclass
class Ratio:
    """How many times as fast the second is as the first, per answer."""

    work: str
    slower: str
    faster: str
    target: float | None


def contestants(graph, links):
    """name → (function, answers)"""
    nodes = list(graph.nodes)
    places = list(range(17, 17 + TOGETHER))
    seeds = [nodes[place] for place in places]
    degrees = np.maximum(np.asarray(links.sum(axis=0)).ravel(), 1)[:, None]
    random = np.random.default_rng(1)
    edges = links.nnz // 2
    peer = igraph.Graph(n=len(nodes), edges=list(zip(*sparse.triu(links, 1).nonzero())))
    artefacts = {name: hushwalk.share(graph, epsilon=1, mechanism=name) for name in ("shared", "circles")}
    eta, scale = 1 / edges, 1e-4  # any do for the time

    def released(mechanism, epsilon, count):
        options = {"epsilon": epsilon, "mechanism": mechanism, "top": TOP}
        return (lambda: hushwalk.rank(graph, seeds=seeds, **options) if count > 1 else hushwalk.rank(graph, seeds[0], **options)), count

    def from_artefact(name):
        return (lambda: artefacts[name].rank(graph, seeds=nodes[:EVERYBODY], top=TOP)), EVERYBODY

    found = {
        "exact": ((lambda: hushwalk.exact_rank(graph, seeds[0], top=TOP)), 1),
        "exact, 16 seeds": ((lambda: hushwalk.exact_rank(graph, seeds=seeds, top=TOP)), TOGETHER),
        "SciPy": ((lambda: exact_scipy(links, degrees, places[:1])), 1),
        "SciPy, 16 seeds": ((lambda: exact_scipy(links, degrees, places)), TOGETHER),
        "igraph": ((lambda: exact_igraph(peer, places[:1])), 1),
        "output": released("output", 1, 1),
        "paper, 16 seeds": released("paper", 1, TOGETHER),
        "paper by NumPy, 16 seeds": ((lambda: paper_numpy(links, degrees, places, eta, scale, random)), TOGETHER),
        "twohop": released("twohop", 1, 1),
        "twohop, one score": released("twohop", 0.1, 1),
        "frontier": released("frontier", 1, 1),
        "shared artefact": from_artefact("shared"),
        "circles artefact": from_artefact("circles"),
    }
    if len(nodes) <= DENSE_LIMIT:
        dense = links.toarray().astype(bool)
        found["edgeflip"] = released("edgeflip", 4, 1)
        found["edgeflip by NumPy"] = (lambda: edge_flip_numpy(dense, places[0], 4, random)), 1
    return found


def ratios(graph):
    twohop = {"blogcatalog-like": 40, "flickr-like": 150}.get(graph)
    return [
        Ratio("exact, one seed", "SciPy", "exact", None),
        Ratio("exact, one seed", "igraph", "exact", None),
        Ratio("exact, 16 seeds", "SciPy, 16 seeds", "exact, 16 seeds", None),
        Ratio("`output`, one seed", "exact", "output", 0.7),
        Ratio("`paper`, 16 seeds", "paper by NumPy, 16 seeds", "paper, 16 seeds", 5 if graph == "flickr-like" else None),
        Ratio("`twohop`, top 100, epsilon 1", "exact", "twohop", twohop),
        Ratio("`twohop`, top 100, epsilon 0.1", "exact", "twohop, one score", None),
        Ratio("`frontier`, top 100", "exact", "frontier", None),
        Ratio(f"{EVERYBODY} seeds from an artefact of `shared`", "exact", "shared artefact", 300),
        Ratio(f"{EVERYBODY} seeds from an artefact of `circles`", "exact", "circles artefact", 300),
        Ratio("`edgeflip` at epsilon 4", "edgeflip by NumPy", "edgeflip", 20 if graph == "blogcatalog-like" else None),
    ]


def measure(found, rounds):
    """Milliseconds of an answer."""
    fastest = dict.fromkeys(found, float("inf"))
    for _ in range(rounds):
        for name, (answer, count) in found.items():
            repeats, spent = 0, 0.0
            while repeats == 0 or (spent < 0.05 and repeats < 100):  # a clock of milliseconds sees what takes microseconds
                begun = time.process_time()
                answer()
                spent += time.process_time() - begun
                repeats += 1
            fastest[name] = min(fastest[name], spent / repeats / count * 1e3)
    return fastest


def table(graph, times):
    lines = [f"**{graph}**", "", "| work | ms of an answer | beside it | ms | times as fast | target |", "|---|---|---|---|---|---|"]
    for one in ratios(graph):
        if one.faster in times:
            ratio = times[one.slower] / times[one.faster]
            lines.append(f"| {one.work} | {times[one.faster]:.3g} | {one.slower} | {times[one.slower]:.3g} | {ratio:.3g} | "
                         f"{'' if one.target is None else f'≥ {one.target:g}'} |")
    return "\n".join(lines) + "\n"


def draw(all_times, path):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(all_times), figsize=(5.5 * len(all_times), 4.5), squeeze=False)
    for axis, (graph, times) in zip(axes[0], all_times.items()):
        names = sorted(times, key=times.get, reverse=True)
        ours = [not name.startswith(("SciPy", "igraph")) and "NumPy" not in name for name in names]
        axis.barh(names, [times[name] for name in names], color=["#0072b2" if mine else "#999999" for mine in ours])
        axis.set(xscale="log", xlabel="ms of an answer, one thread", title=graph)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", metavar="NAME", help="a preset (default: blogcatalog-like and flickr-like)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="write the tables there, too")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE", help="write bars there, as SVG")
    options = parser.parse_args()
    tables, all_times = [], {}
    with hushwalk.threads(1):
        for name in options.graph or ["blogcatalog-like", "flickr-like"]:
            graph = hushwalk.generate(name)
            all_times[name] = measure(contestants(graph, adjacency(graph)), options.rounds)
            tables.append(table(name, all_times[name]))
            print(tables[-1], flush=True)
    if options.table:
        options.table.write_text("\n".join(tables))
    if options.plot:
        draw(all_times, options.plot)


if __name__ == "__main__":
    main()
