"""A privacy budget that outlives the process."""
from __future__ import annotations

import datetime
import json
import os
import warnings
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Never, overload

from . import _checks, _core
from ._ask import AnyGraph, Coefficients, Shared, check_lasting, rank, request_of, share
from ._certificate import Verification
from ._document import Document
from ._errors import LedgerNotice, UsageError, WrongType
from ._graph import Graph, Node, as_graph
from ._ranking import Ranking, Rankings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._ask import RankOptions


def _key_of(key: str | os.PathLike[str] | None) -> str:
    """The file of a ledger's key; empty: the one beside it."""
    key = _checks.from_environment("key", key, "HUSHWALK_KEY")
    return "" if key is None else _checks.path("key", key)


def _in_file(graph: AnyGraph) -> tuple[Graph, str]:
    over = as_graph(graph)
    return over, check_lasting(over)


def _limits(**given: Any) -> dict[str, Any]:
    return {name: _checks.optional(_checks.number, name, value) for name, value in given.items()}


def _say(notices: list[str]) -> None:
    for notice in notices:
        warnings.warn(notice, LedgerNotice, stacklevel=3)


def _utc(time: Any) -> str:
    """A time as ledgers write it."""
    if isinstance(time, datetime.datetime):
        return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return _checks.text("before", time)


