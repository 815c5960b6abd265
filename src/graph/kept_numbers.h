// Numbers by node that take a walk over all rows of a graph, kept with it for whoever wants them again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "graph/lazy.h"

namespace hushwalk {

// Any thread. Two that want the same at the same time wait for one of them.
class KeptNumbers {
 public:
  using Key = std::array<std::uint64_t, 3>;  // all that the numbers depend on, beside the graph
  using Column = std::vector<std::int64_t>;
  static constexpr std::size_t most = 4;  // the newest are kept

  std::shared_ptr<const Column> get(const Key& key, std::function<Column()> make) const {
    const std::shared_ptr<const Lazy<Column>> found = find(key, std::move(make));
    return {found, &found->get()};
  }

 private:
  using Entry = std::pair<Key, std::shared_ptr<const Lazy<Column>>>;

  std::shared_ptr<const Lazy<Column>> find(const Key& key, std::function<Column()> make) const {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(kept_, key, &Entry::first);
    if (known != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, known);
    } else {
      kept_.emplace_front(key, std::make_shared<const Lazy<Column>>(std::move(make)));
      if (kept_.size() > most) kept_.pop_back();
    }
    return kept_.front().second;
  }

  mutable std::mutex mutex_;
  mutable std::list<Entry> kept_;
};

}  // namespace hushwalk
