#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/utf8.h"
#include "graph/import/edge_line.h"
#include "graph/import/interner.h"
#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "hushwalk/import.h"

namespace hushwalk {
namespace {

// use(text, complain) for every line that is not blank or a comment; complain(reason) throws.
template <class Use>
void for_each_entry(const std::filesystem::path& path, const Use& use) {
  if (const std::string_view kind = path == "-" ? "" : kind_of_own_file(path); !kind.empty())
    fail_usage("'{}' is {}, not a list of ids; write one id on each line", path.string(), kind);
  LineBlocks lines(path);
  std::uint64_t entries = 0;
  for (; lines.peek_line(); lines.skip_line()) {
    const std::string_view text = trim(*lines.peek_line());
    if (text.empty() || text.front() == '#' || text.front() == '%') continue;
    const auto complain = [&](std::string reason) {
      fail_at(lines.name(), {lines.line_number(), std::move(reason), quotable(text)});
    };
    if (!is_printable_utf8(text) && text.find('\t') == std::string_view::npos)
      complain("the line is not UTF-8 text, or holds control characters");
    use(text, complain);
    ++entries;
  }
  if (entries == 0) fail("{} lists no node; write one id on each line", lines.name());
}

// The id and the text behind the last separator.
struct IdAndWeight {
  std::string_view id, weight;
};

IdAndWeight split_weight(std::string_view text) {
  const std::size_t separator = text.find_last_of(" \t,");
  if (separator == std::string_view::npos) return {text, {}};
  return {text.substr(0, text.find_last_not_of(" \t,", separator) + 1), text.substr(separator + 1)};
}

std::optional<double> positive_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size();
  return number && value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

NodeList read_node_list(const std::filesystem::path& path, bool string_ids) {
  const auto interner = std::make_unique<Interner>();
  std::uint64_t entries = 0, integers = 0;
  bool first_is_integer = false;
  for_each_entry(path, [&](std::string_view id, const auto& complain) {
    if (!is_printable_utf8(id)) complain("the id is not UTF-8 text, or holds control characters");
    interner->intern(id);
    const bool integer = looks_like_integer(id);
    if (entries == 0) first_is_integer = integer;
    ++entries;
    integers += integer;
  });
  if (!string_ids && !first_is_integer && entries > 1 && integers == entries - 1)
    fail(
        "the first line of {} looks like a header above integer ids; remove it, or say `string_ids` if it is an id",
        display_name(path));
  return interner->finish(string_ids).nodes;
}

std::vector<Node> read_nodes(const std::filesystem::path& path, const NodeList& nodes) {
  std::vector<Node> result;
  for_each_entry(path, [&](std::string_view id, const auto& complain) {
    const auto node = nodes.find(id);
    if (!node) complain("the graph has no such node");
    result.push_back(*node);
  });
  return result;
}

std::vector<std::pair<Node, double>> read_weighted_nodes(const std::filesystem::path& path,
                                                         const NodeList& nodes) {
  std::vector<std::pair<Node, double>> result;
  std::unordered_set<Node> seen;
  for_each_entry(path, [&](std::string_view text, const auto& complain) {
    auto node = nodes.find(text);  // an id may hold blanks
    std::optional<double> weight = 1;
    if (!node) {
      const auto [id, behind] = split_weight(text);
      node = nodes.find(id);
      weight = positive_number(behind);
    }
    if (!node) complain("the graph has no such node");
    if (!weight) complain("the weight behind the id must be a positive number");
    if (!seen.insert(*node).second) complain("the id stands here for the second time");
    result.emplace_back(*node, *weight);
  });
  return result;
}

}  // namespace hushwalk
