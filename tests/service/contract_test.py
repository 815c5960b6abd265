"""The description of the service and the service say the same."""
import copy
import json
import os
import pathlib
import re
import subprocess

import jsonschema
import pytest

QUESTION = {"seed": 1, "epsilon": 0.125, "top": 3}


@pytest.fixture(scope="module")
def description(house):
    return house.server.get("/v1/openapi.json").json


def schema_of(description, path, method, answer):
    responses = description["paths"][path][method]["responses"]
    found = responses.get(str(answer.status)) or responses.get(f"{answer.status // 100}XX")
    assert found, f"{method} {path} may not answer {answer.status}"
    if "$ref" in found:
        found = description["components"]["responses"][found["$ref"].split("/")[-1]]
    kind = answer.headers["Content-Type"].split(";")[0]
    assert kind in found["content"], (path, kind)
    return found["content"][kind]["schema"]


def check(description, path, method, answer):
    schema = schema_of(description, path, method, answer)
    kind = answer.headers["Content-Type"].split(";")[0]
    document = answer.json if kind in ("application/json", "application/problem+json") else answer.body.decode("latin-1")
    whole = {**schema, "components": description["components"]}
    errors = [error.message for error in jsonschema.Draft202012Validator(whole).iter_errors(document)]
    assert errors == [], (path, method, errors)
    return answer


