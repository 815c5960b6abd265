"""The main job, and what it would promise. Names and defaults are those of the command line."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, overload

from . import _checks, _core
from ._certificate import Certificate, SigningKey, signing_key_of
from ._document import Document
from ._errors import Refused, UsageError, WrongType
from ._graph import Graph, Node, Progress, as_graph
from ._ranking import Ranking, Rankings

AnyGraph = Union[Graph, str, "os.PathLike[str]"]
Coefficients = Union[str, "os.PathLike[str]", Mapping[str, Sequence[float]], Sequence[Sequence[float]]]

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._ledger import Ledger

    AnyLedger = Union["Ledger", str, os.PathLike[str]]

    class ExactOptions(TypedDict, total=False):
        """What all overloads have in common, for those who check types; the functions themselves say it with defaults."""

        seed_set: Any
        diffusion: str
        beta: float | None
        time: float | None
        steps: int | None
        coefficients: Coefficients | None
        top: int | None
        exclude_neighbors: bool
        candidates: Iterable[Node] | None
        progress: Progress | None

    class RankOptions(ExactOptions, total=False):
        epsilon: float | None
        delta: float | None
        scope: str
        mechanism: str
        eta: float | None
        background: float | None
        taper: float | None
        shared: Shared | str | os.PathLike[str] | None
        ledger: AnyLedger | None
        key: str | os.PathLike[str] | None
        recipient: str | None
        publish: bool
        signing_key: SigningKey | str | os.PathLike[str] | None


# --- parameters -----------------------------------------------------------------------------------------------------


def diffusion_of(
    diffusion: str, beta: float | None, time: float | None, steps: int | None, coefficients: Coefficients | None
) -> _core.Diffusion:
    """The diffusion that parameters ask for; UsageError when they contradict each other."""
    return _core.Diffusion.make(
        _checks.text("diffusion", diffusion),
        _checks.optional(_checks.number, "beta", beta),
        _checks.optional(_checks.number, "time", time),
        None if steps is None else _checks.whole("steps", steps, 1, 2**31 - 1),
        None if coefficients is None else _custom(coefficients),
    )


def _custom(coefficients: Any) -> _core.Diffusion:
    if isinstance(coefficients, (str, os.PathLike)):
        return _core.Diffusion.custom_from_file(_checks.path("coefficients", coefficients))
    if isinstance(coefficients, Mapping):
        names = ("gamma1", "gamma2", "gamma3")
        if set(coefficients) != set(names):
            raise UsageError("`coefficients` has the lists gamma1, gamma2 and gamma3")
        lists = [_checks.listed(name, coefficients[name]) for name in names]
        if len(set(map(len, lists))) != 1:
            raise UsageError("gamma1, gamma2 and gamma3 must have one number for each step")
        coefficients = list(zip(*lists))
    rows = [_checks.numbers_in("coefficients", row) for row in _checks.listed("coefficients", coefficients)]
    if not all(len(row) == 3 for row in rows):
        raise UsageError("a row of `coefficients` has three numbers: gamma1, gamma2 and gamma3 of a step")
    return _core.Diffusion.custom([(walk, stay, restart) for walk, stay, restart in rows])


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
    given = {"epsilon": epsilon, "delta": delta, "eta": eta, "background": background, "taper": taper}
    return {
        "mechanism": _checks.text("mechanism", mechanism),
        "scope": _checks.text("scope", scope),
        "diffusion": diffusion,
        **{name: _checks.optional(_checks.number, name, value) for name, value in given.items()},
        "rankings": _checks.whole("rankings", rankings, 1),
        "seeds_per_ranking": _checks.whole("seeds_per_ranking", seeds_per_ranking, 1),
    }


def _ledger_of(ledger: AnyLedger | None, key: str | os.PathLike[str] | None, graph: Graph) -> _core.Ledger | None:
    """The ledger that counts, by default the one that the environment names, as on the command line."""
    from ._ledger import Ledger

    ledger = _checks.from_environment("ledger", ledger, "HUSHWALK_LEDGER")
    if key is not None and (ledger is None or isinstance(ledger, Ledger)):
        raise UsageError("`key` goes with `ledger`, the name of its file; one that is open has its key")
    if ledger is None:
        return None
    opened = ledger if isinstance(ledger, Ledger) else Ledger(_checks.path("ledger", ledger), key=key)
    check_lasting(graph)
    return opened._open()


def check_lasting(graph: Graph) -> str:
    """The file that the graph is in."""
    if graph._file is None:
        raise Refused(
            "the graph is in memory only and gets a new id every time it is made, so that nothing can be counted or kept for"
            " it; save() it as a graph file first, and from then on open() that"
        )
    return graph._file


def _seeds_of(
    graph: Graph, seed: Node | None, seeds: Iterable[Node] | None, all: bool, seed_set: Any
) -> tuple[list[int], list[tuple[int, float]] | None]:
    if isinstance(seed, Mapping):
        raise WrongType("`seed` is one node; a dictionary of weights is `seed_set`, one ranking for all of them together")
    if isinstance(seed, Iterable) and not isinstance(seed, (str, bytes)):
        raise WrongType("`seed` is one node; several are `seeds`, a ranking each, or `seed_set`, one ranking for all of them together")
    ways = (seed is not None) + (seeds is not None) + _checks.flag("all", all) + (seed_set is not None)
    if ways != 1:
        raise UsageError("say whose ranking you want: one of `seed`, `seeds`, `all` and `seed_set`")
    if seed_set is not None:
        return [], [(graph._find(node), weight) for node, weight in _checks.weights("seed_set", seed_set)]
    if all:
        return list(range(len(graph))), None
    return graph._find_all("seeds", [seed] if seeds is None else seeds), None


def _answer(
    graph: Graph, request: _core.AnswerRequest, many: bool, progress: Progress | None, key: _core.SigningKey | None = None
) -> Ranking | Rankings:
    found, issued, quote, document = _core.ask(
        graph._core, request, key, _checks.optional(_checks.function, "progress", progress)
    )
    certificate = None if issued is None else Certificate(*issued)
    charged = None if quote is None else Document(quote)
    rankings = []
    for entries, nodes, scores, noise, low, high in found:
        weights = dict(zip(graph._core.labels([node for node, _ in entries]), (weight for _, weight in entries)))
        seed = weights if request.seed_set else next(iter(weights))
        own = None if many else document
        labels = graph._core.labels(nodes)
        rankings.append(Ranking(seed, labels, scores, noise, low, high, certificate, charged, own))
    return Rankings(rankings, certificate, charged, document) if many else rankings[0]


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
    key: str | os.PathLike[str] | None = None,
    recipient: str | None = None,
    publish: bool = False,
) -> _core.AnswerRequest:
    """What is asked, with nodes as positions."""
    parameters = release_of(
        diffusion=diffusion_of(diffusion, beta, time, steps, coefficients),
        scope=scope, mechanism=mechanism, epsilon=epsilon, delta=delta, eta=eta, background=background, taper=taper,
    )
    otherwise = "; or `shared` to use an artefact, or call exact_rank for the answer that is NOT private"
    _core.check_privacy(epsilon is not None, parameters, exact, shared is not None, otherwise)
    nodes, entries = _seeds_of(graph, seed, seeds, all, seed_set)
    artefact = shared if isinstance(shared, Shared) or shared is None else Shared.open(_checks.path("shared", shared))
    return _core.AnswerRequest(
        seeds=nodes,
        seed_set=entries,
        parameters=parameters,
        exact=exact,
        shared=None if artefact is None else artefact._core,
        ledger=_ledger_of(ledger, key, graph),
        recipient="" if recipient is None else _checks.text("recipient", recipient),
        publish=_checks.flag("publish", publish),
        top=_checks.optional(_checks.whole, "top", top),
        exclude_neighbors=_checks.flag("exclude_neighbors", exclude_neighbors),
        candidates=None if candidates is None else graph._find_all("candidates", candidates),
    )


@overload
def rank(
    graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Unpack[RankOptions]
) -> Ranking: ...
@overload
def rank(graph: AnyGraph, *, seeds: Iterable[Node], **options: Unpack[RankOptions]) -> Rankings: ...
@overload
def rank(graph: AnyGraph, *, all: Literal[True], **options: Unpack[RankOptions]) -> Rankings: ...
def rank(
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
    key: str | os.PathLike[str] | None = None,
    recipient: str | None = None,
    publish: bool = False,
    signing_key: SigningKey | str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Ranking | Rankings:
    """A private ranking of the nodes that matter most to a seed, with a certificate of what it can leak.

    Whose: ``seed``; or ``seeds`` or ``all=True``, one ranking each; or ``seed_set``, several nodes together (a list, or a
    dictionary of weights).

    How private: ``epsilon`` is what each ranking may leak about an edge, smaller is more private; ``scope`` is
    ``personalized`` (the answer is for the owner of the seed, who knows its edges) or ``edge`` (every edge is protected, the
    answer may be published). ``shared`` answers from an artefact of :func:`share` at no further cost. Every call spends anew:
    only a ``ledger`` keeps count, and answers a repeated question from its store. ``signing_key`` signs the certificate.

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
        shared=shared, ledger=ledger, key=key, recipient=recipient, publish=publish,
    )
    return _answer(over, request, seeds is not None or all, progress, signing_key_of(signing_key))


