#!/usr/bin/python3
"""How many rows of others the processes of hushwalk-mpi would need, counted from a graph file.

Usage: bench/ghosts.py GRAPH.hwg PROCESSES...      (docs/distributed.md)
"""
import sys

import numpy

LINKS_PER_NODE = 8   # GraphPart::links_per_node
GROUP = 64           # nodes that draw their noise together


def read(path):
    """Offsets, neighbours and nodes of rows; docs/formats.md has the places."""
    header = numpy.fromfile(path, dtype="<u8", count=32)
    sections = header[8:26].reshape(6, 3)
    section = lambda i, kind: numpy.memmap(path, dtype=kind, mode="r", offset=int(sections[i][0]),
                                           shape=int(sections[i][1]) // numpy.dtype(kind).itemsize)
    return section(0, "<u8"), section(1, "<u4"), section(2, "<u4")


def cuts(weights, processes):
    """The first group of every process."""
    sums = numpy.cumsum(weights)
    wanted = [sums[-1] // processes * p + sums[-1] % processes * p // processes for p in range(1, processes)]
    return numpy.concatenate([[0], numpy.searchsorted(sums, wanted) + 1, [len(weights)]])


def count(path, many):
    """Nodes and edges; for each number of processes the rows of others and the links of each process."""
    offsets, neighbors, node_of_row = read(path)
    nodes, degrees = len(node_of_row), numpy.diff(offsets).astype(numpy.int64)
    weights = numpy.bincount(node_of_row // GROUP, weights=degrees + LINKS_PER_NODE, minlength=nodes // GROUP + 1).astype(numpy.int64)
    group_of_row = node_of_row // GROUP
    found = {}
    for processes in many:
        owner = (numpy.searchsorted(cuts(weights, processes), group_of_row, side="right") - 1).astype(numpy.uint16)
        source = numpy.repeat(owner, degrees)
        pairs = numpy.unique(neighbors.astype(numpy.uint64) * processes + source)   # a row that a process reads
        ghosts = pairs[owner[pairs // processes] != pairs % processes] % processes
        counts = numpy.bincount(ghosts.astype(numpy.int64), minlength=processes)
        links = numpy.bincount(source, minlength=processes)
        found[processes] = counts, links
    return nodes, len(neighbors) // 2, found


def main():
    nodes, edges, found = count(sys.argv[1], map(int, sys.argv[2:]))
    print(f"{nodes} nodes, {edges} edges")
    for processes, (counts, links) in found.items():
        print(f"{processes} processes: most ghosts {counts.max()}, {counts.sum() / nodes:.3f} a node in all, {8 * counts.sum()} bytes a sweep and seed, "
              f"most links {links.max() / max(links.mean(), 1):.3f} of the mean")


if __name__ == "__main__":
    main()
