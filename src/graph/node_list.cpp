#include <algorithm>
#include <numeric>
#include <ranges>

#include "base/fail.h"
#include "base/utf8.h"
#include "graph/graph_impl.h"
#include "graph/plain_integer.h"

namespace hushwalk {
namespace {

void check_size(std::uint64_t size) {
  if (size > max_nodes) fail_usage("a graph can have at most {} nodes, not {}", max_nodes, size);
}

std::shared_ptr<const NodeList::Impl> own(std::vector<std::int64_t> ids) {
  auto owner = std::make_shared<const std::vector<std::int64_t>>(std::move(ids));
  return std::make_shared<const NodeList::Impl>(NodeList::Impl{
      .are_integers = true, .integers = *owner, .text_offsets = {}, .text = {}, .owner = owner});
}

}  // namespace

NodeList::NodeList() : NodeList(own({})) {}

NodeList::NodeList(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

NodeList NodeList::range(std::int64_t first, std::uint64_t count) {
  check_size(count);
  std::vector<std::int64_t> ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return NodeList(own(std::move(ids)));
}

NodeList NodeList::integers(std::vector<std::int64_t> ids) {
  check_size(ids.size());
  if (!std::ranges::is_sorted(ids)) std::ranges::sort(ids);
  const auto repeat = std::ranges::adjacent_find(ids);
  if (repeat != ids.end()) fail_usage("the node list has the id {} twice", *repeat);
  return NodeList(own(std::move(ids)));
}

NodeList NodeList::names(std::vector<std::string> ids) {
  check_size(ids.size());
  if (!std::ranges::is_sorted(ids)) std::ranges::sort(ids);
  const auto repeat = std::ranges::adjacent_find(ids);
  if (repeat != ids.end()) fail_usage("the node list has the id '{}' twice", quotable(*repeat));

  for (const std::string& id : ids)
    if (id.empty() || !is_printable_utf8(id))
      fail_usage("'{}' is not a node id: it must be printable UTF-8", quotable(id));
  return make_text_nodes(ids.size(), [&](std::size_t i) { return std::string_view(ids[i]); });
}

std::uint64_t NodeList::size() const noexcept { return impl_->size(); }

bool NodeList::are_integers() const noexcept { return impl_->are_integers; }

std::int64_t NodeList::integer(Node node) const { return impl_->integers[node]; }

std::string NodeList::name(Node node) const {
  return impl_->are_integers ? std::to_string(impl_->integers[node]) : std::string(impl_->text_of(node));
}

std::optional<Node> NodeList::find(std::int64_t id) const {
  const auto ids = impl_->integers;
  if (ids.empty() || id < ids.front() || id > ids.back()) return std::nullopt;
  // In a list without gaps the id is where its value says.
  const auto guess = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(ids.front());
  if (guess < ids.size() && ids[guess] == id) return static_cast<Node>(guess);
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<Node>(found - ids.begin());
}

std::optional<Node> NodeList::find(std::string_view id) const {
  if (impl_->are_integers) {
    const auto value = plain_integer(id);
    return value ? find(*value) : std::nullopt;
  }
  const auto positions = std::views::iota(std::uint64_t{0}, size());
  const auto found =
      std::ranges::lower_bound(positions, id, {}, [&](std::uint64_t i) { return impl_->text_of(i); });
  if (found == positions.end() || impl_->text_of(*found) != id) return std::nullopt;
  return static_cast<Node>(*found);
}

}  // namespace hushwalk