def test_the_description_is_openapi_and_all_its_references_lead_somewhere(description):
    assert description["openapi"] == "3.1.0"
    for reference in re.findall(r'"\$ref": ?"([^"]+)"', json.dumps(description)):
        assert reference.startswith("#/"), reference
        place = description
        for part in reference[2:].split("/"):
            place = place[part]
    for name, schema in description["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema({**schema, "components": {}})
    ids = [operation["operationId"] for path in description["paths"].values() for method, operation in path.items() if method != "parameters"]
    assert len(ids) == len(set(ids)) == 17


def test_whatever_needs_a_key_may_fail_and_says_so(description):
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            if method != "parameters" and operation.get("security") != []:
                assert {"4XX", "500", "503"} <= set(operation["responses"]), (method, path)


def lint(description):
    done = subprocess.run([os.environ["NODE"], pathlib.Path(__file__).parent / "lint.cjs"], input=json.dumps(description), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif("NODE" not in os.environ, reason="no node, or no npm packages (scripts/bootstrap test)")
def test_a_linter_finds_nothing_in_the_description(description):
    assert lint(description) == []
    worse = copy.deepcopy(description)
    del worse["paths"]["/healthz"]["get"]["operationId"]
    worse["paths"]["/v1/graphs"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/Nothing"}
    assert {problem["rule"] for problem in lint(worse)} >= {"operation-operationId", "no-unresolved-refs"}, "one that is broken on purpose"


def calls(house):
    """Every operation, asked well and asked badly."""
    g = "/v1/graphs/{graph}"
    server = house.server
    yield "/healthz", "get", server.get("/healthz"), 200
    yield "/readyz", "get", server.get("/readyz"), 200
    yield "/v1/healthz", "get", server.get("/v1/healthz"), 200
    yield "/v1/readyz", "get", server.get("/v1/readyz"), 200
    yield "/v1/openapi.json", "get", server.get("/v1/openapi.json"), 200
    for key in (house.admin, house.analyst, house.owner, house.ann):
        yield "/v1/graphs", "get", server.get("/v1/graphs", key), 200
    yield "/v1/graphs", "get", server.get("/v1/graphs"), 401
    yield g + "/nodes", "get", server.get("/v1/graphs/karate/nodes?prefix=1&limit=5", house.owner), 200
    yield g + "/nodes", "get", server.get("/v1/graphs/karate/nodes?limit=x", house.owner), 400
    yield g + "/nodes", "get", server.get("/v1/graphs/karate/nodes?surprise=1", house.owner), 400
    yield g + "/plan", "post", server.post("/v1/graphs/karate/plan", QUESTION, house.owner), 200
    yield g + "/plan", "post", server.post("/v1/graphs/karate/plan", {"seed": 1}, house.owner), 400
    yield g + "/plan", "post", server.post("/v1/graphs/names/plan", {"seed": "ann", "shared": True}, house.ann), 200
    yield g + "/cost", "post", server.post("/v1/graphs/karate/cost", QUESTION, house.owner), 200
    yield g + "/cost", "post", server.post("/v1/graphs/karate/cost", {**QUESTION, "epsilon": 500}, house.owner), 200
    yield g + "/rank", "post", server.post("/v1/graphs/karate/rank", QUESTION, house.owner), 200
    yield g + "/rank", "post", server.post("/v1/graphs/karate/rank", {**QUESTION, "epsilon": 500}, house.owner), 403
    yield g + "/rank", "post", server.post("/v1/graphs/karate/rank", {**QUESTION, "surprise": 1}, house.owner), 400
    yield g + "/rank", "post", server.post("/v1/graphs/karate/rank", {"seeds": [1, 2], "epsilon": 0.01}, house.analyst), 200
    yield g + "/rank", "post", server.post("/v1/graphs/names/rank", {"seed": "ann", "shared": True}, house.ann), 200
    yield g + "/shared", "get", server.get("/v1/graphs/names/shared", house.ann), 200
    yield g + "/shared", "get", server.get("/v1/graphs/names/shared", house.ann, headers={"Accept": "application/octet-stream"}), 200
    yield g + "/shared", "get", server.get("/v1/graphs/karate/shared", house.owner), 404
    yield g + "/ledger", "get", server.get("/v1/graphs/karate/ledger", house.owner), 200
    yield g + "/ledger", "get", server.get("/v1/graphs/karate/ledger", house.admin), 200
    yield g + "/ledger/entries", "get", server.get("/v1/graphs/karate/ledger/entries?limit=3", house.admin), 200
    yield "/v1/certificates/verify", "post", server.post("/v1/certificates/verify", {"x": 1}, house.owner), 200
    yield "/v1/keys", "get", server.get("/v1/keys", house.admin), 200
    made = server.post("/v1/keys", {"name": "new", "role": "analyst", "graphs": ["karate"]}, house.admin)
    yield "/v1/keys", "post", made, 201
    yield "/v1/keys", "post", server.post("/v1/keys", {"name": "new", "role": "king"}, house.admin), 400
    yield "/v1/keys/{id}", "delete", server.ask("DELETE", "/v1/keys/" + made.json["id"], key=house.admin), 200
    yield "/v1/keys/{id}", "delete", server.ask("DELETE", "/v1/keys/" + made.json["id"], key=house.admin), 404


def test_every_operation_answers_as_described(house, description):
    seen = set()
    for path, method, answer, status in calls(house):
        assert answer.status == status, (path, method, answer.body)
        check(description, path, method, answer)
        seen.add((path, method))
    described = {(path, method) for path, item in description["paths"].items() for method in item if method != "parameters"}
    assert seen == described


def test_an_answer_is_what_the_command_line_gives(house, hushwalk, description):
    answer = house.server.post("/v1/graphs/karate/rank", {"seed": 1, "epsilon": 0.25, "top": 5}, house.owner)
    (house.folder / "answer.json").write_bytes(answer.body)
    verdict = hushwalk.json("verify-certificate", house.folder / "answer.json")
    assert verdict["valid"] and verdict["checked"]["answer"]
    printed = hushwalk("rank", house.folder / "karate.hwg", "--ledger", house.folder / "karate.ledger", "--seed", 1, "--recipient", "1",
                       "--epsilon", 0.25, "--top", 5, "--json").stdout
    assert printed.encode() == answer.body, "the same bytes, and nothing was charged"
    served = house.server.post("/v1/certificates/verify", answer.body, house.owner).json
    assert served == verdict


def test_many_seeds_are_lines_and_then_the_certificate(house):
    answer = house.server.post("/v1/graphs/karate/rank", {"seeds": [3, 4, 5], "epsilon": 0.02, "top": 2}, house.analyst)
    assert answer.headers["Transfer-Encoding"] == "chunked"
    *rankings, last = answer.lines
    assert [ranking["seed"] for ranking in rankings] == [3, 4, 5]
    assert last["private"] and len(last["certificate"]["answer"]["sha256"]) == 3


def test_errors_are_problems_with_the_code_and_the_remedy_of_the_library(house):
    answer = house.server.post("/v1/graphs/karate/rank", {"seed": 1, "epsilon": 0.1, "mechanism": "edgeflip"}, house.analyst)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.status == 403 and answer.json["code"] == 3 and "another `mechanism`" in answer.json["remedy"] and answer.json["status"] == answer.status
    refused = house.server.post("/v1/graphs/karate/rank", {"seed": 2, "epsilon": 1}, house.owner)
    assert refused.status == 403 and refused.json["code"] == 3 and refused.json["remedy"] == "ask for one of these"
    assert "custodian" not in str(refused.json)


def test_a_question_may_have_every_parameter_of_a_plan_and_those_that_are_described_only(house, description):
    """One list of parameters: a name that the service forgets would be answered as if it had not been asked."""
    described = set(description["components"]["schemas"]["Question"]["properties"])
    planned = house.server.post("/v1/graphs/karate/plan", QUESTION, house.owner).json
    assert planned["why"] and planned["expects"] and "alternative" in planned
    plan = planned["plan"]
    parameters = {"mechanism", "scope", "epsilon", "delta", "diffusion"} | set(plan["parameters"]) - {"rankings", "seeds_per_ranking"}
    assert parameters <= described, parameters - described
    for name in described | parameters:
        done = house.server.post("/v1/graphs/karate/plan", {"seed": 1, "epsilon": 0.125, name: {"no": "such value"}}, house.owner)
        assert done.status == 400 and "there is no parameter" not in done.body.decode(), (name, done.body)
    done = house.server.post("/v1/graphs/karate/plan", {**QUESTION, "etaa": 1}, house.owner)
    assert done.status == 400 and "there is no parameter" in done.body.decode()