class Ledger:
    """The budget of a graph, in a file. Answers are charged before they are computed; the same question gets the stored
    answer and costs nothing. Any number of threads may use one, and any number of processes one file.

    >>> import hushwalk
    >>> graph = hushwalk.generate("karate")
    >>> graph.save("club.hwg")
    >>> with hushwalk.Ledger.create("club.ledger", graph, epsilon=1) as ledger:
    ...     first = ledger.rank(graph, 1, epsilon=0.4)
    ...     again = ledger.rank(graph, 1, epsilon=0.4)
    ...     first.nodes == again.nodes, ledger.remaining
    (True, 0.6)
    """

    def __init__(self, path: str | os.PathLike[str], *, key: str | os.PathLike[str] | None = None) -> None:
        """Opens one. ``key`` is the file with its key (default: HUSHWALK_KEY, or the file beside it with ``.key`` at its end)."""
        self.path = _checks.path("path", path)
        self._core: _core.Ledger | None = _core.Ledger(self.path, _key_of(key))

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        graph: AnyGraph,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        per_recipient: float | None = None,
        per_period: float | None = None,
        period: str | None = None,
        carry: bool = False,
        key: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> Ledger:
        """Gives a graph, which must be in a graph file, a budget: ``epsilon`` for all releases together, ``per_period`` for
        those of one period (``period`` is so many days, as in ``"30d"``, the default, or ``"month"``; ``carry`` adds what a period leaves
        to the next), or both; and perhaps ``per_recipient``, a limit for what one recipient sees. ``delta`` allows many small
        releases to cost less than their sum.

        Refused where the notes beside the graph file name a ledger already, unless ``force``: a second one knows nothing of what the
        first one charged.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("monthly.hwg")
        >>> hushwalk.Ledger.create("monthly.ledger", graph, per_period=0.5, period="month").show().period["length"]
        'month'
        """
        over, file = _in_file(graph)
        ledger = _checks.path("path", path)
        _say(_core.Ledger.create(
            ledger, file, over._core, **_limits(epsilon=epsilon, delta=delta, per_recipient=per_recipient, per_period=per_period),
            period=_checks.optional(_checks.text, "period", period), carry=_checks.flag("carry", carry), key=_key_of(key),
            force=_checks.flag("force", force),
        ))
        return cls(ledger, key=key)

    @property
    def remaining(self) -> float:
        """What may still be spent now: of the total, and of the present period where there is one."""
        state = self.show()
        return float(min(account["left"] for account in (state, state.get("period")) if account))

    @property
    def spent(self) -> float:
        """What is spent of the total."""
        return float(self.show().spent)

    def show(self) -> Document:
        """All accounts, as ``hushwalk ledger show``: the recipients if there are at most 100. For the custodian only.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("show.hwg")
        >>> ledger = hushwalk.Ledger.create("show.ledger", graph, epsilon=1)
        >>> ledger.show().epsilon
        1.0
        """
        return Document(self._open().state(None))

    def recipients(self, top: int | None = None) -> list[Document]:
        """What each recipient has spent, those who have spent most first; all, or so many. For the custodian only.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("recipients.hwg")
        >>> ledger = hushwalk.Ledger.create("recipients.ledger", graph, epsilon=1, per_recipient=0.5)
        >>> _ = ledger.rank(graph, 1, epsilon=0.25, recipient="ann")
        >>> [(account.recipient, account.spent) for account in ledger.recipients(5)]
        [('ann', 0.25)]
        """
        most = 2**64 - 1 if top is None else _checks.whole("top", top)
        return [Document(account) for account in Document(self._open().state(most)).recipients]

    def cost(
        self,
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
        recipient: str | None = None,
        publish: bool = False,
        **unknown: Never,
    ) -> Document:
        """What :meth:`rank` would charge for the same parameters, spending nothing. For the custodian only.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("cost.hwg")
        >>> ledger = hushwalk.Ledger.create("cost.ledger", graph, epsilon=1)
        >>> ledger.cost(graph, 1, epsilon=0.25).cost, ledger.remaining
        (0.25, 1.0)
        """
        for name in unknown:
            raise WrongType(f"a cost does not depend on `{name}`: it takes what `rank` takes, but for `ledger`, `key`, `signing_key` and `progress`")
        over = as_graph(graph)
        request = request_of(
            over, seed=seed, seeds=seeds, all=all, seed_set=seed_set, epsilon=epsilon, delta=delta, scope=scope,
            mechanism=mechanism, diffusion=diffusion, beta=beta, time=time, steps=steps, coefficients=coefficients, eta=eta,
            background=background, taper=taper, top=top, exclude_neighbors=exclude_neighbors, candidates=candidates,
            shared=shared, ledger=self, recipient=recipient, publish=publish,
        )
        return Document(_core.quote(over._core, request))

    @overload
    def rank(
        self, graph: AnyGraph, seed: Node | None = None, *, seeds: None = None, all: Literal[False] = False, **options: Unpack[RankOptions]
    ) -> Ranking: ...
    @overload
    def rank(self, graph: AnyGraph, *, seeds: Iterable[Node], **options: Unpack[RankOptions]) -> Rankings: ...
    @overload
    def rank(self, graph: AnyGraph, *, all: Literal[True], **options: Unpack[RankOptions]) -> Rankings: ...
    def rank(self, graph: AnyGraph, seed: Node | None = None, **options: Any) -> Any:
        """As :func:`hushwalk.rank`, on this budget. BudgetExceeded when it does not fit.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("rank.hwg")
        >>> ledger = hushwalk.Ledger.create("rank.ledger", graph, epsilon=1)
        >>> len(ledger.rank(graph, 1, epsilon=0.25, top=3)), ledger.remaining
        (3, 0.75)
        """
        return rank(graph, seed, ledger=self, **options)

    def share(self, graph: AnyGraph, **options: Any) -> Shared:
        """As :func:`hushwalk.share`, on this budget.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("share.hwg")
        >>> ledger = hushwalk.Ledger.create("share.ledger", graph, epsilon=1)
        >>> ledger.share(graph, epsilon=0.5).certificate.epsilon, ledger.remaining
        (0.5, 0.5)
        """
        return share(graph, ledger=self, **options)

    def entries(self) -> list[Document]:
        """Everything that was written into it, in order.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("entries.hwg")
        >>> ledger = hushwalk.Ledger.create("entries.ledger", graph, epsilon=1)
        >>> _ = ledger.rank(graph, 1, epsilon=0.25)
        >>> len(ledger.entries()) > 1
        True
        """
        return [Document(json.loads(line)) for line in self._open().entries()]

    def verify(self, head: str | None = None, *, accept_clock: bool = False, accept_head: bool = False) -> Verification:
        """Recomputes everything from the chain of entries; ``head`` is a hash noted earlier that must be among them.

        If all is intact, ``accept_clock`` goes on with the present time after the clock was wrong, and ``accept_head`` notes the ledger's
        head beside its key after that was lost, or the ledger was restored knowingly: what the old head counts and the ledger does not is charged.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("verify.hwg")
        >>> ledger = hushwalk.Ledger.create("verify.ledger", graph, epsilon=1)
        >>> ledger.verify().valid
        True
        """
        clock, anew = _checks.flag("accept_clock", accept_clock), _checks.flag("accept_head", accept_head)
        return Verification(*self._open().verify(_checks.optional(_checks.text, "head", head), clock, anew))

    def add_snapshot(self, graph: AnyGraph, *, force: bool = False) -> None:
        """A new snapshot of the same graph, as ``hushwalk ledger lineage``: it may be asked about too, and all budgets carry over.

        Refused where the notes beside the graph file name another ledger, unless ``force``.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("snapshot.hwg")
        >>> ledger = hushwalk.Ledger.create("snapshot.ledger", graph, epsilon=1)
        >>> newer = hushwalk.generate("karate")
        >>> newer.save("newer.hwg")
        >>> ledger.add_snapshot(newer)
        >>> _ = ledger.rank(newer, 1, epsilon=0.25)
        """
        over, file = _in_file(graph)
        _say(self._open().add_snapshot(file, over._core, _checks.flag("force", force)))

    def extend(
        self,
        *,
        epsilon: float | None = None,
        per_recipient: float | None = None,
        per_period: float | None = None,
        reason: str,
    ) -> None:
        """Raises limits, each by so much, for a reason that is kept.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("extend.hwg")
        >>> ledger = hushwalk.Ledger.create("extend.ledger", graph, epsilon=1)
        >>> ledger.extend(epsilon=0.5, reason="agreed by the board")
        >>> ledger.remaining
        1.5
        """
        limits = _limits(epsilon=epsilon, per_recipient=per_recipient, per_period=per_period)
        self._open().extend(**limits, reason=_checks.text("reason", reason))

    def backup(self, output: str | os.PathLike[str]) -> Verification:
        """Copies it while it is used, and says whether the copy is intact. Keep it apart from the key.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("backup.hwg")
        >>> ledger = hushwalk.Ledger.create("backup.ledger", graph, epsilon=1)
        >>> ledger.backup("backup.copy").valid
        True
        """
        return Verification(*self._open().backup(_checks.path("output", output)))

    def forget(
        self,
        *,
        older_than: int | None = None,
        before: str | datetime.datetime | None = None,
        new_epoch: bool = False,
        accept_head: bool = False,
    ) -> None:
        """Deletes what was released so many days ago or earlier (``older_than``), or ``before`` a time (a ``datetime``, or a text as in
        2026-01-31T12:00:00Z), and refuses it from then on; charges stay. ``new_epoch`` deletes all of it, and charges old
        questions anew from now on, with other noise; it makes a key if that is lost, and with ``accept_head`` takes the ledger as it is, if it
        is intact, where the head beside the key was lost, too.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("forget.hwg")
        >>> ledger = hushwalk.Ledger.create("forget.ledger", graph, epsilon=1)
        >>> ledger.forget(older_than=365)
        """
        days = None if older_than is None else _checks.whole("older_than", older_than, 0, 36_500)
        fresh, lost = _checks.flag("new_epoch", new_epoch), _checks.flag("accept_head", accept_head)
        _say(self._open().forget(None if before is None else _utc(before), days, fresh, lost))

    def compact(self) -> None:
        """Gives back the room of what was forgotten. All entries stay.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("compact.hwg")
        >>> ledger = hushwalk.Ledger.create("compact.ledger", graph, epsilon=1)
        >>> ledger.compact()
        """
        self._open().compact()

    def close(self) -> None:
        """Gives the file back.

        >>> import hushwalk
        >>> graph = hushwalk.generate("karate")
        >>> graph.save("close.hwg")
        >>> ledger = hushwalk.Ledger.create("close.ledger", graph, epsilon=1)
        >>> ledger.close()
        """
        self._core = None

    def _open(self) -> _core.Ledger:
        if self._core is None:
            raise UsageError(f"the ledger '{self.path}' is closed")
        return self._core

    def __reduce__(self) -> Any:
        raise WrongType("a ledger is a file and is not pickled: open it anew by its path")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._core is None else f"{self.remaining:g} left"
        return f"<Ledger '{self.path}', {state}>"
