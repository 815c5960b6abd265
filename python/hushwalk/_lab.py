"""How good and how private answers are: for public graphs, or for the custodian. Nothing here is private."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from . import _checks, _core
from ._ask import AnyGraph, Coefficients, diffusion_of, release_of
from ._document import Document, _numbers
from ._errors import UsageError
from ._graph import Graph, Node, Progress, as_graph

#: a count of one, for what :func:`register_mechanism` counts
UNIT = 2**32


_MOST_TRIALS = 10**9  # they are kept


def _frame(pandas: Any, rows: Sequence[Mapping[str, Any]]) -> Any:
    return pandas.DataFrame.from_records([_numbers(dict(row)) for row in rows])


def _counts(seeds: int, random_seed: int, top: int, progress: Progress | None) -> Any:
    """What measuring takes, in this order."""
    return (_checks.whole("seeds", seeds, 1), _checks.whole("random_seed", random_seed), _checks.whole("top", top, 1),
            _checks.optional(_checks.function, "progress", progress))


def evaluate(
    graph: AnyGraph,
    *,
    mechanism: Union[str, Iterable[str]] = ("auto", "free"),
    epsilon: Union[float, Iterable[float]] = 1.0,
    users: int = 1,
    eta: Union[float, Iterable[float]] = (),
    delta: float | None = None,
    scope: str = "personalized",
    background: float | None = None,
    taper: float | None = None,
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    seeds: int = 100,
    random_seed: int = 1,
    top: int = 100,
    progress: Progress | None = None,
) -> Any:
    """How good private rankings are against exact ones, as a pandas frame with a row for each mechanism and epsilon.

    NOT private: it reads every edge. ``users`` recipients share epsilon: one artefact has it once, fresh noise for each leaves a
    part to each. ``free`` is what costs no budget; a method that does not beat it has spent for nothing.

    >>> import hushwalk
    >>> frame = hushwalk.evaluate(hushwalk.generate("karate"), epsilon=[0.1, 1], seeds=5)
    >>> frame[["mechanism", "epsilon"]].values.tolist()
    [['free', nan], ['auto', 0.1], ['auto', 1.0]]
    """
    pandas = _checks.library("pandas", "a frame of measurements")
    release = release_of(
        diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope, delta=delta, background=background,
        taper=taper, rankings=_checks.whole("users", users, 1),
    )
    text = _core.evaluate(
        as_graph(graph)._core, _checks.texts_in("mechanism", mechanism), _checks.numbers_in("epsilon", epsilon),
        _checks.numbers_in("eta", eta), release, *_counts(seeds, random_seed, top, progress),
    )
    return _frame(pandas, json.loads(text)["rows"])


def tune(
    proxy: AnyGraph | None = None,
    *,
    nodes: int | None = None,
    edges: int | None = None,
    epsilon: float | None = None,
    target_ndcg: float | None = None,
    users: int = 1,
    scope: str = "personalized",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    seeds: int = 30,
    random_seed: int = 1,
    top: int = 100,
    progress: Progress | None = None,
) -> Document:
    """The best parameters for an ``epsilon``, or the epsilon that ``target_ndcg`` needs, by simulation on a PUBLIC graph: a
    ``proxy``, never the graph that is to be protected, or one generated with about so many ``nodes`` and ``edges``.

    For an ``epsilon`` the highest NDCG of all that is tried decides; NDCG among nodes that are not linked to the seed yet
    (``expected_new_ndcg``) is measured beside it. A target tries ``auto`` alone, so never ``frontier``. ``users`` recipients
    share ``total_epsilon``, and ``epsilon`` of the result is what each ranking gets: one artefact has it once, fresh noise for
    each leaves a part to each.

    >>> import hushwalk
    >>> hushwalk.tune(nodes=200, edges=800, epsilon=3, seeds=2).epsilon
    3.0
    """
    measured = _counts(seeds, random_seed, top, progress)
    sizes = [size for size in (nodes, edges) if size is not None]
    if len(sizes) != (2 if proxy is None else 0):
        raise UsageError("tune needs a public graph: `proxy`, or `nodes` and `edges` for one to be generated")
    if (epsilon is None) == (target_ndcg is None):
        raise UsageError("give `epsilon` for the best parameters, or `target_ndcg` for the epsilon it needs")
    public: _core.Graph | tuple[int, int]
    if proxy is None:
        public = _checks.whole("nodes", nodes, 1), _checks.whole("edges", edges, 1)
    else:
        public = as_graph(proxy)._core
    release = release_of(diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope,
                         rankings=_checks.whole("users", users, 1))
    wanted = _checks.optional(_checks.number, "epsilon", epsilon), _checks.optional(_checks.number, "target_ndcg", target_ndcg)
    return Document(_core.tune(public, wanted[0], wanted[1], release, *measured))


def audit(
    *,
    mechanism: str = "auto",
    epsilon: float = 1.0,
    scope: str = "personalized",
    trials: int = 100_000,
    confidence: float = 1 - 1e-6,
    sensitivity: bool = False,
    progress: Progress | None = None,
) -> Document:
    """Attacks a mechanism and says what was found: ``verdict`` is ``consistent`` or ``violated``.

    >>> import hushwalk
    >>> hushwalk.audit(mechanism="shared", scope="edge", trials=1000).verdict
    'consistent'
    """
    release = release_of(diffusion=diffusion_of("ppr", None, None, None, None), mechanism=mechanism, epsilon=epsilon, scope=scope)
    return Document(
        _core.audit(release, _checks.whole("trials", trials, 1, _MOST_TRIALS), _checks.number("confidence", confidence),
                    _checks.flag("sensitivity", sensitivity), _checks.optional(_checks.function, "progress", progress))
    )


def attack(
    graph: AnyGraph,
    edge: tuple[Node, Node],
    seed: Node,
    *,
    epsilon: Union[float, Iterable[float]] = (0.1, 1.0, 3.0),
    mechanism: str = "auto",
    scope: str = "personalized",
    trials: int = 1000,
    progress: Progress | None = None,
) -> Any:
    """Somebody who knows every edge but one sees an answer for ``seed`` and guesses whether that one is there: how often they
    are right, as a pandas frame. The first row (epsilon inf) is the exact answer; nobody can exceed the ``ceiling``.

    >>> import hushwalk
    >>> frame = hushwalk.attack(hushwalk.generate("karate"), (3, 10), 1, epsilon=0.1, trials=100)
    >>> float(frame.success[0])
    1.0
    """
    pandas = _checks.library("pandas", "a frame of measurements")
    over = as_graph(graph)
    release = release_of(diffusion=diffusion_of("ppr", None, None, None, None), mechanism=mechanism, scope=scope)
    ends = over._find_all("edge", edge)
    if len(ends) != 2:
        raise UsageError("an `edge` is a pair of nodes")
    text = _core.link_attack(
        over._core, (ends[0], ends[1]), over._find(seed), release, _checks.numbers_in("epsilon", epsilon),
        _checks.whole("trials", trials, 1, _MOST_TRIALS), _checks.optional(_checks.function, "progress", progress),
    )
    return _frame(pandas, json.loads(text)["attack"])


def reproduce(
    output: str | os.PathLike[str],
    figures: Iterable[str] = (),
    *,
    quick: bool = False,
    graphs: Iterable[str] = (),
    mechanisms: Iterable[str] = (),
    data: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Document:
    """Every figure of the paper, and ours, as CSV files and one page in the folder ``output``.

    ``graphs`` are names of the paper's, or files with graphs of your own; ``mechanisms`` are measured beside ours, such as
    those of :func:`register_mechanism`.

    >>> import hushwalk
    >>> made = hushwalk.reproduce("figures", ["rdp-steps"], quick=True)
    >>> [os.path.basename(table) for table in made.figures]
    ['rdp-steps.csv']
    """
    folder, real = _checks.path("output", output), "" if data is None else _checks.path("data", data)
    which, over = _checks.texts_in("figures", figures), _checks.texts_in("graphs", graphs)
    beside = _checks.texts_in("mechanisms", mechanisms)
    fast, watch = _checks.flag("quick", quick), _checks.optional(_checks.function, "progress", progress)
    command = f"hushwalk.reproduce({folder!r}{', quick=True' if quick else ''})"
    tables, page = _core.reproduce(which, over, beside, fast, real, command, folder, watch)
    return Document({"report": page, "figures": tables})


def register_mechanism(
    name: str,
    *,
    proof: str,
    released: Callable[[dict[str, int], dict[str, Any]], tuple[list[tuple[str, float]], list[tuple[str, list[float]]]]],
    count: Callable[[Graph, dict[int, float], dict[str, Any]], Sequence[Any]],
    score: Callable[[list[np.ndarray], dict[int, float]], Any],
) -> None:
    """Adds a mechanism of your own to this process: ``rank``, ``plan``, ``evaluate`` and ``audit`` then know its name.

    ``released(facts, parameters)`` says from public numbers what is released, as columns ``(words, part of the noise)``, and
    what one edge moves in them, as effects ``(kind of edge, [l1 in each column])``. ``count(graph, seed, parameters)``
    returns the columns before noise, whole numbers in units of 1/``UNIT``. ``score(columns, seed)`` makes the score of every
    node from the columns after noise. In columns, scores and the seed (weights by node) a node is its position in
    ``graph.nodes``. The library prices it, adds the noise, and certifies on your word: ``proof`` says where you argue for it.

    >>> import hushwalk
    >>> hushwalk.register_mechanism(
    ...     "degree_of_doctest",
    ...     proof="two ends of an edge, one link each",
    ...     released=lambda facts, parameters: ([("links of every node", 1)], [("any edge", [2])]),
    ...     count=lambda graph, seed, parameters: [[graph.degree(v) << 32 for v in graph.nodes]],
    ...     score=lambda columns, seed: columns[0],
    ... )
    >>> hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1, mechanism="degree_of_doctest").certificate.mechanism
    'degree_of_doctest'
    """

    def counted(core: _core.Graph, seed: list[tuple[int, float]], parameters: dict[str, Any]) -> Any:
        columns = count(Graph(core), dict(seed), parameters)
        return [np.asarray(column, dtype=np.int64).tolist() for column in columns]

    def scored(columns: list[np.ndarray], seed: list[tuple[int, float]]) -> Any:
        return np.asarray(score(columns, dict(seed)), dtype=float).tolist()

    for part, given in (("count", count), ("score", score)):
        _checks.function(part, given)
    _core.register_mechanism(
        _checks.text("name", name), _checks.text("proof", proof), _checks.function("released", released), counted, scored
    )
