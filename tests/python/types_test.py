"""Types and documentation are true: stubtest, mypy, doctests."""
import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import types

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])


def run(*command, folder):
    environment = os.environ | {"MYPYPATH": os.environ["PYTHONPATH"]}
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# What pybind11 makes of every class, and of those that Python cannot make.
ALLOWED = r"""
hushwalk\._core\.[A-Z]\w+
hushwalk\._core\.(Diffusion|Graph|SharedArtefact|SigningKey)\.__init__
"""


def test_the_stub_of_the_core_is_what_the_core_is(tmp_path):
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-numpy.*]\nfollow_imports = skip\nfollow_imports_for_stubs = True\n")
    (tmp_path / "allowed").write_text(ALLOWED)
    run("/usr/bin/stubtest", "hushwalk._core", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed", folder=tmp_path)


def arguments(function):
    """As pybind11 documents them, which stubtest does not read."""
    head = function.__doc__.splitlines()[0]
    return re.findall(r"[(,] ?(\w+): ", head.split(" -> ")[0])


def test_the_stub_of_the_core_names_its_arguments():
    from hushwalk import _core
    tree = ast.parse((SOURCE / "python/hushwalk/_core.pyi").read_text())
    checked = 0
    for owner, body in [(_core, tree.body), *((getattr(_core, c.name), c.body) for c in tree.body if isinstance(c, ast.ClassDef))]:
        for node in body:
            if not isinstance(node, ast.FunctionDef) or any(getattr(d, "id", "") == "property" for d in node.decorator_list):
                continue
            stub = [argument.arg for argument in node.args.args + node.args.kwonlyargs if argument.arg != "self"]
            found = [name for name in arguments(getattr(owner, node.name)) if name != "self"]
            assert found == stub, node.name
            checked += 1
    assert checked > 40


def test_the_python_layer_is_typed(tmp_path):
    run(sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", tmp_path, SOURCE / "python/hushwalk",
        folder=tmp_path)


USER = """
import hushwalk
graph = hushwalk.generate("karate")
reveal_type(hushwalk.rank(graph, 1, epsilon=1, top=None))
reveal_type(hushwalk.rank(graph, all=True, epsilon=1))
reveal_type(hushwalk.Ledger("L").rank(graph, seeds=[1, 2], epsilon=1))
reveal_type(hushwalk.share(graph, epsilon=1).rank(graph, 1))
hushwalk.rank(graph, 1, epslion=1)
hushwalk.exact_rank(graph, 1, epsilon=1)
hushwalk.rank(graph, 1, epsilon="1")
hushwalk.Ledger("L").cost(graph, 1, epsilon=1)
hushwalk.Ledger("L").cost(graph, 1, epslion=1)
"""


def test_types_tell_a_user_what_comes_back_and_which_name_is_wrong(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", tmp_path / "cache", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"MYPYPATH": os.environ["PYTHONPATH"]})
    assert re.findall(r"is \"hushwalk\._ranking\.(\w+)\"", done.stdout) == ["Ranking", "Rankings", "Rankings", "Ranking"], done.stdout
    assert re.findall(r"user\.py:(\d+): error", done.stdout) == ["8", "9", "10", "12"], done.stdout


def test_the_options_of_the_overloads_are_the_parameters_of_the_functions():
    import hushwalk
    tree = ast.parse((SOURCE / "python/hushwalk/_ask.py").read_text())
    options = {node.name: [field.target.id for field in node.body if isinstance(field, ast.AnnAssign)]
               for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name.endswith("Options")}
    named = {"graph", "seed", "seeds", "all"}  # by the overloads themselves
    assert set(inspect.signature(hushwalk.exact_rank).parameters) - named == set(options["ExactOptions"])
    assert set(inspect.signature(hushwalk.rank).parameters) - named == {*options["ExactOptions"], *options["RankOptions"]}


def test_every_example_in_the_documentation_is_true(tmp_path):
    package = pathlib.Path(os.environ["PYTHONPATH"].split(":")[0]) / "hushwalk"
    out = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", package, folder=tmp_path)
    assert int(out.split(" passed")[0].split()[-1]) >= 60


def test_every_public_name_and_method_has_a_docstring_with_an_example():
    """A number has none; properties are described in a line, and shown by the example of their class."""
    import hushwalk
    checked = 0
    for name in set(hushwalk.__all__) - {"UNIT"}:
        thing = getattr(hushwalk, name)
        methods = {key: getattr(thing, key) for key, value in vars(thing).items() if not key.startswith("_")
                   and isinstance(value, (types.FunctionType, classmethod))} if isinstance(thing, type) else {}
        if isinstance(thing, type):
            assert all(value.__doc__ for value in vars(thing).values() if isinstance(value, property)), name
        for key, documented in {"": thing, **methods}.items():
            assert ">>> " in (documented.__doc__ or ""), f"{name}.{key}"
            checked += 1
    assert checked > 60
