"""Man pages, one for the program and one for each verb, in the words of --help."""
from __future__ import annotations

import re

from command_line import Argument, Verb

EXIT = [("0", "done"), ("1", "failed"), ("2", "wrong usage"), ("3", "refused for privacy")]


def roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def entry(argument: Argument) -> str:
    head = ", ".join(f"\\fB{roff(name)}\\fR" for name in argument.names)
    if argument.value:
        head += f" \\fI{roff(argument.value)}\\fR"
    extra = [f"Goes with {argument.goes_with}."] if argument.goes_with else []
    extra += ["It must be given."] if argument.required else []
    extra += ["It may be repeated."] if argument.repeated else []
    words = argument.words.rstrip(".") + "."
    return f".TP\n{head}\n{roff(' '.join([words, *extra]))}\n"


def synopsis(verb: Verb) -> str:
    rest = verb.usage.removeprefix(verb.name).strip().replace("SUBCOMMAND", "VERB")
    return f".B {roff(verb.name)}\n{roff(rest)}\n"


def example(text: str) -> str:
    return f".nf\n.RS\n{roff(text)}\n.RE\n.fi\n"


def notes(verb: Verb) -> str:
    text = ""
    for heading, body in verb.notes:
        lines = "\n".join(line.removeprefix("  ") for line in body.splitlines())
        text += f".SH {heading.upper()}\n{example(lines)}" if heading else ""
    return text


def variables(verb: Verb) -> str:
    found = [flag for flag in verb.flags if flag.variable]
    rows = "".join(f".TP\n.B {flag.variable}\nStands for {roff(flag.names[-1])} where that is not given.\n" for flag in found)
    return f".SH ENVIRONMENT\n{rows}" if found else ""


def see_also(verb: Verb) -> str:
    others = [verb.path[:-1]] if verb.path else []
    others += [below.path for below in verb.verbs]
    if verb.program != "hushwalk":  # its verbs and flags are those of hushwalk
        others.insert(0, ())
    pages = "".join(f".BR {roff('-'.join(('hushwalk', *path)))} (1)\n" for path in others)
    return ".SH SEE ALSO\n" + pages


def man_page(verb: Verb, version: str) -> str:
    name = verb.name.replace(" ", "-")
    text = f'.TH {roff(name.upper())} 1 "" "hushwalk {version}" "Hushwalk"\n'
    text += f".SH NAME\n{roff(name)} \\- {roff(verb.words.rstrip('.'))}\n.SH SYNOPSIS\n{synopsis(verb)}"
    text += f".SH DESCRIPTION\n{roff(verb.words.rstrip('.'))}.\n"
    if verb.verbs:
        text += ".SH VERBS\n" + "".join(f".TP\n.B {roff(below.path[-1])}\n{roff(below.words)}.\n" for below in verb.verbs)
    if verb.positionals:
        text += ".SH ARGUMENTS\n" + "".join(map(entry, verb.positionals))
    text += ".SH OPTIONS\n" + "".join(map(entry, verb.flags)) + notes(verb) + variables(verb)
    text += ".SH EXIT STATUS\n" + "".join(f".TP\n.B {code}\n{meaning}\n" for code, meaning in EXIT)
    return text + see_also(verb)
