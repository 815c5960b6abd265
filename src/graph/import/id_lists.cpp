#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

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
  LineBlocks lines(path);
  std::uint64_t entries = 0;
  for (; lines.peek_line(); lines.skip_line()) {
    const std::string_view text = trim(*lines.peek_line());
    if (text.empty() || text.front() == '#' || text.front() == '%') continue;
    const auto complain = [&](std::string reason) {
      fail_at(lines.name(), {lines.line_number(), std::move(reason), quotable(text)});
    };
    if (!is_printable_utf8(text) && text.find('\t') == std::string_view::npos)
      complain("the line is not UTF-8 text");
    use(text, complain);
    ++entries;
  }
  if (entries == 0) fail("{} lists no node; write one id on each line", lines.name());
}

// The id and the weight behind the last separator, if that is a number.
std::pair<std::string_view, std::optional<double>> split_weight(std::string_view text) {
  const std::size_t separator = text.find_last_of(" \t,");
  if (separator == std::string_view::npos) return {text, std::nullopt};
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data() + separator + 1, text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size()) return {text, std::nullopt};
  const std::string_view id = text.substr(0, text.find_last_not_of(" \t,", separator) + 1);
  return {id, weight};
}

}  // namespace

NodeList read_node_list(const std::filesystem::path& path, bool string_ids) {
  const auto interner = std::make_unique<Interner>();
  for_each_entry(path, [&](std::string_view id, const auto& complain) {
    if (!is_printable_utf8(id)) complain("the id is not UTF-8 text");
    interner->intern(id);
  });
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
  for_each_entry(path, [&](std::string_view text, const auto& complain) {
    auto node = nodes.find(text);  // an id may hold blanks
    double weight = 1;
    if (!node) {
      const auto [id, given] = split_weight(text);
      node = nodes.find(id);
      weight = given.value_or(1);
    }
    if (!node) complain("the graph has no such node");
    if (!(weight > 0 && std::isfinite(weight))) complain("a weight must be a positive number");
    result.emplace_back(*node, weight);
  });
  return result;
}

}  // namespace hushwalk
