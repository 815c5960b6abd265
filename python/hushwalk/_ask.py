"""The main job, and what it would promise. Names and defaults are those of the command line."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union, overload

from . import _core
from ._certificate import Certificate
from ._document import Document
from ._errors import Refused, UsageError
from ._graph import Graph, Node, Progress, as_graph
from ._ranking import Ranking, Rankings

if TYPE_CHECKING:
    from ._ledger import Ledger

    AnyLedger = Union["Ledger", str, os.PathLike[str]]

AnyGraph = Union[Graph, str, "os.PathLike[str]"]
Coefficients = Union[str, "os.PathLike[str]", Mapping[str, Sequence[float]], Sequence[Sequence[float]]]


# --- parameters -----------------------------------------------------------------------------------------------------


def diffusion_of(
    diffusion: str, beta: float | None, time: float | None, steps: int | None, coefficients: Coefficients | None
) -> _core.Diffusion:
    """The diffusion that parameters ask for; UsageError when they contradict each other."""
    if diffusion not in ("ppr", "pagerank", "heat", "custom"):
        raise UsageError(f"`diffusion` must be ppr, pagerank, heat or custom, not {diffusion!r}")
    if beta is not None and diffusion not in ("ppr", "pagerank"):
        raise UsageError(f"`beta` does not go with `diffusion {diffusion}`")
    if time is not None and diffusion != "heat":
        raise UsageError(f"`time` goes with `diffusion heat`, not {diffusion}")
    if (coefficients is not None) != (diffusion == "custom"):
        raise UsageError("`coefficients` go with `diffusion custom`, and it needs them")
    if diffusion == "custom":
        if steps is not None:
            raise UsageError("`steps` does not go with `diffusion custom`: its coefficients say how many")
        return _custom(coefficients)
    count = 100 if steps is None else steps
    if diffusion == "heat":
        return _core.Diffusion.heat(5 if time is None else time, count)
    walk = _core.Diffusion.ppr if diffusion == "ppr" else _core.Diffusion.pagerank
    return walk(0.8 if beta is None else beta, count)


def _custom(coefficients: Any) -> _core.Diffusion:
    if isinstance(coefficients, (str, os.PathLike)):
        return _core.Diffusion.custom_from_file(coefficients)
    if isinstance(coefficients, Mapping):
        lists = [list(coefficients[name]) for name in ("gamma1", "gamma2", "gamma3")]
        if len(set(map(len, lists))) != 1:
            raise UsageError("gamma1, gamma2 and gamma3 must have one number for each step")
        coefficients = list(zip(*lists))
    return _core.Diffusion.custom([(float(walk), float(stay), float(restart)) for walk, stay, restart in coefficients])


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def release_of(
    *,
    diffusion: _core.Diffusion,
    scope: str = "personalized",
    mechanism: str = "auto",
    epsilon: float | None = None,
    delta: float | None = None,
    eta: float | None = None,
    background: float | None = None,
    taper: float | None = None,
    rankings: int = 1,
    seeds_per_ranking: int = 1,
) -> dict[str, Any]:
    """Parameters by the names that all doors share."""
    return {
        "mechanism": mechanism,
        "scope": scope,
        "epsilon": _number(epsilon),
        "delta": _number(delta),
        "diffusion": diffusion,
        "eta": _number(eta),
        "background": _number(background),
        "taper": _number(taper),
        "rankings": rankings,
        "seeds_per_ranking": seeds_per_ranking,
    }


def _ledger_of(ledger: AnyLedger | None, graph: Graph) -> _core.Ledger | None:
    """The ledger that counts, by default the one that the environment names, as on the command line."""
    from ._ledger import Ledger

    if ledger is None:
        ledger = os.environ.get("HUSHWALK_LEDGER")
        if ledger is None:
            return None
        if ledger == "":
            raise UsageError("HUSHWALK_LEDGER is empty; give it a value, or leave it out")
    opened = ledger if isinstance(ledger, Ledger) else Ledger(ledger)
    check_lasting(graph)
    return opened._open()


def check_lasting(graph: Graph) -> None:
    if not graph._lasting:
        raise Refused(
            "the graph is in memory only and gets a new id every time it is made, so that nothing can be counted or kept for"
            " it; save() it as a graph file first, and from then on open() that"
        )


def _seeds_of(
    graph: Graph, seed: Node | None, seeds: Iterable[Node] | None, all: bool, seed_set: Any
) -> tuple[list[int], list[tuple[int, float]] | None]:
    ways = (seed is not None) + (seeds is not None) + bool(all) + (seed_set is not None)
    if ways != 1:
        raise UsageError("say whose ranking you want: one of `seed`, `seeds`, `all` and `seed_set`")
    if seed_set is not None:
        weights = seed_set if isinstance(seed_set, Mapping) else [(node, 1.0) for node in seed_set]
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        return [], [(graph._find(node), float(weight)) for node, weight in pairs]
    if all:
        return list(range(len(graph))), None
    return graph._find_all([seed] if seeds is None else seeds), None


def _answer(graph: Graph, request: _core.AnswerRequest, many: bool, progress: Progress | None) -> Ranking | Rankings:
    found, issued, quote = _core.ask(graph._core, request, progress)
    certificate = None if issued is None else Certificate(*issued)
    charged = None if quote is None else Document(quote)
    rankings = []
    for entries, nodes, scores, noise in found:
        weights = dict(zip(graph._core.labels([node for node, _ in entries]), (weight for _, weight in entries)))
        seed = next(iter(weights)) if len(weights) == 1 else weights
        rankings.append(Ranking(seed, graph._core.labels(nodes), scores, noise, certificate, charged))
    return Rankings(rankings, certificate, charged) if many else rankings[0]


# --- calls ----------------------------------------------------------------------------------------------------------


def request_of(
    graph: Graph,
    *,
    seed: Node | None = None,
    seeds: Iterable[Node] | None = None,
    all: bool = False,
    seed_set: Any = None,
    epsilon: float | None = None,
    delta: float | None = None,
    scope: str = "personalized",
    mechanism: str = "auto",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    eta: float | None = None,
    background: float | None = None,
    taper: float | None = None,
    top: int | None = 10,
    exclude_neighbors: bool = False,
    candidates: Iterable[Node] | None = None,
    exact: bool = False,
    shared: Shared | str | os.PathLike[str] | None = None,
    ledger: AnyLedger | None = None,
    recipient: str | None = None,
    publish: bool = False,
) -> _core.AnswerRequest:
    """What is asked, with nodes as positions."""
    given = (epsilon, delta, eta, background, taper)
    if shared is not None and (mechanism != "auto" or any(value is not None for value in given)):
        raise UsageError("`shared` uses an artefact whose privacy is fixed; it takes no `epsilon`, `mechanism` or other noise")
    if not exact and shared is None and epsilon is None:
        raise UsageError(
            "say how private the answer must be: `epsilon`, for example epsilon=1; or `shared` to use an artefact, or call"
            " exact_rank for the answer that is NOT private"
        )
    if recipient == "":
        raise UsageError("`recipient` is empty; give it a value, or leave it out")
    nodes, entries = _seeds_of(graph, seed, seeds, all, seed_set)
    artefact = shared if isinstance(shared, Shared) or shared is None else Shared.open(shared)
    return _core.AnswerRequest(
        seeds=nodes,
        seed_set=entries,
        parameters=release_of(
            diffusion=diffusion_of(diffusion, beta, time, steps, coefficients),
            scope=scope, mechanism=mechanism, epsilon=epsilon, delta=delta, eta=eta, background=background, taper=taper,
        ),
        exact=exact,
        shared=None if artefact is None else artefact._core,
        ledger=_ledger_of(ledger, graph),
        recipient=recipient or "",
        publish=publish,
        top=top,
        exclude_neighbors=exclude_neighbors,
        candidates=None if candidates is None else graph._find_all(candidates),
    )


@overload
def rank(
    graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Any
) -> Ranking: ...
@overload
def rank(graph: AnyGraph, *, seeds: Iterable[Node], **options: Any) -> Rankings: ...
@overload
def rank(graph: AnyGraph, *, all: Literal[True], **options: Any) -> Rankings: ...
def rank(  # type: ignore[misc]
    graph: AnyGraph,
    seed: Node | None = None,
    *,
    seeds: Iterable[Node] | None = None,
    all: bool = False,
    seed_set: Any = None,
    epsilon: float | None = None,
    delta: float | None = None,
    scope: str = "personalized",
    mechanism: str = "auto",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    eta: float | None = None,
    background: float | None = None,
    taper: float | None = None,
    top: int | None = 10,
    exclude_neighbors: bool = False,
    candidates: Iterable[Node] | None = None,
    shared: Shared | str | os.PathLike[str] | None = None,
    ledger: AnyLedger | None = None,
    recipient: str | None = None,
    publish: bool = False,
    progress: Progress | None = None,
) -> Ranking | Rankings:
    """A private ranking of the nodes that matter most to a seed, with a certificate of what it can leak.

    Whose: ``seed``; or ``seeds`` or ``all=True``, one ranking each; or ``seed_set``, several nodes together (a list, or a
    dictionary of weights).

    How private: ``epsilon`` is what each ranking may leak about an edge, smaller is more private; ``scope`` is
    ``personalized`` (the answer is for the owner of the seed, who knows its edges) or ``edge`` (every edge is protected, the
    answer may be published). ``shared`` answers from an artefact of :func:`share` at no further cost. Every call spends anew:
    only a ``ledger`` keeps count, and answers a repeated question from its store.

    What: ``diffusion`` is ``ppr`` (lazy walk), ``pagerank`` (simple walk), ``heat`` or ``custom``, with ``beta``, ``time``,
    ``steps``, ``coefficients`` (rows of gamma1, gamma2, gamma3). ``top`` nodes are listed, None: all. ``candidates`` are
    taken as public.

    ``progress`` is called with the name of a stage and the part that is done.

    >>> import hushwalk
    >>> result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1.0, top=5)
    >>> len(result), result.certificate.total_epsilon
    (5, 1.0)
    """
    over = as_graph(graph)
    request = request_of(
        over, seed=seed, seeds=seeds, all=all, seed_set=seed_set, epsilon=epsilon, delta=delta, scope=scope,
        mechanism=mechanism, diffusion=diffusion, beta=beta, time=time, steps=steps, coefficients=coefficients, eta=eta,
        background=background, taper=taper, top=top, exclude_neighbors=exclude_neighbors, candidates=candidates,
        shared=shared, ledger=ledger, recipient=recipient, publish=publish,
    )
    return _answer(over, request, seeds is not None or all, progress)


@overload
def exact_rank(
    graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Any
) -> Ranking: ...
@overload
def exact_rank(graph: AnyGraph, *, seeds: Iterable[Node], **options: Any) -> Rankings: ...
@overload
def exact_rank(graph: AnyGraph, *, all: Literal[True], **options: Any) -> Rankings: ...
def exact_rank(  # type: ignore[misc]
    graph: AnyGraph,
    seed: Node | None = None,
    *,
    seeds: Iterable[Node] | None = None,
    all: bool = False,
    seed_set: Any = None,
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    top: int | None = 10,
    exclude_neighbors: bool = False,
    candidates: Iterable[Node] | None = None,
    progress: Progress | None = None,
) -> Ranking | Rankings:
    """The exact ranking, which is NOT private: it depends on secret edges and is for the custodian only.

    Refused where HUSHWALK_LEDGER names a ledger.

    >>> import hushwalk
    >>> hushwalk.exact_rank(hushwalk.generate("karate"), 1, top=2)
    What matters to 1: exact, NOT private
       1  2  0.0547653
       2  3  0.0425907
    """
    over = as_graph(graph)
    request = request_of(
        over, seed=seed, seeds=seeds, all=all, seed_set=seed_set, diffusion=diffusion, beta=beta, time=time, steps=steps,
        coefficients=coefficients, top=top, exclude_neighbors=exclude_neighbors, candidates=candidates, exact=True,
    )
    return _answer(over, request, seeds is not None or all, progress)


class Plan(Document):
    """What a private answer would promise: parameters, noise, memory and time, and the ``certificate``."""

    def __init__(self, content: str | dict[str, Any], text: str) -> None:
        super().__init__(content)
        self.__dict__["certificate"] = Certificate(_certificate_json(content), text)
        self.__dict__["_content"] = self["plan"]

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n\n{self.certificate.text}"

    def __reduce__(self) -> Any:
        whole = {"plan": dict(self), "certificate": self.certificate.to_dict()}
        return type(self), (whole, self.certificate.text)


def _certificate_json(content: str | dict[str, Any]) -> str:
    import json

    from ._certificate import _encoded

    return _encoded((json.loads(content) if isinstance(content, str) else content)["certificate"])


def plan(
    graph: AnyGraph | None = None,
    *,
    nodes: int | None = None,
    max_edges: int | None = None,
    rankings: int = 1,
    seeds_per_ranking: int = 1,
    epsilon: float | None = None,
    delta: float | None = None,
    scope: str = "personalized",
    mechanism: str = "auto",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    eta: float | None = None,
    background: float | None = None,
    taper: float | None = None,
    exclude_neighbors: bool = False,
) -> Plan:
    """What a private answer would promise, spending nothing: for a graph, of which only public facts are used, or for one of
    ``nodes`` nodes (and at most ``max_edges`` edges) that is not there.

    >>> import hushwalk
    >>> hushwalk.plan(nodes=10_000, epsilon=0.5).mechanism
    'twohop'
    """
    if epsilon is None:
        raise UsageError("say how private the answer must be: `epsilon`, for example epsilon=1")
    if (graph is None) == (nodes is None):
        raise UsageError("say for which graph: one that is there, or `nodes` for one that is not")
    request = _core.AnswerRequest(
        seeds=[], seed_set=None, exact=False, shared=None, ledger=None, recipient="", publish=False, top=10,
        exclude_neighbors=exclude_neighbors, candidates=None,
        parameters=release_of(
            diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope, mechanism=mechanism,
            epsilon=epsilon, delta=delta, eta=eta, background=background, taper=taper, rankings=rankings,
            seeds_per_ranking=seeds_per_ranking,
        ),
    )
    if graph is None:
        assert nodes is not None
        return Plan(*_core.plan_for(nodes, max_edges, request))
    if max_edges is not None:
        raise UsageError("`max_edges` goes with `nodes`; a graph has its own bound")
    return Plan(*_core.plan(as_graph(graph)._core, request))


class Shared:
    """One noisy artefact that serves every seed, for ever, at no further cost. It may be published."""

    def __init__(self, core: _core.SharedArtefact, charged: Document | None = None) -> None:
        self._core = core
        #: what a ledger charged, if there is one. For the custodian only.
        self.charged = charged

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Shared:
        """The artefact in a file; Failed when it is damaged or its certificate does not hold."""
        return cls(_core.SharedArtefact.open(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it, whole or not at all."""
        self._core.save(path)

    @property
    def certificate(self) -> Certificate:
        """What it promises."""
        return Certificate(*self._core.certificate())

    def rank(self, graph: AnyGraph, seed: Node | None = None, **options: Any) -> Any:
        """As :func:`rank`, from this artefact."""
        return rank(graph, seed, shared=self, **options)

    def __repr__(self) -> str:
        return f"<Shared artefact, epsilon {self.certificate.epsilon:g} for all answers together>"

    def __reduce__(self) -> Any:
        return _parsed, (self._core.bytes(), self.charged)


