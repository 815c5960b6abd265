"""The same bytes as the C++ interface, under keys that repeat themselves; and no such key where releases are made."""
import os
import pathlib
import subprocess

import hushwalk
import numpy as np
import pytest
import seeded_module
from hushwalk import _ask, _core

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


def python_scores(graph, seed, key, **parameters):
    release = _ask.release_of(diffusion=_ask.diffusion_of("ppr", None, None, None, None), **parameters)
    return seeded_module.scores(graph._core, graph._find(seed), release, key)


@pytest.mark.parametrize("mechanism, epsilon", [("twohop", 0.1), ("twohop", 1.7), ("shared", 0.3), ("output", 2), ("paper", 0.9),
                                                ("circles", 3), ("frontier", 1.7), ("pushflow", 2), ("edgeflip", 4), ("edgeflip+own", 4)])
def test_a_release_has_the_bytes_of_the_cpp_interface(mechanism, epsilon, tmp_path):
    original = hushwalk.generate("ba", nodes=300, edges=1500)
    original.save(tmp_path / "g.hwg")
    command = [os.environ["HUSHWALK_SEEDED_SCORES"], tmp_path / "g.hwg", "17", mechanism, str(epsilon), "42"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = np.array([float.fromhex(line) for line in done.stdout.split()])
    pairs = np.array([(u, v) for u in original.nodes for v in original.neighbors(u)])
    for graph in (original, hushwalk.Graph.from_edges(pairs[::-1], nodes=range(1, 301))):
        found = python_scores(graph, 17, 42, mechanism=mechanism, epsilon=epsilon)
        assert found.tobytes() == expected.tobytes()
    assert python_scores(original, 17, 43, mechanism=mechanism, epsilon=epsilon).tobytes() != expected.tobytes()


def test_the_module_for_releases_has_no_key_that_repeats_itself():
    assert not [name for name in dir(_core) if "seeded" in name.lower() or ("key" in name.lower() and name != "SigningKey")]
    symbols = subprocess.run(["nm", "--demangle", _core.__file__], capture_output=True, text=True, check=True).stdout
    assert "hushwalk::ReleaseKey::fresh" in symbols and "seeded" not in symbols.lower()
    assert "seeded" in subprocess.run(["nm", "--demangle", seeded_module.__file__], capture_output=True, text=True).stdout.lower()
