"""The reference of the command line, as Markdown, in the words of --help."""
from __future__ import annotations

from command_line import Argument, Verb


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("$", "\\$")


def row(argument: Argument) -> str:
    names = f"`{', '.join(argument.names)}{' ' + argument.value if argument.value else ''}`"
    extra = [f"Goes with `{argument.goes_with}`."] if argument.goes_with else []
    extra += ["Must be given."] if argument.required else []
    extra += ["May be repeated."] if argument.repeated else []
    extra += [f"In the environment: `{argument.variable}`."] if argument.variable else []
    return f"| {names} | {cell(' '.join([argument.words.rstrip('.') + '.', *extra]))} |\n"


def section(verb: Verb, common: set[str]) -> str:
    text = f"{'#' * (1 + len(verb.path))} `{verb.name}`\n\n{cell(verb.words.rstrip('.'))}.\n\n"
    text += f"```text\n{verb.usage.replace('SUBCOMMAND', 'VERB')}\n```\n\n"
    own = [flag for flag in verb.flags if flag.names[-1] not in common]
    if verb.positionals or own:
        text += "| | |\n|---|---|\n" + "".join(map(row, [*verb.positionals, *own])) + "\n"
    for heading, body in verb.notes:
        text += f"{heading}:\n\n```text\n{body}\n```\n\n" if heading else ""
    return text


def common_flags(program: Verb) -> list[Argument]:
    """Those that every verb that does something has."""
    leaves = [verb for verb in program.all() if not verb.verbs]
    shared = set.intersection(*({flag.names[-1] for flag in verb.flags} for verb in leaves))
    return [flag for flag in leaves[0].flags if flag.names[-1] in shared]


def reference(program: Verb) -> str:
    flags = common_flags(program)
    text = "## Flags of every verb\n\n| | |\n|---|---|\n" + "".join(map(row, flags)) + "\n"
    names = {flag.names[-1] for flag in flags}
    return text + "".join(section(verb, names) for verb in program.all() if verb.path)
