"""Answers: a ranking, or many under one certificate."""
from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from . import _checks, _core
from ._certificate import Certificate
from ._document import Document
from ._errors import UsageError
from ._graph import Node

_SHOWN = 20  # rows of a ranking that is printed
_RANGES = "exact rank: within this range about 90 times of 100"
_COLUMNS = ["seed", "rank", "node", "score", "noise_sd", "rank_low", "rank_high"]


class Answer:
    """What one ranking and many have in common."""

    def __init__(self, certificate: Certificate | None, charged: Document | None, document: str | None) -> None:
        self._certificate = certificate
        #: what a ledger charged, if there is one. For the custodian only.
        self.charged = charged
        self._document = document

    @property
    def private(self) -> bool:
        """False for exact answers, which are for the custodian only."""
        return self._certificate is not None

    @property
    def certificate(self) -> Certificate:
        """What the answer promises. An exact answer has none."""
        if self._certificate is None:
            raise AttributeError("an exact answer is not private and has no certificate")
        return self._certificate

    @property
    def json(self) -> str:
        """The answer with its certificate, as the command line writes it with ``--json``. The certificate is bound to this text."""
        if self._document is None:
            raise UsageError("this ranking is one of many under one certificate: take the document of all of them")
        return self._document

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``json``, readable by its owner only; whole or not at all. ``verify`` takes such a file.

        >>> import hushwalk
        >>> hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1).save("answer.json")
        >>> hushwalk.verify("answer.json").checked.answer
        True
        """
        _core.write_text(_checks.path("path", path), self.json)

    def _promise_html(self) -> str:
        if self._certificate is None:
            return "<p>Exact: it depends on secret edges and is for the custodian only.</p>"
        return f"<details open><summary>What this promises</summary><pre>{html.escape(self.certificate.text)}</pre></details>"


class RankedNode(NamedTuple):
    """One row of a ranking.

    >>> import hushwalk
    >>> best = hushwalk.exact_rank(hushwalk.generate("karate"), 1)[0]
    >>> best.node, best.score > 0
    (2, True)
    """

    node: Node
    score: float
    noise_sd: float | None
    #: the exact rank lies between these two with a probability of about 0.9; None where nothing is said
    rank_low: int | None = None
    rank_high: int | None = None


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _whole_or_none(value: float) -> int | None:
    return None if np.isnan(value) else int(value)


def _noise(row: RankedNode) -> str:
    return "" if row.noise_sd is None else f"± {row.noise_sd:.2g}"


def _range(row: RankedNode) -> str:
    return "" if row.rank_low is None else f"{row.rank_low}-{row.rank_high}"


class Ranking(Answer, Sequence[RankedNode]):
    """The nodes that matter most to a seed, best first; the seed itself is never among them.

    >>> import hushwalk
    >>> result = hushwalk.exact_rank(hushwalk.generate("karate"), 1, top=3)
    >>> [row.node for row in result], len(result)
    ([2, 3, 4], 3)
    """

    def __init__(
        self,
        seed: Node | dict[Node, float],
        nodes: list[Node],
        scores: np.ndarray,
        noise_sd: np.ndarray,
        rank_low: np.ndarray,
        rank_high: np.ndarray,
        certificate: Certificate | None,
        charged: Document | None = None,
        document: str | None = None,
    ) -> None:
        super().__init__(certificate, charged, document)
        #: the seed, or the seeds of a set with their weights
        self.seed = seed
        #: the nodes, best first
        self.nodes = nodes
        #: their scores
        self.scores = scores
        #: the standard deviation of the noise in each score as far as it is public, else NaN
        self.noise_sd = noise_sd
        #: the exact rank of each, among the nodes that may be listed, lies between these two, both included, with a
        #: probability of about 0.9; NaN where nothing is said of it
        self.rank_low, self.rank_high = rank_low, rank_high

    def __len__(self) -> int:
        return len(self.nodes)

    @overload
    def __getitem__(self, index: int) -> RankedNode: ...
    @overload
    def __getitem__(self, index: slice) -> list[RankedNode]: ...
    def __getitem__(self, index: int | slice) -> RankedNode | list[RankedNode]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return RankedNode(
            self.nodes[index],
            float(self.scores[index]),
            _or_none(self.noise_sd[index]),
            _whole_or_none(self.rank_low[index]),
            _whole_or_none(self.rank_high[index]),
        )

    def __iter__(self) -> Iterator[RankedNode]:
        return (self[i] for i in range(len(self)))

    def to_pandas(self) -> Any:
        """A frame with the columns node, score, noise_sd, rank_low and rank_high, in the order of the ranking; its index is the rank, from 1.

        >>> import hushwalk
        >>> list(hushwalk.exact_rank(hushwalk.generate("karate"), 1).to_pandas().columns)
        ['node', 'score', 'noise_sd', 'rank_low', 'rank_high']
        """
        pandas = _checks.library("pandas", "a frame")
        index = pandas.RangeIndex(1, len(self) + 1, name="rank")
        columns = {"node": self.nodes, "score": self.scores, "noise_sd": self.noise_sd}
        for name, ranks in (("rank_low", self.rank_low), ("rank_high", self.rank_high)):
            columns[name] = pandas.array(ranks, dtype="Int64")  # missing where nothing is said
        return pandas.DataFrame(columns, index=index)

    def plot(self, ax: Any = None, *, top: int = 20) -> Any:
        """Horizontal bars of the best nodes, with the noise as whiskers. Needs matplotlib; returns the axes.

        >>> import hushwalk, matplotlib
        >>> matplotlib.use("Agg")  # without a screen
        >>> axes = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1).plot(top=5)
        >>> len(axes.patches)
        5
        """
        _checks.whole("top", top, 1)
        if ax is None:
            pyplot = _checks.library("matplotlib.pyplot", "a plot")
            ax = pyplot.figure(figsize=(6, 0.3 * min(top, len(self)) + 1.2)).subplots()
        count = min(top, len(self))
        noise = self.noise_sd[:count]
        ax.barh(range(count), self.scores[:count], xerr=None if np.isnan(noise).any() else noise)
        ax.set_yticks(range(count), [str(node) for node in self.nodes[:count]])
        ax.invert_yaxis()
        ax.set_xlabel("score")
        ax.set_title(self._title())
        return ax

    def _owner(self) -> str:
        return f"a set of {len(self.seed)} seeds" if isinstance(self.seed, dict) else f"{self.seed}"

    def _title(self) -> str:
        owner = self._owner()
        if self._certificate is None:
            return f"What matters to {owner}: exact, NOT private"
        return f"What matters to {owner}: epsilon {self.certificate.epsilon:g}, {self.certificate.scope} scope"

    def __repr__(self) -> str:
        rows = self[:_SHOWN]
        columns = [
            ["rank", *(str(rank) for rank in range(1, len(rows) + 1))],
            ["node", *(str(row.node) for row in rows)],
            ["score", *(f"{row.score:.6g}" for row in rows)],
        ]
        noise, ranges = [_noise(row) for row in rows], [_range(row) for row in rows]
        columns += [[name, *cells] for name, cells in (("noise", noise), ("exact rank", ranges)) if any(cells)]
        widths = [max(map(len, column)) for column in columns]
        lines = [self._title()]
        for first, *others in zip(*columns):
            cells = (f"{cell:<{width}}" for cell, width in zip(others, widths[1:]))
            lines.append(f"  {first:>{widths[0]}}  {'  '.join(cells)}".rstrip())
        if len(self) > _SHOWN:
            lines.append(f"  … {len(self) - _SHOWN} more")
        if any(ranges):
            lines.append(f"  {_RANGES}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = self[:_SHOWN]
        largest = max((row.score for row in rows), default=0.0)
        ranged = any(map(_range, rows))
        body = ""
        for rank, row in enumerate(rows, 1):
            width = max(0.0, row.score / largest) if largest > 0 else 0.0
            bar = f'<div style="background:#4c78a8;height:0.8em;width:{12 * width:.2f}em"></div>'
            cells = [str(rank), html.escape(str(row.node)), bar, f"{row.score:.4g} {_noise(row)}".rstrip(), *([_range(row)] if ranged else [])]
            body += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        names = ["rank", "node", "", "score", *(["exact rank"] if ranged else [])]
        more = f"<p>… {len(self) - _SHOWN} more</p>" if len(self) > _SHOWN else ""
        return (
            f"<p><b>{html.escape(self._title())}</b></p><table><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"
            f"{body}</table>{more}{f'<p>{_RANGES}</p>' if ranged else ''}{self._promise_html()}"
        )


class Rankings(Answer, Sequence[Ranking]):
    """One ranking for each seed, under one certificate.

    A file of everybody's answers is for the custodian to hand out, not to publish: each is for the owner of its seed.

    >>> import hushwalk
    >>> results = hushwalk.rank(hushwalk.generate("karate"), seeds=[1, 34], epsilon=0.5)
    >>> [ranking.seed for ranking in results], results.certificate.total_epsilon
    ([1, 34], 1.0)
    """

    def __init__(
        self,
        rankings: list[Ranking],
        certificate: Certificate | None,
        charged: Document | None = None,
        document: str | None = None,
    ) -> None:
        super().__init__(certificate, charged, document)
        self._rankings = rankings

    def __len__(self) -> int:
        return len(self._rankings)

    @overload
    def __getitem__(self, index: int) -> Ranking: ...
    @overload
    def __getitem__(self, index: slice) -> list[Ranking]: ...
    def __getitem__(self, index: int | slice) -> Ranking | list[Ranking]:
        return self._rankings[index]

    def to_pandas(self) -> Any:
        """One frame, with the seeds in a column of their own.

        >>> import hushwalk
        >>> frame = hushwalk.exact_rank(hushwalk.generate("karate"), seeds=[1, 34], top=3).to_pandas()
        >>> len(frame), list(frame.columns)[0]
        (6, 'seed')
        """
        pandas = _checks.library("pandas", "a frame")
        frames = [ranking.to_pandas().reset_index().assign(seed=str(ranking.seed) if isinstance(ranking.seed, dict) else ranking.seed)
                  for ranking in self]
        if not frames:
            return pandas.DataFrame(columns=_COLUMNS)
        return pandas.concat(frames, ignore_index=True)[_COLUMNS]

    def __repr__(self) -> str:
        promise = f"epsilon {self.certificate.total_epsilon:g} in all" if self.private else "exact, NOT private"
        return f"<{len(self)} rankings, {promise}>"

    def _repr_html_(self) -> str:
        body = ""
        for ranking in self[:_SHOWN]:
            best = ", ".join(str(node) for node in ranking.nodes[:5])
            body += f"<tr><td>{html.escape(ranking._owner())}</td><td>{html.escape(best)}</td></tr>"
        more = f"<p>… {len(self) - _SHOWN} more</p>" if len(self) > _SHOWN else ""
        return (
            f"<p><b>{html.escape(repr(self)[1:-1])}</b></p><table><tr><th>seed</th><th>the best of each</th></tr>{body}</table>{more}"
            f"{self._promise_html()}"
        )
