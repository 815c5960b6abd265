#include "nodes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <ranges>

namespace hushwalk::service {
namespace {

__extension__ using Wide = __int128;

// The first position from which on `before` is false.
template <class Before>
Node first_not(const NodeList& nodes, Before before) {
  const auto all = std::views::iota(std::uint64_t{0}, nodes.size());
  return static_cast<Node>(
      *std::ranges::partition_point(all, [&](std::uint64_t v) { return before(static_cast<Node>(v)); }));
}

void add_range(const NodeList& nodes, Wide from, Wide to, std::size_t most, std::vector<Node>& found) {
  const Node first = first_not(nodes, [&](Node v) { return nodes.integer(v) < from; });
  for (std::uint64_t v = first;
       v < nodes.size() && found.size() < most && nodes.integer(static_cast<Node>(v)) < to; ++v)
    found.push_back(static_cast<Node>(v));
}

// Numbers that begin with these digits are those from digits·10^k to below (digits + 1)·10^k.
std::vector<Node> integers_beginning(const NodeList& nodes, const std::string& prefix, std::size_t most) {
  const bool negative = prefix.starts_with('-');
  const std::string digits = prefix.substr(negative ? 1 : 0);
  std::uint64_t number = 0;  // that of the least integer has no int64_t
  std::vector<Node> found;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return found;
  if (digits.starts_with('0') && (digits.size() > 1 || negative)) return found;
  constexpr Wide most_integer = std::numeric_limits<std::int64_t>::max();
  for (Wide scale = 1; scale <= most_integer + 1 && found.size() < most; scale *= 10) {
    const Wide from = Wide{number} * scale, to = from + scale;
    negative ? add_range(nodes, 1 - to, 1 - from, most, found) : add_range(nodes, from, to, most, found);
    if (number == 0) break;
  }
  return found;
}

}  // namespace

std::vector<Node> nodes_beginning(const NodeList& nodes, const std::string& prefix, std::size_t most) {
  std::vector<Node> found;
  if (nodes.are_integers() && !prefix.empty()) return integers_beginning(nodes, prefix, most);
  const Node first = prefix.empty() ? 0 : first_not(nodes, [&](Node v) { return nodes.name(v) < prefix; });
  for (std::uint64_t v = first; v < nodes.size() && found.size() < most; ++v) {
    if (!prefix.empty() && !nodes.name(static_cast<Node>(v)).starts_with(prefix)) break;
    found.push_back(static_cast<Node>(v));
  }
  return found;
}

}  // namespace hushwalk::service
