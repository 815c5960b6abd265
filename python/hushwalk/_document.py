"""Answers that are documents: the JSON of the command line, with attributes."""
from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

_TEXTS = ("recipient", "reason")  # a person may be called inf


def _numbers(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _numbers(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item, key) for item in value]
    return math.inf if value == "inf" and key not in _TEXTS else value


class Document(Mapping[str, Any]):
    """What a call found, as a mapping that cannot be changed; every key is an attribute, too.

    >>> import hushwalk
    >>> found = hushwalk.calibrate(mechanism="output", epsilon=1)
    >>> found.laplace_scale == found["laplace_scale"]
    True
    """

    def __init__(self, content: str | dict[str, Any]) -> None:
        parsed = json.loads(content) if isinstance(content, str) else content
        self.__dict__["_content"] = _numbers(parsed)

    def __getitem__(self, key: str) -> Any:
        return self.__dict__["_content"][key]

    def __getattr__(self, key: str) -> Any:
        content = self.__dict__.get("_content", {})
        if key not in content:
            raise AttributeError(f"there is no {key!r}; there are {', '.join(content)}")
        return content[key]

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError(f"{key!r} cannot be set: this is what was found")

    def __reduce__(self) -> tuple[type[Document], tuple[dict[str, Any]]]:
        return type(self), (self.__dict__["_content"],)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["_content"])

    def __len__(self) -> int:
        return len(self.__dict__["_content"])

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{key:<{width}}  {_short(self[key])}" for key in self)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 100 else text[:99] + "…"
