"""Certificates: what a release promises, for machines and for people."""
from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from . import _core
from ._document import _numbers


class Verification(NamedTuple):
    """Whether a certificate holds, and why not or what was checked. True where it holds."""

    valid: bool
    reason: str

    def __bool__(self) -> bool:
        return self.valid


class Certificate:
    """What is protected, from whom, how well and by which theorem. Anybody can compute it again.

    >>> import hushwalk
    >>> certificate = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1).certificate
    >>> certificate.epsilon, certificate.scope
    (1.0, 'personalized')
    >>> certificate.verify().valid
    True
    """

    def __init__(self, json_text: str, text: str) -> None:
        #: the document as it was issued: fields are in docs/certificate.md
        self.json = json_text
        #: the same for people
        self.text = text

    def to_dict(self) -> dict[str, Any]:
        """All fields; infinities are numbers."""
        fields: dict[str, Any] = _numbers(json.loads(self.json))
        return fields

    def __getitem__(self, field: str) -> Any:
        return self.to_dict()[field]

    @property
    def epsilon(self) -> float:
        """What each ranking spends."""
        return float(self["epsilon"])

    @property
    def total_epsilon(self) -> float:
        """What this call spent in all."""
        return float(self["total_epsilon"])

    @property
    def delta(self) -> float:
        return float(self["delta"])

    @property
    def scope(self) -> str:
        return str(self["scope"])

    @property
    def mechanism(self) -> str:
        return str(self["mechanism"])

    @property
    def words(self) -> dict[str, str]:
        """The promise in sentences, by their names."""
        sentences: dict[str, str] = self["words"]
        return sentences

    def verify(self) -> Verification:
        """Recomputes everything in it from its parameters."""
        return Verification(*_core.verify_certificate(self.json))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON document, readable by its owner only; whole or not at all."""
        _core.write_text(path, self.json + "\n")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and json.loads(self.json) == json.loads(other.json)

    def __hash__(self) -> int:
        return hash(self["digest"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Certificate: {self.mechanism}, epsilon {self.epsilon:g}, {self.scope} scope; print it for its words>"


def verify(certificate: Certificate | str | os.PathLike[str] | dict[str, Any]) -> Verification:
    """Recomputes a certificate: one of a ranking, a file (of a certificate, of an answer that holds one, or a shared
    artefact), or a dictionary.

    >>> import hushwalk
    >>> result = hushwalk.rank(hushwalk.generate("karate"), 1, epsilon=1)
    >>> bool(hushwalk.verify(result.certificate))
    True
    >>> forged = result.certificate.to_dict() | {"epsilon": 0.5}
    >>> bool(hushwalk.verify(forged))
    False
    """
    if isinstance(certificate, Certificate):
        return certificate.verify()
    if isinstance(certificate, dict):
        return Verification(*_core.verify_certificate(_encoded(certificate)))
    return Verification(*_core.verify_certificate_file(certificate))


def _encoded(fields: dict[str, Any]) -> str:
    def infinities(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: infinities(item) for key, item in value.items()}
        if isinstance(value, list):
            return [infinities(item) for item in value]
        return "inf" if value == float("inf") else value

    return json.dumps(infinities(fields))
