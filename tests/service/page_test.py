"""What the page works out by itself, without a browser."""
import json
import os
import pathlib
import shutil
import subprocess
from datetime import datetime, timedelta, timezone

import pytest

from conftest import make_graph
from life_test import analyst
from roles_test import wait_until

pytestmark = pytest.mark.skipif("NODE" not in os.environ, reason="no node (scripts/bootstrap test)")
WEB = pathlib.Path(os.environ["HUSHWALK_SOURCE"]) / "service" / "web"


def worked_out(folder, state, now):
    shutil.copy(WEB / "pace.js", folder / "pace.mjs")
    (folder / "run.mjs").write_text("import { projection, steps } from './pace.mjs';\n"
                                    f"const state = {json.dumps(state)}, points = steps(state);\n"
                                    f"console.log(JSON.stringify({{ points, ahead: projection(points, state.spent, state.epsilon, {now}) }}));\n")
    done = subprocess.run([os.environ["NODE"], folder / "run.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("delta, spent", [(None, 4), (1e-6, 1)])
def test_the_projected_end_does_not_depend_on_how_many_entries_are_at_hand(tmp_path, delta, spent):
    """400 charges of one size, at one pace; with a delta the ledger counts a quarter of their plain sum."""
    begun = datetime(2026, 1, 1, tzinfo=timezone.utc)
    entries = [{"at": (begun + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ"), "epsilon": 0.01, "event": {"total": {"units": (day + 1) * 10_000_000}}} for day in range(400)]
    now = (begun + timedelta(days=400)).timestamp() * 1000
    paces = []
    for at_hand in (400, 300, 100):
        found = worked_out(tmp_path, {"entries": entries[-at_hand:], "delta": delta, "spent": spent, "epsilon": 10}, now)
        assert found["points"][-1]["spent"] == pytest.approx(4)
        assert found["points"][0]["before"] == pytest.approx(0.01 * (400 - at_hand), abs=1e-9)
        paces.append(found["ahead"]["pace"])
    assert paces == [pytest.approx(spent / 400)] * 3


def test_entries_of_a_service_say_the_sum_so_far(hushwalk, start, folder):
    server = start([make_graph(hushwalk, folder, "karate")])
    key, admin = analyst(server, "karate"), server.new_key("--name", "root", "--role", "admin")["key"]
    for seed in (1, 2, 3):
        assert server.post("/v1/graphs/karate/rank", {"seed": seed, "epsilon": 0.25, "mechanism": "output"}, key).status == 200
    wait_until(lambda: server.get("/v1/graphs", admin).status == 200)
    all_of_them = server.get("/v1/graphs/karate/ledger/entries", admin).lines
    state = server.get("/v1/graphs/karate/ledger", admin).json
    for newest in (100, 4, 1):
        entries = server.get(f"/v1/graphs/karate/ledger/entries?limit={newest}", admin).lines
        assert entries == all_of_them[-newest:]
        points = worked_out(folder, {**state, "entries": entries}, 0)["points"]
        assert points == [] or points[-1]["spent"] == pytest.approx(0.75)
