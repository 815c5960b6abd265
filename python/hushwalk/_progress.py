"""Progress, for bars."""
from __future__ import annotations

from typing import Any

from ._graph import Progress


def show_in(bar: Any) -> Progress:
    """A progress callback that moves a bar of tqdm with a total of 1.

    >>> import hushwalk, tqdm
    >>> with tqdm.tqdm(total=1, disable=True) as bar:
    ...     result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1, progress=hushwalk.show_in(bar))
    """

    def show(stage: str, fraction: float) -> None:
        bar.set_description(stage, refresh=False)
        bar.n = max(0.0, min(fraction, 1.0))
        bar.refresh()

    return show
