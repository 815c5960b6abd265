"""Microseconds of processor time of one `hushwalk.rank` on blogcatalog-like with one thread: the best of several batches.

    PYTHONPATH=build/release/python python3 bench/python_call.py [BATCHES]
"""
import sys
import time

import hushwalk

CALLS = 20  # of a batch


def batch(graph):
    begun = time.process_time()
    for _ in range(CALLS):
        hushwalk.rank(graph, 17, epsilon=1, top=100)
    return (time.process_time() - begun) / CALLS * 1e6


graph = hushwalk.generate("blogcatalog-like")
with hushwalk.threads(1):
    print(min(batch(graph) for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)))