@overload
def exact_rank(
    graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Unpack[ExactOptions]
) -> Ranking: ...
@overload
def exact_rank(graph: AnyGraph, *, seeds: Iterable[Node], **options: Unpack[ExactOptions]) -> Rankings: ...
@overload
def exact_rank(graph: AnyGraph, *, all: Literal[True], **options: Unpack[ExactOptions]) -> Rankings: ...
def exact_rank(
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
      rank  node  score
         1  2     0.0547653
         2  3     0.0425907
    """
    over = as_graph(graph)
    request = request_of(
        over, seed=seed, seeds=seeds, all=all, seed_set=seed_set, diffusion=diffusion, beta=beta, time=time, steps=steps,
        coefficients=coefficients, top=top, exclude_neighbors=exclude_neighbors, candidates=candidates, exact=True,
    )
    return _answer(over, request, seeds is not None or all, progress)


_BESIDE_A_PLAN = ("weak_points", "why", "expects", "alternative")


class Plan(Document):
    """What a private answer would promise: parameters, noise, memory and time, and the ``certificate``; the ``weak_points`` of the
    promise, a sentence each; ``why`` this mechanism, what one ``expects`` of it, and an ``alternative`` with its price, or None.

    >>> import hushwalk
    >>> plan = hushwalk.plan(nodes=1000, epsilon=1)
    >>> plan.certificate.epsilon, len(plan.weak_points)
    (1.0, 0)
    >>> plan.mechanism, plan.alternative["mechanism"]
    ('twohop', 'frontier')
    """

    certificate: Certificate
    weak_points: list[str]
    why: str
    expects: str
    alternative: dict[str, Any] | None

    def __init__(self, content: str | dict[str, Any], text: str) -> None:
        super().__init__(content)
        self.__dict__["certificate"] = Certificate(_certificate_json(content), text)
        for name in _BESIDE_A_PLAN:
            self.__dict__[name] = self[name]
        self.__dict__["_content"] = self["plan"]

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n\n{self.certificate.text}"

    def __reduce__(self) -> Any:
        beside: dict[str, Any] = {name: self.__dict__[name] for name in _BESIDE_A_PLAN}
        whole = {**beside, "plan": dict(self), "certificate": self.certificate.to_dict()}
        return type(self), (whole, self.certificate.text)


def _certificate_json(content: str | dict[str, Any]) -> str:
    import json

    from ._certificate import _encoded

    return _encoded((json.loads(content) if isinstance(content, str) else content)["certificate"])


def plan(
    graph: AnyGraph | None = None,
    seed: Node | None = None,
    *,
    seeds: Iterable[Node] | None = None,
    all: bool = False,
    seed_set: Any = None,
    nodes: int | None = None,
    max_edges: int | None = None,
    rankings: int | None = None,
    seeds_per_ranking: int | None = None,
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
) -> Plan:
    """What a private answer would promise, spending nothing: for a graph, of which only public facts are used, or for one of
    ``nodes`` nodes (and at most ``max_edges`` edges) that is not there. How many answers: as many as there are seeds, or
    ``rankings`` (1) of at most ``seeds_per_ranking`` (1) seeds each.

    >>> import hushwalk
    >>> hushwalk.plan(nodes=10_000, epsilon=0.5).mechanism
    'twohop'
    """
    _core.check_privacy(epsilon is not None, {}, False, False, "")
    if (graph is None) == (nodes is None):
        raise UsageError("say for which graph: one that is there, or `nodes` for one that is not")
    over = None if graph is None else as_graph(graph)
    named = seed is not None or seeds is not None or _checks.flag("all", all) or seed_set is not None
    if named and (rankings is not None or seeds_per_ranking is not None):
        raise UsageError("give seeds, or `rankings` and `seeds_per_ranking`, not both")
    if over is None and (named or candidates is not None):
        raise UsageError("without a graph say `rankings` and `seeds_per_ranking` instead of seeds or candidates")
    positions, entries = _seeds_of(over, seed, seeds, all, seed_set) if over is not None and named else ([], None)
    request = _core.AnswerRequest(
        seeds=positions, seed_set=entries, exact=False, shared=None, ledger=None, recipient="", publish=False,
        top=_checks.optional(_checks.whole, "top", top), exclude_neighbors=_checks.flag("exclude_neighbors", exclude_neighbors),
        candidates=None if over is None or candidates is None else over._find_all("candidates", candidates),
        parameters=release_of(
            diffusion=diffusion_of(diffusion, beta, time, steps, coefficients), scope=scope, mechanism=mechanism,
            epsilon=epsilon, delta=delta, eta=eta, background=background, taper=taper,
            rankings=1 if rankings is None else rankings,
            seeds_per_ranking=1 if seeds_per_ranking is None else seeds_per_ranking,
        ),
    )
    if over is None:
        bound = _checks.optional(_checks.whole, "max_edges", max_edges)
        return Plan(*_core.plan_for(_checks.whole("nodes", nodes), bound, request))
    if max_edges is not None:
        raise UsageError("`max_edges` goes with `nodes`; a graph has its own bound")
    return Plan(*_core.plan(over._core, request))


class Shared:
    """One noisy artefact that serves every seed, for ever, at no further cost. It may be published.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> artefact = hushwalk.share(graph, epsilon=1)
    >>> len(artefact.rank(graph, 1, top=3)), artefact.certificate.scope
    (3, 'edge')
    """

    def __init__(self, core: _core.SharedArtefact, charged: Document | None = None) -> None:
        if not isinstance(core, _core.SharedArtefact):
            raise WrongType("an artefact is made by share, or read by Shared.open")
        self._core = core
        #: what a ledger charged, if there is one. For the custodian only.
        self.charged = charged

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Shared:
        """The artefact in a file; Failed when it is damaged or its certificate does not hold.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> hushwalk.share(graph, epsilon=1).save("club.share")
        >>> hushwalk.Shared.open("club.share").certificate.epsilon
        1.0
        """
        return cls(_core.SharedArtefact.open(_checks.path("path", path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it, whole or not at all.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> hushwalk.share(graph, epsilon=1).save("kept.share")
        >>> hushwalk.verify("kept.share").valid
        True
        """
        self._core.save(_checks.path("path", path))

    @property
    def certificate(self) -> Certificate:
        """What it promises."""
        return Certificate(*self._core.certificate())

    @overload
    def rank(
        self, graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Unpack[RankOptions]
    ) -> Ranking: ...
    @overload
    def rank(self, graph: AnyGraph, *, seeds: Iterable[Node], **options: Unpack[RankOptions]) -> Rankings: ...
    @overload
    def rank(self, graph: AnyGraph, *, all: Literal[True], **options: Unpack[RankOptions]) -> Rankings: ...
    def rank(self, graph: AnyGraph, seed: Node | None = None, **options: Any) -> Any:
        """As :func:`rank`, from this artefact.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> artefact = hushwalk.share(graph, epsilon=1)
        >>> artefact.rank(graph, 1, top=3).certificate.scope
        'personalized'
        """
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
    mechanism: str = "auto",
    taper: float | None = None,
    ledger: AnyLedger | None = None,
    key: str | os.PathLike[str] | None = None,
    recipient: str | None = None,
    publish: bool = False,
    signing_key: SigningKey | str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Shared:
    """Makes one private artefact that serves every node: everybody's answers from one budget.

    ``mechanism`` is ``circles``, ``shared``, or ``auto``, which takes ``circles`` from epsilon 0.25 on. ``signing_key`` signs the
    certificate, which is then bound to the artefact's numbers. ``progress`` as in :func:`rank`; what stops the work leaves no
    artefact, but a charge to a ledger stays, and the same call goes on from it.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> artefact = hushwalk.share(graph, epsilon=1)
    >>> everybody = artefact.rank(graph, all=True, top=3)
    >>> len(everybody), everybody.certificate.total_epsilon
    (34, 1.0)
    """
    over = as_graph(graph)
    walk = diffusion_of("ppr", None, None, None, None)
    parameters = release_of(diffusion=walk, mechanism=mechanism, epsilon=_checks.number("epsilon", epsilon), taper=taper)
    artefact, charged = _core.share(
        over._core, parameters, _ledger_of(ledger, key, over),
        "" if recipient is None else _checks.text("recipient", recipient), _checks.flag("publish", publish),
        signing_key_of(signing_key), _checks.optional(_checks.function, "progress", progress),
    )
    return Shared(artefact, None if charged is None else Document(charged))


def _design(diffusion: _core.Diffusion, mechanism: str, eta: float, scope: str, draws: int | None) -> dict[str, Any]:
    return {
        "diffusion": diffusion,
        "mechanism": _checks.text("mechanism", mechanism),
        "eta": _checks.number("eta", eta),
        "scope": _checks.text("scope", scope),
        "draws": _checks.optional(_checks.whole, "draws", draws, 1, 2**31 - 1),
    }


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
    design = _design(diffusion_of(diffusion, beta, time, steps, coefficients), mechanism, eta, scope, draws)
    wanted = _checks.number("epsilon", epsilon)
    return Document(_core.calibrate(**design, epsilon=wanted, delta=_checks.optional(_checks.number, "delta", delta)))


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
    design = _design(diffusion_of(diffusion, beta, time, steps, coefficients), mechanism, eta, scope, draws)
    scale = _checks.number("laplace_scale", laplace_scale)
    limits = {name: _checks.optional(_checks.number, name, value) for name, value in (("delta", delta), ("order", order))}
    return Document(_core.account(**design, laplace_scale=scale, **limits, accountant=_checks.text("accountant", accountant)))
