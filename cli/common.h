// What the verbs share: common flags and checks.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/hushwalk.h"
#include "hushwalk/lab.h"
#include "terminal.h"

namespace hushwalk::cli {

// Flags that every verb has.
inline constexpr std::string_view of_every_verb[] = {"--json", "--quiet", "--verbose", "--timings",
                                                     "--threads"};

struct Common {
  bool json = false, verbose = false, timings = false;
  std::optional<int> threads;
};

// A verb with the flags that all have. `run` is called after parsing, within the thread limit; Error{usage}
// before it when an option was given an empty value.
CLI::App* add_verb(CLI::App& app, Common& common, const std::string& name, const std::string& description,
                   const std::string& example, std::function<void()> run);

// As a shell reads it back: in quotes where it must be.
std::string shell_word(const std::string& text);
// What `given` was given of flags that `other` has too, as it would be typed again.
std::string shared_words(const CLI::App& given, const CLI::App& other);

// All of a small file. Error{failed} when it cannot be read.
std::string text_of_file(const std::string& path);

// Error{usage} naming the id, and what may have been meant, when the graph has no such node.
Node find_node(const Graph& graph, const std::string& id);

// Fails before long work when the file could not be written after it, would replace one of the inputs, or
// when two inputs are standard input. Empty inputs are ignored.
void check_inputs(const std::vector<std::string>& inputs, const std::optional<std::string>& output,
                  FileKind kind = FileKind::text);

// -o, --format with the first choice as the default, and --mode, for verbs with an output; `permissions`
// holds the default.
void add_output(CLI::App& verb, std::optional<std::string>& output);
void add_format(CLI::App& verb, std::optional<std::string>& format, const std::vector<std::string>& choices);
void check_format(const Common& common, const std::optional<std::string>& format);  // against --json
void add_mode(CLI::App& verb, Permissions& permissions);
// What was asked for by --mode, or else for the owner only where there is a secret.
Permissions for_owner_if(bool secret, Permissions asked);

// The graph at `path`, a graph file or a text; what there is to say about a text is said.
Graph open_with_notices(const std::string& path, const Progress& progress);
Import open_with_advice(const std::string& path, const Progress& progress);

std::string whole_number_fault(const std::string& text);  // empty when it is one

// A flag that takes a number, for a parameter that cannot hold nonsense.
CLI::Option* add_number(CLI::App& verb, const std::string& name, std::function<void(double)> set,
                        const std::string& description);

// A flag that takes a whole number below 2^64; CLI11 alone would read -1 as a very large one.
template <class T>
CLI::Option* add_count(CLI::App& verb, const std::string& name, T& value, const std::string& description) {
  return verb.add_option(name, value, description)
      ->check(CLI::Validator(whole_number_fault, "", "whole number"));
}

inline constexpr const char* no_ledger =
    "no ledger: nobody is keeping count of what this graph has given away";

}  // namespace hushwalk::cli
