// What the verbs share: common flags, messages, the progress bar, JSON of a node.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/hushwalk.h"

namespace hushwalk::cli {

using Json = nlohmann::ordered_json;

struct Common {
  bool json = false;
  std::optional<int> threads;
};

// A verb with the flags that all have. `run` is called after parsing, within the thread limit; Error{usage}
// before it when an option was given an empty value.
CLI::App* add_verb(CLI::App& app, Common& common, const std::string& name, const std::string& description,
                   const std::string& example, std::function<void()> run);

// A message for the person at the terminal, on standard error.
void notice_text(std::string_view text);
template <class... Args>
void notice(fmt::format_string<Args...> text, Args&&... args) {
  notice_text(fmt::format(text, std::forward<Args>(args)...));
}

// A bar on standard error if that is a terminal, else nothing.
Progress progress_bar();

extern bool standard_output_closed;  // set by main(), which puts something harmless in its place

// To standard output; Error{failed} when it cannot be written.
void print_out(std::string_view text);

// Integers as numbers, names as strings.
Json node_json(const NodeList& nodes, Node node);

// Error{usage} naming the id when the graph has no such node.
Node find_node(const Graph& graph, const std::string& id);

// Fails before long work when the file could not be written after it, would replace one of the inputs, or
// when two inputs are standard input. Empty inputs are ignored.
void check_inputs(const std::vector<std::string>& inputs, const std::optional<std::string>& output,
                  FileKind kind = FileKind::text);

// --mode, for verbs with an output; `permissions` holds the default.
void add_mode(CLI::App& verb, Permissions& permissions);

// Error{refused} when MPI or Slurm has started this program several times: each process would draw noise of
// its own, and the question would cost as many times what each certificate says. For verbs that draw noise.
void refuse_several_processes();

// The graph at `path`, a graph file or a text; what there is to say about a text is said.
Graph open_graph_saying(const std::string& path, const Progress& progress);

std::string whole_number_fault(const std::string& text);  // empty when it is one

// A flag that takes a whole number below 2^64; CLI11 alone would read -1 as a very large one.
template <class T>
CLI::Option* add_count(CLI::App& verb, const std::string& name, T& value, const std::string& description) {
  return verb.add_option(name, value, description)
      ->check(CLI::Validator(whole_number_fault, "", "whole number"));
}

[[noreturn]] void usage_error(const std::string& message);

}  // namespace hushwalk::cli
