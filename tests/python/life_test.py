"""How the module lives in a process: threads, signals, progress, pickles, memory, imports."""
import concurrent.futures
import os
import pickle
import resource
import signal
import statistics
import subprocess
import sys
import textwrap
import threading
import time

import hushwalk
import numpy as np
import pytest

from hang import HANG

GRAPH = hushwalk.generate("er", nodes=2000, edges=8000)
LARGE = hushwalk.generate("er", nodes=20000, edges=100000)


def test_results_survive_a_pickle():
    result = hushwalk.rank(GRAPH, 1, epsilon=1)
    again = pickle.loads(pickle.dumps(result))
    assert again.nodes == result.nodes and (again.scores == result.scores).all()
    assert again.certificate == result.certificate and again.certificate.verify()
    many = pickle.loads(pickle.dumps(hushwalk.rank(GRAPH, seeds=[1, 2], epsilon=1)))
    assert [ranking.seed for ranking in many] == [1, 2]
    plan = pickle.loads(pickle.dumps(hushwalk.plan(nodes=10, epsilon=1)))
    assert plan.mechanism and plan.certificate.verify()
    shared = hushwalk.share(GRAPH, epsilon=1)
    assert (pickle.loads(pickle.dumps(shared)).rank(GRAPH, 1).scores == shared.rank(GRAPH, 1).scores).all()


def test_errors_survive_a_pickle_with_the_custodians_part():
    error = pickle.loads(pickle.dumps(hushwalk.BudgetExceeded("no", "0.1 is left")))
    assert (str(error), error.for_custodian, error.code) == ("no", "0.1 is left", 3)


def test_a_graph_is_not_pickled():
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(GRAPH)


def test_many_threads_get_the_answers_of_one():
    seeds = list(range(1, 41))
    expected = [hushwalk.exact_rank(GRAPH, seed).nodes for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda seed: hushwalk.exact_rank(GRAPH, seed).nodes, seeds)) == expected
        assert all(len(result) == 10 for result in pool.map(lambda seed: hushwalk.rank(GRAPH, seed, epsilon=1), seeds))


@pytest.mark.parametrize("work", [
    lambda: hushwalk.exact_rank(GRAPH, 1, steps=20000),
    lambda: hushwalk.rank(GRAPH, seeds=range(1, 200), epsilon=1, mechanism="output"),
    lambda: hushwalk.share(LARGE, epsilon=3, mechanism="circles"),
])
def test_other_threads_run_while_the_library_works(work):
    """The lock is given back: this thread counts while the other one computes. On a busy machine it may not get its turn at once."""
    def counted():
        done = threading.Event()
        worker = threading.Thread(target=lambda: (work(), done.set()))
        worker.start()
        count = 0
        while not done.is_set():
            count += 1
            time.sleep(0.001)
        worker.join()
        return count
    assert any(counted() > 3 for _ in range(20))


def test_progress_reports_stages_up_to_the_end():
    seen = []
    hushwalk.exact_rank(GRAPH, seeds=range(1, 33), steps=2000, progress=lambda stage, fraction: seen.append((stage, fraction)))
    assert seen and seen[-1][1] == 1 and all(stage for stage, _ in seen)
    assert [fraction for _, fraction in seen] == sorted(fraction for _, fraction in seen)


def test_an_exception_in_a_progress_callback_stops_the_work():
    def stop(stage, fraction):
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        hushwalk.exact_rank(GRAPH, 1, steps=1_000_000, progress=stop)


@pytest.mark.parametrize("mechanism", ["circles", "shared"])
def test_sharing_reports_progress_up_to_the_end(mechanism):
    seen = []
    hushwalk.share(GRAPH, epsilon=1, mechanism=mechanism, progress=lambda stage, fraction: seen.append((stage, fraction)))
    assert seen[-1] == ("releasing", 1) and [fraction for _, fraction in seen] == sorted(fraction for _, fraction in seen)


