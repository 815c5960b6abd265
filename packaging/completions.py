"""Completion for bash, zsh and fish: verbs, flags, what may be chosen, also after a comma, files, and nodes of a graph file
that is named before them: its node list is public, and at hand."""
from __future__ import annotations

import re

from command_line import Argument, Verb


def leading(verb: Verb) -> str:
    return " ".join(verb.path)


def flag_names(verb: Verb) -> list[str]:
    return [name for flag in verb.flags for name in flag.names]


# --- bash -----------------------------------------------------------------------------------------------------------

BASH = r"""# bash completion for hushwalk, made from its --help
_hushwalk() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} verb="" word words="" files="" nodes="" before=""
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "${{verb:+$verb }}$word" in
      {paths}) verb="${{verb:+$verb }}$word" ;;
    esac
  done
  case "$verb $previous" in
{values}
    *)
      case "$verb" in
{verbs}
      esac
      [[ $current != -* ]] || files="" ;;
  esac
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "${{current#"$before"}}"))
  if [ -n "$nodes" ]; then
    for word in "${{COMP_WORDS[@]}}"; do
      [[ $word == *.hwg && -f $word ]] || continue
      mapfile -t COMPREPLY < <("${{COMP_WORDS[0]}}" names "$word" ${{current:+"$current"}} 2>/dev/null)
      [ "${{#COMPREPLY[@]}}" -eq 0 ] || mapfile -t COMPREPLY < <(printf '%q\n' "${{COMPREPLY[@]}}")
      break
    done
  fi
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _hushwalk hushwalk
"""


def bash_values(verb: Verb) -> list[str]:
    lines = []
    for flag in verb.flags:
        if not flag.value:
            continue
        patterns = "|".join(f'"{leading(verb)} {name}"' for name in flag.names)
        what = "nodes=yes" if flag.takes_node else "files=yes" if flag.takes_file else f'words="{" ".join(flag.choices)}"'
        if flag.takes_list:
            what += ' before=${current%"${current##*,}"}'  # up to the last comma
        lines.append(f"    {patterns}) {what} ;;")
    return lines


def bash_verb(verb: Verb) -> str:
    words = [below.path[-1] for below in verb.verbs] + [word for p in verb.positionals for word in p.choices] + flag_names(verb)
    files = " files=yes" if any(positional.takes_file for positional in verb.positionals) else ""
    return f'        "{leading(verb)}") words="{" ".join(words)}"{files} ;;'


def bash(program: Verb) -> str:
    every = list(program.all())
    return BASH.format(paths="|".join(f'"{leading(verb)}"' for verb in every if verb.path),
                       values="\n".join(line for verb in every for line in bash_values(verb)),
                       verbs="\n".join(map(bash_verb, every)))


# --- zsh ------------------------------------------------------------------------------------------------------------


def zsh_words(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


ZSH_NODES = """_hushwalk_nodes() {
  local graph=${(Q)words[(r)*.hwg]}
  [[ -f $graph ]] && compadd -- ${(f)"$(hushwalk names $graph ${PREFIX:+$PREFIX} 2>/dev/null)"}
}
"""


def zsh_action(argument: Argument) -> str:
    if argument.takes_node:
        return "_hushwalk_nodes"
    if argument.takes_file:
        return "_files"
    if argument.takes_list and argument.choices:
        return f"_sequence compadd - {' '.join(argument.choices)}"
    return f"({' '.join(argument.choices)})" if argument.choices else " "


def zsh_arguments(verb: Verb) -> list[str]:
    lines = []
    for flag in verb.flags:
        value = f":{zsh_words(flag.value)}:{zsh_action(flag)}" if flag.value else ""
        lines += [f"'{'*' if flag.repeated else ''}{name}[{zsh_words(flag.brief)}]{value}'" for name in flag.names]
    for positional in verb.positionals:
        lines.append(f"'{'*' if positional.repeated else ''}:{zsh_words(positional.names[0])}:{zsh_action(positional)}'")
    return lines


def zsh_function(verb: Verb) -> str:
    name = "_".join(("_hushwalk", *verb.path)).replace("-", "_")
    lines = zsh_arguments(verb)
    if not verb.verbs:
        return f"{name}() {{\n  _arguments \\\n    " + " \\\n    ".join(lines) + "\n}\n"
    below = " ".join(f"'{v.path[-1]}:{zsh_words(v.words)}'" for v in verb.verbs)
    lines += ["'1:verb:->verb'", "'*::argument:->argument'"]
    return (f"{name}() {{\n  local state line\n  local -a verbs=({below})\n  _arguments -C \\\n    " + " \\\n    ".join(lines) +
            "\n  case $state in\n    verb) _describe verb verbs ;;\n"
            f"    argument) (( ! $+functions[{name}_${{line[1]//-/_}}] )) || {name}_${{line[1]//-/_}} ;;\n  esac\n}}\n")


def zsh(program: Verb) -> str:
    functions = "".join(zsh_function(verb) for verb in program.all())
    return f'#compdef hushwalk\n# zsh completion for hushwalk, made from its --help\n{ZSH_NODES}{functions}_hushwalk "$@"\n'


# --- fish -----------------------------------------------------------------------------------------------------------

FISH = """# fish completion for hushwalk, made from its --help
function __hushwalk_verb
    set -l verb
    for word in (commandline -opc)[2..]
        contains -- (string join -- ' ' $verb $word) {paths}; and set verb $verb $word
    end
    test "$verb" = "$argv[1]"
end
function __hushwalk_nodes
    set -l graph (string match -- '*.hwg' (commandline -opc))[1]
    test -f "$graph"; and hushwalk names $graph (commandline -ct) 2>/dev/null
end
complete -c hushwalk -f
"""


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(flag: Argument) -> str:
    names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in flag.names)
    if flag.takes_node:
        names += " -x -a '(__hushwalk_nodes)'"
    elif flag.takes_file:
        names += " -r -F"
    elif flag.takes_list and flag.choices:
        names += f""" -x -a '(__fish_complete_list , "printf %s\\\\n {" ".join(flag.choices)}")'"""
    elif flag.value:
        names += " -x" + (f" -a {quoted(' '.join(flag.choices))}" if flag.choices else "")
    return f"{names} -d {quoted(flag.brief)}"


def fish_verb(verb: Verb) -> list[str]:
    start = f"complete -c hushwalk -n {quoted('__hushwalk_verb ' + quoted(leading(verb)))}"
    lines = [f"{start} -a {below.path[-1]} -d {quoted(below.words)}" for below in verb.verbs]
    lines += [start + fish_option(flag) for flag in verb.flags]
    for positional in verb.positionals:
        lines += [f"{start} -F"] if positional.takes_file else []
        lines += [f"{start} -a {quoted(' '.join(positional.choices))}"] if positional.choices else []
    return lines


def fish(program: Verb) -> str:
    paths = " ".join(quoted(leading(verb)) for verb in program.all() if verb.path)
    return FISH.format(paths=paths) + "\n".join(line for verb in program.all() for line in fish_verb(verb)) + "\n"
