#!/usr/bin/env python3
"""Runs the diffusion benchmark and prints how many times faster hushwalk is than its peers.

    python3 bench/ratios.py build/release/bench/diffusion_bench

Repetitions of all contestants are interleaved at random and the best of each counts, because whatever else
a machine does can only slow a run down. With one thread processor time is compared, which other processes
disturb least; with more, time on the clock.
"""

import argparse
import json
import subprocess
import sys


def run(binary, repetitions, min_time):
    command = [binary, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(output)["benchmarks"]


def best_times(rows):
    """{(contestant, seeds, threads): best milliseconds per seed}"""
    best = {}
    for row in rows:
        if row["run_type"] != "iteration":
            continue
        contestant, seeds, threads = row["name"].split("/")[:3]
        key = contestant, int(seeds.split(":")[1]), int(threads.split(":")[1])
        time = row["cpu_time" if key[2] == 1 else "real_time"]
        best[key] = min(best.get(key, float("inf")), time / key[1])
    return best


def fastest_peer(best):
    """The fastest other library with one seed and one thread."""
    return min(ms for (name, _, threads), ms in best.items() if name != "hushwalk" and threads == 1)


def print_table(best):
    ours, peer = best["hushwalk", 1, 1], fastest_peer(best)
    print(f"{'':18} {'seeds':>5} {'threads':>7} {'ms per seed':>11} {'ratio':>6}")
    for key, ms in sorted(best.items(), key=lambda item: (item[0][2], item[0][1], item[1])):
        name, seeds, threads = key
        print(f"{name:18} {seeds:5} {threads:7} {ms:11.2f} {ms / ours:6.2f}")
    print("\nratio: time per seed / that of hushwalk with one seed and one thread")
    print(f"one seed, one thread: hushwalk is {peer / ours:.2f} times as fast as the fastest peer")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--min-time", type=float, default=0.1, help="seconds per repetition")
    parser.add_argument("--at-least", type=float, help="exit 1 when the last ratio is lower")
    arguments = parser.parse_args()
    best = best_times(run(arguments.binary, arguments.repetitions, arguments.min_time))
    print_table(best)
    ratio = fastest_peer(best) / best["hushwalk", 1, 1]
    return 1 if arguments.at_least and ratio < arguments.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