def test_what_stops_a_share_leaves_no_artefact_but_its_charge_and_the_next_goes_on_from_it(tmp_path):
    graph = hushwalk.generate("er", nodes=200, edges=800)
    graph.save(tmp_path / "g.hwg")
    ledger = hushwalk.Ledger.create(tmp_path / "l", graph, epsilon=1)

    def stop(stage, fraction):
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        ledger.share(graph, epsilon=0.5, progress=stop).save(tmp_path / "s")
    assert not (tmp_path / "s").exists() and ledger.remaining == 0.5
    entries = len(ledger.entries())
    ledger.share(graph, epsilon=0.5).save(tmp_path / "s")
    assert ledger.remaining == 0.5 and (tmp_path / "s").exists() and ledger.verify()
    assert len(ledger.entries()) == entries + 1, "the artefact that is stored now"


def test_a_bar_of_tqdm_fits():
    import tqdm
    with tqdm.tqdm(total=1, file=open(os.devnull, "w")) as bar:
        hushwalk.exact_rank(GRAPH, 1, steps=2000, progress=hushwalk.show_in(bar))
        assert bar.n == 1 and bar.desc.startswith("diffusing")


@pytest.mark.parametrize("work", ["exact_rank(graph, 1, steps=1_000_000)", "rank(graph, all=True, epsilon=1, mechanism='output')"])
def test_control_c_stops_long_work_at_once(work):
    code = textwrap.dedent(f"""
        import sys, hushwalk
        graph = hushwalk.generate("er", nodes=20000, edges=200000)
        try:
            print("ready", flush=True)
            hushwalk.{work}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=HANG)  # the work itself takes many minutes
    assert out == "interrupted\n" and child.returncode == 0


def test_a_signal_is_seen_while_an_artefact_is_made():
    """Not when it is finished: the handler runs early in the second call, which takes about as much work as the first. The timer
    counts work of this process, not time."""
    graph = hushwalk.generate("er", nodes=400_000, edges=4_000_000)
    heard, fractions, of_the_whole = [], [], []
    begun = time.process_time()
    hushwalk.share(graph, epsilon=1, mechanism="circles", progress=lambda stage, fraction: of_the_whole.append(fraction))
    whole = time.process_time() - begun
    assert len(of_the_whole) > 3 and of_the_whole[-1] == 1

    def handler(signal, frame):
        heard.append(True)
        raise InterruptedError("enough")

    before = signal.signal(signal.SIGPROF, handler)
    try:
        signal.setitimer(signal.ITIMER_PROF, whole / 10)
        with pytest.raises(InterruptedError):
            hushwalk.share(graph, epsilon=1, mechanism="circles", progress=lambda stage, fraction: fractions.append(fraction))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert len(heard) == 1 and len(fractions) < len(of_the_whole) and max(fractions, default=0) < 1


def resident():
    """Kilobytes of memory that this process has now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def leaked(call, times):
    """Kilobytes that so many calls have added, after some that fill what is kept on purpose."""
    for _ in range(times // 4):
        call()
    before = resident()
    for _ in range(times):
        call()
    return resident() - before


def test_long_answers_artefacts_ledgers_and_callbacks_leak_nothing(tmp_path):
    """A vector of all nodes has 16 kB here, so that one lost in every call would be seen."""
    GRAPH.save(tmp_path / "g.hwg")
    ledger = hushwalk.Ledger.create(tmp_path / "l", GRAPH, epsilon=1)
    seen = []
    assert leaked(lambda: hushwalk.rank(GRAPH, 1, epsilon=1, top=None, progress=lambda *report: seen.append(report) or seen.clear()), 600) < 4096
    assert leaked(lambda: hushwalk.share(GRAPH, epsilon=1, progress=lambda *report: None), 400) < 4096
    assert leaked(lambda: ledger.rank(GRAPH, 1, epsilon=0.5, top=None), 400) < 4096
    assert leaked(lambda: hushwalk.Graph.from_edges(np.ones((4000, 2), dtype=np.uint32), nodes=range(2)), 400) < 4096


def test_nothing_leaks_over_ten_thousand_calls():
    graph = hushwalk.generate("karate")
    noted = []
    for call in range(10_000):
        hushwalk.rank(graph, 1, epsilon=1)
        if call % 5 == 0:
            with pytest.raises(hushwalk.UsageError):
                hushwalk.rank(graph, 1, epsilon=-1)
        if call in (2000, 9999):
            noted.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert noted[1] - noted[0] < 4096, "kilobytes"


def test_arrays_live_on_when_their_result_is_gone():
    scores = hushwalk.exact_rank(GRAPH, 1, top=None).scores
    assert scores.flags.owndata is False, "it is the library's own vector, not a copy"
    copy = scores.copy()
    for _ in range(50):
        hushwalk.exact_rank(GRAPH, 2, top=None)
    np.testing.assert_array_equal(scores, copy)


def test_one_thread_gives_the_same_bytes():
    with hushwalk.threads(1):
        alone = hushwalk.exact_rank(GRAPH, 1, top=None).scores
    assert alone.tobytes() == hushwalk.exact_rank(GRAPH, 1, top=None).scores.tobytes()


def seconds_of(module, cache):
    """Of the processor, with bytecode as an installed package has it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env=environment | {"PYTHONPYCACHEPREFIX": str(cache)})
    return float(done.stdout)


def test_import_takes_at_most_half_again_as_long_as_that_of_numpy(tmp_path):
    """In turn, and the ratio in the middle: a busy machine slows both of a pair."""
    seconds_of("hushwalk", tmp_path)
    ratios = [seconds_of("hushwalk", tmp_path) / seconds_of("numpy", tmp_path) for _ in range(9)]
    assert statistics.median(ratios) <= 1.5, ratios


def test_only_the_door_of_the_module_is_seen_from_outside():
    from hushwalk import _core
    symbols = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__core"]


def test_a_mechanism_of_ones_own_is_ranked_certified_evaluated_and_audited(tmp_path):
    unit = hushwalk.UNIT
    hushwalk.register_mechanism(
        "degree_in_python", proof="two ends of an edge, one link each",
        released=lambda facts, parameters: ([("links of every node", 1)], [("any edge", [2])]),
        count=lambda graph, seed, parameters: [np.array([graph.degree(node) for node in graph.nodes]) * unit],
        score=lambda columns, seed: columns[0])
    graph = hushwalk.generate("karate")
    result = hushwalk.rank(graph, 1, epsilon=100, mechanism="degree_in_python", scope="edge", top=1)
    assert result.nodes == [34] and result.scores[0] == pytest.approx(17, abs=1)
    assert "degree_in_python" in result.certificate.text
    assert hushwalk.audit(mechanism="degree_in_python", scope="edge", trials=500).verdict == "consistent"
    (tmp_path / "mine.txt").write_text("\n".join(f"{a} {b}" for a, b in [(1, 2), (2, 3), (3, 4), (1, 3)]))
    hushwalk.reproduce(tmp_path / "out", ["ndcg"], quick=True, graphs=[str(tmp_path / "mine.txt")], mechanisms=["degree_in_python"])
    assert "mine.txt,degree_in_python,1," in (tmp_path / "out" / "ndcg.csv").read_text()
    with pytest.raises(hushwalk.UsageError, match="degree_in_python"):
        hushwalk.register_mechanism("degree_in_python", proof="none", released=len, count=len, score=len)


def test_a_broken_mechanism_of_ones_own_is_caught_by_the_audit():
    hushwalk.register_mechanism(
        "liar", proof="none", released=lambda facts, parameters: ([("links of every node", 1)], [("any edge", [0.2])]),
        count=lambda graph, seed, parameters: [[graph.degree(node) << 32 for node in graph.nodes]],
        score=lambda columns, seed: columns[0])
    assert hushwalk.audit(mechanism="liar", scope="edge", trials=500).verdict == "violated"


def test_an_exception_in_a_mechanism_of_ones_own_reaches_the_caller():
    hushwalk.register_mechanism("broken", proof="none", released=lambda facts, parameters: 1 / 0, count=len, score=len)
    with pytest.raises(ZeroDivisionError):
        hushwalk.rank(GRAPH, 1, epsilon=1, mechanism="broken")
