# The compiled core: private, and only as wide as the Python layer needs. Checked by stubtest.
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

_Path = str | os.PathLike[str]
_Progress = Callable[[str, float], object] | None
_Certificate = tuple[str, str]
_Ranking = tuple[list[tuple[int, float]], np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]

def version() -> str: ...
def write_text(path: _Path, text: str) -> None: ...

class ThreadLimit:
    def __init__(self, threads: int) -> None: ...

class Diffusion:
    @staticmethod
    def make(
        name: str, beta: float | None, time: float | None, steps: int | None, coefficients: Diffusion | None
    ) -> Diffusion: ...
    @staticmethod
    def custom(coefficients: Sequence[tuple[float, float, float]]) -> Diffusion: ...
    @staticmethod
    def custom_from_file(path: _Path) -> Diffusion: ...
    @property
    def name(self) -> str: ...
    @property
    def parameter(self) -> float | None: ...
    @property
    def coefficients(self) -> list[list[float]]: ...

class Graph:
    @property
    def nodes(self) -> int: ...
    @property
    def secret_edges(self) -> int: ...
    @property
    def max_edges(self) -> int: ...
    @property
    def nodes_declared(self) -> bool: ...
    @property
    def graph_id(self) -> str: ...
    def ids(self) -> np.ndarray | list[str]: ...
    def labels(self, nodes: np.ndarray | Sequence[int]) -> list[Any]: ...
    def find(self, id: int | str) -> int | None: ...
    def degree(self, node: int) -> int: ...
    def neighbors(self, node: int) -> np.ndarray: ...
    def save(self, path: _Path, source: str, copied_from: _Path) -> str: ...
    def statistics(self) -> str: ...

def open_graph(path: _Path, progress: _Progress) -> tuple[Graph, bool, list[str], int, int]: ...
def import_graph(
    path: _Path,
    nodes: np.ndarray | Sequence[str] | None,
    nodes_file: _Path | None,
    max_edges: int | None,
    format: str,
    header: bool,
    delimiter: str | None,
    columns: tuple[str, str] | None,
    string_ids: bool,
    skip_bad_lines: int,
    progress: _Progress,
) -> tuple[Graph, bool, list[str], int, int]: ...
def import_edges(
    ids: np.ndarray | Sequence[str],
    first: np.ndarray,
    second: np.ndarray,
    nodes_declared: bool,
    max_edges: int | None,
    progress: _Progress,
) -> tuple[Graph, int, int]: ...
def generate(kind: str, nodes: int, edges: int, random_seed: int, progress: _Progress) -> Graph: ...
def graph_kinds() -> list[str]: ...

class SigningKey:
    @staticmethod
    def make(issuer: str) -> SigningKey: ...
    @staticmethod
    def open(path: _Path) -> SigningKey: ...
    def save(self, path: _Path) -> None: ...
    @property
    def issuer(self) -> str: ...
    @property
    def public_key(self) -> str: ...

class Ledger:
    def __init__(self, path: _Path, key: _Path) -> None: ...
    @staticmethod
    def create(
        path: _Path,
        graph_file: _Path,
        graph: Graph,
        epsilon: float | None,
        delta: float | None,
        per_recipient: float | None,
        per_period: float | None,
        period: str | None,
        carry: bool,
        key: _Path,
        force: bool,
    ) -> list[str]: ...
    def state(self, recipients: int | None) -> str: ...
    def entries(self) -> list[str]: ...
    def verify(self, head: str | None, accept_clock: bool, accept_head: bool) -> tuple[bool, str]: ...
    def add_snapshot(self, graph_file: _Path, graph: Graph, force: bool) -> list[str]: ...
    def extend(
        self, epsilon: float | None, per_recipient: float | None, per_period: float | None, reason: str
    ) -> None: ...
    def backup(self, output: _Path) -> tuple[bool, str]: ...
    def compact(self) -> None: ...
    def forget(self, before: str | None, older_than: int | None, new_epoch: bool, accept_head: bool) -> list[str]: ...

class SharedArtefact:
    @staticmethod
    def open(path: _Path) -> SharedArtefact: ...
    @staticmethod
    def parse(content: bytes) -> SharedArtefact: ...
    def save(self, path: _Path) -> None: ...
    def bytes(self) -> bytes: ...
    def certificate(self) -> _Certificate: ...

class AnswerRequest:
    @property
    def seed_set(self) -> bool: ...
    def __init__(
        self,
        *,
        seeds: Sequence[int],
        seed_set: Sequence[tuple[int, float]] | None,
        parameters: dict[str, Any],
        exact: bool,
        shared: SharedArtefact | None,
        ledger: Ledger | None,
        recipient: str,
        publish: bool,
        top: int | None,
        exclude_neighbors: bool,
        candidates: Sequence[int] | None,
    ) -> None: ...

def check_privacy(epsilon: bool, parameters: dict[str, Any], exact: bool, shared: bool, otherwise: str) -> None: ...
def ask(
    graph: Graph, request: AnswerRequest, signing_key: SigningKey | None, progress: _Progress
) -> tuple[list[_Ranking], _Certificate | None, str | None, str]: ...
def plan(graph: Graph, request: AnswerRequest) -> tuple[str, str]: ...
def plan_for(nodes: int, max_edges: int | None, request: AnswerRequest) -> tuple[str, str]: ...
def quote(graph: Graph, request: AnswerRequest) -> str: ...
def share(
    graph: Graph,
    parameters: dict[str, Any],
    ledger: Ledger | None,
    recipient: str,
    publish: bool,
    signing_key: SigningKey | None,
    progress: _Progress,
) -> tuple[SharedArtefact, str | None]: ...
def verify_certificate(text: str, public_key: str | None) -> str: ...
def verify_certificate_file(path: _Path, public_key: str | None) -> str: ...
def mechanism_names() -> list[str]: ...
def calibrate(
    diffusion: Diffusion,
    mechanism: str,
    eta: float,
    scope: str,
    draws: int | None,
    epsilon: float,
    delta: float | None,
) -> str: ...
def account(
    diffusion: Diffusion,
    mechanism: str,
    eta: float,
    scope: str,
    draws: int | None,
    laplace_scale: float,
    delta: float | None,
    order: float | None,
    accountant: str,
) -> str: ...
def register_mechanism(
    name: str,
    proof: str,
    released: Callable[..., Any],
    count: Callable[..., Any],
    score: Callable[..., Any],
) -> None: ...
def evaluate(
    graph: Graph,
    mechanisms: Sequence[str],
    epsilons: Sequence[float],
    etas: Sequence[float],
    parameters: dict[str, Any],
    seeds: int,
    random_seed: int,
    top: int,
    progress: _Progress,
) -> str: ...
def tune(
    proxy: Graph | tuple[int, int],
    epsilon: float | None,
    target_ndcg: float | None,
    parameters: dict[str, Any],
    seeds: int,
    random_seed: int,
    top: int,
    progress: _Progress,
) -> str: ...
def audit(
    parameters: dict[str, Any], trials: int, confidence: float, sensitivity: bool, progress: _Progress
) -> str: ...
def link_attack(
    graph: Graph,
    edge: tuple[int, int],
    seed: int,
    parameters: dict[str, Any],
    epsilons: Sequence[float],
    trials: int,
    progress: _Progress,
) -> str: ...
def reproduce(
    figures: Sequence[str],
    graphs: Sequence[str],
    mechanisms: Sequence[str],
    quick: bool,
    data: _Path,
    command: str,
    output: _Path,
    progress: _Progress,
) -> tuple[list[str], str]: ...
