"""No message of the library or of a door tells whoever asked what only the custodian may know. Walks every place that throws."""
import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ["HUSHWALK_SOURCE"])
THROWS = re.compile(r"\b(fail|fail_usage|fail_to|refuse|fail_damaged|fail_system|usage|usage_error|throw Error|throw Damage|throw py::\w+)\(")
REFUSALS = re.compile(r"\bRefusal(?: \w+)?(?=\{)")  # of a ledger, thrown elsewhere: {message, for the custodian}
# What a recipient must not read: how many edges there are, what a node's row holds, what others have spent or own.
SECRET = re.compile(r"secret_edges|\bedges\b(?!\()|degree|neighbors|csr\.|header\.edges|file_size|spent|\bbefore\b|"
                    r"\bafter\b|\bowner\b|\.left\b|units_left|latest|payer|others_\.|\bu, v\b")
# Where messages are made.
FOLDERS = ("src", "service", "cli", "python/src")
# Whose errors are the custodian's alone: importing a text quotes its lines, a generated graph has no secrets, and the lab reads every edge and says so.
CUSTODIANS = ("src/graph/import/", "src/graph/generate/", "src/evaluation/", "src/audit/", "src/report/", "src/reproduction/")


def call_at(text, begin):
    """The text between the bracket at `begin` and its partner, strings and all."""
    depth, i = 0, begin
    while i < len(text):
        c = text[i]
        if c == '"':
            i += 1
            while text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        depth += (c in "({") - (c in ")}")
        if depth == 0:
            return text[begin + 1:i]
        i += 1
    raise AssertionError("a call does not end")


def arguments(call):
    """What is put into a message, without the words of the message and what goes to the custodian."""
    while (at := call.find("for_custodian(")) >= 0:
        inside = call_at(call, at + len("for_custodian"))
        call = call[:at] + call[at + len("for_custodian(") + len(inside) + 1:]
    return re.sub(r'"(\\.|[^"\\])*"', "", call)


def parts(text):
    """What stands between the commas that are in no bracket."""
    depth, begin, found = 0, 0, []
    for i, c in enumerate(re.sub(r'"(\\.|[^"\\])*"', lambda words: "_" * len(words[0]), text)):
        depth += (c in "({") - (c in ")}")
        if c == "," and depth == 0:
            found.append(text[begin:i])
            begin = i + 1
    return [*found, text[begin:]]


def sources(root, folders=("src",)):
    return [path for folder in folders for end in ("*.cpp", "*.h") for path in sorted((root / folder).rglob(end))]


def sites(root, folders=("src",)):
    for path in sources(root, folders):
        text = re.sub(r"//.*", "", path.read_text())
        for match in THROWS.finditer(text):
            line = text[:match.start()].count("\n") + 1
            call = call_at(text, match.end() - 1)
            # The third thing that an Error is made of is for the custodian.
            yield str(path.relative_to(root)), line, ",".join(parts(call)[:2]) if match[1] == "throw Error" else call
        for match in REFUSALS.finditer(text):
            line = text[:match.start()].count("\n") + 1
            yield str(path.relative_to(root)), line, parts(call_at(text, match.end()))[0]


def leaks(root):
    return [f"{path}:{line}: {SECRET.search(arguments(call))[0]}" for path, line, call in sites(root, FOLDERS)
            if not path.startswith(CUSTODIANS) and SECRET.search(arguments(call))]


def test_no_message_tells_a_secret():
    assert len(list(sites(SOURCE))) > 250  # it does walk
    assert all(list(sites(SOURCE, [folder])) for folder in FOLDERS)
    assert sum(path == "src/ledger/refusal.cpp" for path, _, _ in sites(SOURCE)) > 5
    assert leaks(SOURCE) == []


def test_a_message_that_tells_one_is_found(tmp_path):
    (tmp_path / "src/ledger").mkdir(parents=True)
    file = tmp_path / "src/ledger/charge.cpp"
    file.write_text('void f() { refuse("{} is spent (in all)", account.spent); }\n')
    assert leaks(tmp_path) == ["src/ledger/charge.cpp:1: spent"]
    file.write_text('void f() { refuse(for_custodian("{} is spent", account.spent), "it does not fit: {}", asked); }\n')
    assert leaks(tmp_path) == []
    file.write_text('Refusal f() { return Refusal{cost("{}, in all", before, after), ""}; }\n')
    assert leaks(tmp_path) == ["src/ledger/charge.cpp:1: before"]
    file.write_text('Refusal f() { return Refusal{fmt::format("{}, no more", whose), cost(before, after)}; }\n')
    assert leaks(tmp_path) == []
    (tmp_path / "service").mkdir()
    door = tmp_path / "service/service.cpp"
    door.write_text('void f() { throw Error(ErrorCode::refused, fmt::format("{}, no more", state.spent), state.payer); }\n')
    assert leaks(tmp_path) == ["service/service.cpp:1: spent"]
    door.write_text('void f() { throw Error(ErrorCode::refused, "no more", fmt::format("{}, in all", state.spent)); }\n')
    assert leaks(tmp_path) == []
    door.write_text('void f() { usage("a node has {} links", graph.degree(node)); }\n')
    assert leaks(tmp_path) == ["service/service.cpp:1: degree"]


def test_the_library_names_parameters_not_flags():
    """An adapter renders `scope edge` as its users write it."""
    literals = re.compile(r'"(?:\\.|[^"\\])*"')
    found = [f"{path}:{line}" for path, line, call in sites(SOURCE)
             for text in literals.findall(call) if re.search(r"(^|[ (\"])--[a-z]|hushwalk (import|rank|share|ledger)|"
                                                          r"\bledger (forget|compact|lineage|verify|init)\b", text)]
    assert found == []


def flags_in(root):
    """Lines with a text that has a flag in it, thrown or not: a page is told by its door how it was made."""
    literals = re.compile(r'"(?:\\.|[^"\\\n])*"')
    for path in sources(root):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if any(re.search(r"(^|[ (\"'`])--[a-z]", text) for text in literals.findall(re.sub(r"//.*", "", line))):
                yield f"{path.relative_to(root)}:{number}"


def test_no_text_of_the_library_names_a_flag(tmp_path):
    assert list(flags_in(SOURCE)) == []
    (tmp_path / "src/report").mkdir(parents=True)
    (tmp_path / "src/report/page.cpp").write_text('std::string words = "see `hushwalk demo --json`";\n')
    assert list(flags_in(tmp_path)) == ["src/report/page.cpp:1"]
