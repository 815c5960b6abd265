"""The verbs and flags of the command line, as its --help shows them: man pages, completions and the reference are made from it."""
from __future__ import annotations

import dataclasses
import re
import subprocess

FILES = {"FILE", "G", "L", "S", "COPY", "DIR"}  # values that are files or folders
COLUMN = 30  # where CLI11 begins descriptions
NAMES = r"[a-z0-9+-]+(?: \([^)]*\))?"


@dataclasses.dataclass
class Argument:
    """A flag, or a positional: `names` is then what it is called."""
    names: list[str]
    value: str = ""  # what it takes; empty: nothing
    required: bool = False
    repeated: bool = False
    variable: str = ""  # of the environment, which stands for it
    goes_with: str = ""  # another flag, which it needs
    words: str = ""
    choices: list[str] = dataclasses.field(default_factory=list)

    @property
    def takes_file(self) -> bool:
        name = self.names[-1]
        return name in ("--output", "--public-key", "key") or self.value in FILES and name != "--random-seed"

    @property
    def takes_node(self) -> bool:
        return self.names[-1] == "--seed" and self.value == "V"

    @property
    def takes_list(self) -> bool:
        return self.value.endswith(",…")

    @property
    def brief(self) -> str:
        return re.split(r" \(default|; ", self.words)[0]


@dataclasses.dataclass
class Verb:
    path: tuple[str, ...]  # () is the program, ("ledger", "show") a verb of a verb
    words: str
    usage: str
    positionals: list[Argument]
    flags: list[Argument]
    verbs: list[Verb]
    notes: list[tuple[str, str]]  # heading and text: "Example", "Kinds"; without a heading, ""

    @property
    def program(self) -> str:
        return self.usage.split()[0]

    @property
    def name(self) -> str:
        return " ".join((self.program, *self.path))

    def all(self):
        yield self
        for verb in self.verbs:
            yield from verb.all()


def read(program: str, path: tuple[str, ...] = ()) -> Verb:
    """Asks the program for its help, and all its verbs for theirs."""
    text = subprocess.run([program, *path, "--help"], capture_output=True, text=True, check=True).stdout
    verb, names = parse(text, path)
    verb.verbs = [read(program, (*path, name)) for name in names]
    if not path:
        name_those_of_rank(verb)
    return verb


def name_those_of_rank(program: Verb) -> None:
    """`auto, those of rank, and exact`: a flag that may be chosen from what the same flag of rank takes."""
    known = {flag.names[-1]: flag.choices for verb in program.verbs if verb.path == ("rank",) for flag in verb.flags}
    for flag in (flag for verb in program.all() for flag in verb.flags if "those of rank" in flag.words):
        all_choices = choices(flag.words.replace("those of rank", ", ".join(known[flag.names[-1]])))
        flag.choices = list(dict.fromkeys(all_choices))


def parse(text: str, path: tuple[str, ...]) -> tuple[Verb, list[str]]:
    words, usage, rest = (text.strip("\n") + "\n\n").split("\n", 2)
    verb = Verb(path, words, usage.removeprefix("Usage: "), [], [], [], [])
    names = []
    for block in re.split(r"\n\n+", rest.strip("\n")):
        heading, _, body = block.partition("\n")
        if heading == "Subcommands:":
            names = [row[0] for row in rows(body)]
        elif heading in ("Options:", "Expert options:", "Positionals:"):
            kind = verb.positionals if heading == "Positionals:" else verb.flags
            kind.extend(argument(*row) for row in rows(body))
        elif heading.endswith(":") and body:
            verb.notes.append((heading[:-1], body))
        elif block:
            verb.notes.append(("", block))
    for positional in verb.positionals:  # KIND: the kinds are listed below
        for heading, body in verb.notes:
            if heading.lower() == positional.value.lower() + "s":
                positional.choices = [row[0] for row in rows(body)]
    return verb, names


def rows(block: str) -> list[tuple[str, str]]:
    """Two columns; what does not fit into the first has its description on the next line."""
    found: list[tuple[str, str]] = []
    for line in block.splitlines():
        if line.startswith(" " * COLUMN) and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
        elif line.strip():
            left, *right = re.split(r"\s{2,}", line.strip(), maxsplit=1)
            found.append((left, right[0] if right else ""))
    return found


def argument(left: str, words: str) -> Argument:
    names, *rest = left.split(" ", 1)
    rest = " " + (rest[0] if rest else "")
    found = Argument(names.split(","), words=words)
    if match := re.search(r" \(Env:(\w+)\)", rest):
        found.variable, rest = match[1], rest.replace(match[0], "")
    if match := re.search(r" (?:Needs|Excludes): (.+)", rest):
        found.goes_with = match[1] if "Needs" in match[0] else ""
        rest = rest.replace(match[0], "")
    tokens = rest.split()
    found.required, found.repeated = "REQUIRED" in tokens, "..." in tokens
    found.value = " ".join(token for token in tokens if token not in ("REQUIRED", "..."))
    if found.value.startswith(("NAME", "KIND", "ROLE")):
        found.choices = choices(words)
    elif re.fullmatch(r"[a-z0-9|]+", found.value):  # 30d|month
        found.choices = found.value.split("|")
    return found


def choices(words: str) -> list[str]:
    """`One of a, b`, `a (why), b or c`, `Any of a, b and c` and `a: why; b: why` name what may be chosen; other words do not."""
    listed = re.match(rf"(?:One of |Any of )?((?:{NAMES}(?:,? or | and |, ))+{NAMES})(?=$|[;.:]| \()", words)
    explained = re.findall(r"(?:^|; )([a-z]+): ", words)
    if listed:
        return re.split(r",? or | and |, ", re.sub(r" \([^)]*\)", "", listed[1]))
    return explained if len(explained) > 1 else []