def _parsed(content: bytes, charged: Document | None) -> Shared:
    return Shared(_core.SharedArtefact.parse(content), charged)


def share(
    graph: AnyGraph,
    *,
    epsilon: float,
    taper: float | None = None,
    ledger: AnyLedger | None = None,
    recipient: str | None = None,
    publish: bool = False,
) -> Shared:
    """Makes one private artefact that serves every node: everybody's answers from one budget.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> artefact = hushwalk.share(graph, epsilon=1)
    >>> everybody = artefact.rank(graph, all=True, top=3)
    >>> len(everybody), everybody.certificate.total_epsilon
    (34, 1.0)
    """
    over = as_graph(graph)
    if recipient == "":
        raise UsageError("`recipient` is empty; give it a value, or leave it out")
    parameters = release_of(diffusion=diffusion_of("ppr", None, None, None, None), epsilon=epsilon, taper=taper)
    artefact, charged = _core.share(over._core, parameters, _ledger_of(ledger, over), recipient or "", publish)
    return Shared(artefact, None if charged is None else Document(charged))


def calibrate(
    *,
    epsilon: float,
    delta: float | None = None,
    mechanism: str = "paper",
    scope: str = "personalized",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    eta: float = 1e-6,
    draws: int | None = None,
) -> Document:
    """The noise that a privacy target needs, for ``paper`` (noise in every step) or ``output`` (at the end).

    >>> import hushwalk
    >>> found = hushwalk.calibrate(epsilon=1, mechanism="output")
    >>> found.epsilon <= 1
    True
    """
    made = diffusion_of(diffusion, beta, time, steps, coefficients)
    return Document(_core.calibrate(made, mechanism, float(eta), scope, draws, float(epsilon), _number(delta)))


def account(
    *,
    laplace_scale: float,
    delta: float | None = None,
    mechanism: str = "paper",
    scope: str = "personalized",
    diffusion: str = "ppr",
    beta: float | None = None,
    time: float | None = None,
    steps: int | None = None,
    coefficients: Coefficients | None = None,
    eta: float = 1e-6,
    draws: int | None = None,
    order: float | None = None,
    accountant: str = "best",
) -> Document:
    """How private a given noise is: ``laplace_scale`` is the b of the density ``exp(-|x|/b) / 2b``.

    >>> import hushwalk
    >>> noise = hushwalk.calibrate(epsilon=1).laplace_scale
    >>> round(hushwalk.account(laplace_scale=noise).epsilon, 6)
    1.0
    """
    made = diffusion_of(diffusion, beta, time, steps, coefficients)
    return Document(
        _core.account(made, mechanism, float(eta), scope, draws, float(laplace_scale), _number(delta), _number(order), accountant)
    )
