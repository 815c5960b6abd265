"""The include check finds what it is for: each rule has a file that breaks it."""
import os
import pathlib
import shutil
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


@pytest.fixture
def house(tmp_path):
    for folder in ("src", "include", "cli", "python", "service", "bench", "examples"):
        shutil.copytree(SOURCE / folder, tmp_path / folder)
    return tmp_path


def check(root):
    done = subprocess.run([SOURCE / "scripts/check-includes", root], capture_output=True, text=True)
    return done.returncode, done.stderr


def test_the_house_is_in_order(house):
    assert check(house) == (0, "")


@pytest.mark.parametrize(
    "file, line, complaint",
    [
        ("src/graph/graph.cpp", '#include "diffusion/rows.h"', "graph may not include diffusion"),
        ("src/graph/graph.cpp", '#include "hushwalk/diffusion.h"', "graph may not include diffusion"),
        ("src/graph/graph.cpp", "#include <diffusion/rows.h>", "graph may not include diffusion"),
        ("src/base/files.cpp", '#include "graph/csr.h"', "base may not include graph"),
        ("src/diffusion/diffuse.cpp", '#include "noise/sampler.h"', "diffusion may not include noise"),
        ("src/diffusion/diffuse.cpp", '#include "hushwalk/hushwalk.h"', "belongs to no room"),
        ("src/graph/graph.cpp", '#include "stray.h"', "belongs to no room"),
        ("include/hushwalk/graph.h", '#include "graph/csr.h"', "a public header may not include"),
        ("include/hushwalk/graph.h", '#include "hushwalk/diffusion.h"', "is below"),
        ("cli/main.cpp", '#include "graph/csr.h"', "an adapter may include"),
        ("cli/main.cpp", '#include "../src/graph/csr.h"', "an adapter may include"),
        ("bench/import_bench.cpp", "#include <base/parallel.h>", "an adapter may include"),
        ("cli/main.cpp", '#include "noise/entropy_source.h"', "an adapter may include"),
        ("cli/main.cpp", '#include "support/cks_sampler.h"', "an adapter may include"),
        ("python/src/ledger.cpp", '#include "ledger/state.h"', "an adapter may include"),
        ("python/src/bind.h", "#include <mechanism/mechanism.h>", "an adapter may include"),
        ("service/hosted.h", '#include "ledger/state.h"', "an adapter may include"),
        ("service/http_server.cpp", '#include "../src/graph/csr.h"', "an adapter may include"),
        ("service/http_server.cpp", '#include "graph/csr.h"', "an adapter may include"),
        ("src/answer/answer.cpp", '#include "evaluation/metrics.h"', "answer may not include evaluation"),
        ("src/plan/plan.cpp", '#include "hushwalk/graph.h"', "plan must not see graph"),
        ("src/plan/plan.cpp", '#include "diffusion/rows.h"', "plan must not see graph"),
        ("src/estimate/estimate.cpp", '#include "noise/geometric.h"', "estimate must not see noise"),
        ("src/mechanism/links.cpp", '#include "graph/csr.h"', "is for graph, diffusion/gather_sum.h only"),
        ("src/mechanism/links.cpp", '#include "graph/graph_impl.h"', "is for graph, diffusion/rows.cpp, distributed/part.h only"),
        ("src/mechanism/links.cpp", "#include <graph/build_csr.h>", "is for graph only"),
        ("src/ledger/compute.cpp", '#include "mechanism/node_noise.h"', "is for mechanism only"),
        ("src/ledger/compute.cpp", '#include "noise/coarsening.h"', "is for noise, mechanism only"),
        ("src/audit/sampling.cpp", '#include "noise/geometric.h"', "is for noise, mechanism only"),
        ("src/answer/answer.cpp", '#include "noise/keyed_noise.h"', "is for noise, mechanism, evaluation/simulation.cpp,"),
        ("src/ledger/compute.cpp", '#include "noise/discrete_laplace.h"', "is for noise, mechanism, plan only"),
        ("src/diffusion/diffuse.cpp", '#include "graph/csr.h"', "is for graph, diffusion/gather_sum.h only"),
        ("src/reproduction/reproduce.cpp", '#include "graph/graph_impl.h"', "is for graph, diffusion/rows.cpp, distributed/part.h only"),
    ],
)
def test_a_bad_include_is_found(house, file, line, complaint):
    path = house / file
    path.write_text(line + "\n" + path.read_text())
    code, errors = check(house)
    assert code == 1 and f"{file}:1: " in errors and complaint in errors


def test_a_new_folder_needs_a_floor(house):
    (house / "src/attic").mkdir()
    assert "src/attic:1: the folder is not in src/layers.txt" in check(house)[1]


def test_a_new_public_header_needs_a_room(house):
    (house / "include/hushwalk/stray.h").write_text("#pragma once\n")
    assert "belongs to no room" in check(house)[1]
