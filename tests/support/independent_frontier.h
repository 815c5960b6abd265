// `frontier` once more, pair by pair from docs/math/27-frontier.md: shares no code with src. It can be given
// flaws, and any set in the place of the one it would choose.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "support/independent_links.h"

namespace hushwalk::testing {

enum class FrontierFlaw {
  none,
  set_from_true_counts,
  stop_on_true_counts,
  inside_set_at_half_the_noise,
  true_degrees_as_weights,
  degrees_of_all_in_the_rest,
  degrees_of_the_graph_in_the_rest,
  background_on_top,
};

class IndependentFrontier {
 public:
  struct Design {
    std::size_t most;  // nodes of a second look
    double taper;
    std::array<double, 7> scale;  // in units, in the order of the certificate
  };
  struct Number {
    std::int64_t count, released;
    double scale;
  };
  struct Result {
    std::map<std::pair<std::size_t, std::size_t>, Number> numbers;  // by column and node
    std::vector<char> in_set;
  };
  // What is given out for a count: which noise it has, and the column and node.
  using Give =
      std::function<std::int64_t(std::size_t use, std::size_t column, std::size_t node, std::int64_t count)>;

  IndependentFrontier(Design design, Give give, FrontierFlaw flaw = FrontierFlaw::none)
      : design_(design), give_(std::move(give)), flaw_(flaw) {}

  // With the set that the released numbers choose, or with a given one.
  Result run(const SmallGraph& graph, const SeedVector& seed,
             const std::optional<std::vector<char>>& given = {}) const {
    const std::vector<Part> parts = parts_of(graph, seed);
    const std::size_t n = graph.nodes();
    Result result;
    const auto number = [&](std::size_t use, std::size_t column, std::size_t v, std::int64_t count) {
      const bool half = use == 4 && flaw_ == FrontierFlaw::inside_set_at_half_the_noise;
      result.numbers[{column, v}] = {count, give_(use, column, v, count),
                                     design_.scale[use] / (half ? 2 : 1)};
    };
    for (std::size_t v = 0; v < n; ++v)
      if (parts[v] != Part::seed)
        number(parts[v] == Part::near ? 0 : 2, 0, v, in_link_units(links_into(graph, parts, v, Part::near)));
    result.in_set = given ? *given : chosen(parts, result);
    const std::vector<char>& set = result.in_set;
    const auto in_rest = [&](std::size_t v) { return parts[v] == Part::rest && !set[v]; };
    const auto links = [&](std::size_t v, const auto& among) {
      std::uint64_t count = 0;
      for (std::size_t u = 0; u < n; ++u) count += among(u) && graph.linked(u, v);
      return count;
    };
    const auto in_set = [&](std::size_t u) { return set[u] != 0; };
    const auto in_far = [&](std::size_t u) { return parts[u] == Part::rest; };
    const TaperedWeight weight(1, design_.taper);
    // Sum over neighbours u of v that are `among` of weights of degrees counted in `degrees`.
    const auto tapered = [&](std::size_t v, const auto& among, const auto& degrees) {
      std::int64_t sum = 0;
      for (std::size_t u = 0; u < n; ++u)
        if (among(u) && graph.linked(u, v)) sum += weight(links(u, degrees));
      return sum;
    };
    const auto counts = [&](std::size_t u) {  // for degrees in the rest
      if (flaw_ == FrontierFlaw::degrees_of_the_graph_in_the_rest) return true;
      return flaw_ == FrontierFlaw::degrees_of_all_in_the_rest ? in_far(u) : in_rest(u);
    };
    for (std::size_t v = 0; v < n; ++v) {
      if (parts[v] == Part::near) number(1, 1, v, in_link_units(links(v, in_far)));
      if (in_rest(v)) number(3, 1, v, tapered(v, in_rest, counts));
    }
    if (std::ranges::count(set, 1) == 0) return result;
    for (std::size_t v = 0; v < n; ++v)
      if (in_far(v)) number(in_set(v) ? 4 : 5, 2, v, in_link_units(links(v, in_set)));
    for (std::size_t v = 0; v < n; ++v)
      if (in_set(v)) {
        std::int64_t sum = 0;
        for (std::size_t u = 0; u < n; ++u)
          if (in_rest(u) && graph.linked(u, v)) {
            const std::int64_t seen = result.numbers.at({1, u}).released + result.numbers.at({2, u}).released;
            const auto degree = static_cast<std::uint64_t>(std::max<std::int64_t>(seen, 0)) >> 32;
            sum += weight(flaw_ == FrontierFlaw::true_degrees_as_weights ? links(u, in_rest) : degree);
          }
        number(6, 1, v, sum);
      }
    if (flaw_ == FrontierFlaw::background_on_top)
      for (std::size_t v = 0; v < n; ++v)
        if (in_far(v)) number(3, 3, v, tapered(v, in_far, in_far));
    return result;
  }

 private:
  __extension__ using Wide = __int128;

  std::vector<char> chosen(const std::vector<Part>& parts, const Result& result) const {
    std::vector<std::size_t> far;
    std::vector<char> set(parts.size());
    Wide sum = 0;
    std::int64_t near = 0, true_links = 0;
    const auto seen = [&](std::size_t v) {
      const Number& number = result.numbers.at({0, v});
      return flaw_ == FrontierFlaw::set_from_true_counts ? number.count : number.released;
    };
    for (std::size_t v = 0; v < parts.size(); ++v) {
      near += parts[v] == Part::near;
      if (parts[v] != Part::rest) continue;
      far.push_back(v);
      sum += seen(v);
      true_links += result.numbers.at({0, v}).count >> 32;
    }
    const double in_links = design_.scale[2] / 0x1p32;
    const auto hub = static_cast<Wide>(in_links > 1 ? 150 * 0x1p32 / in_links : 150 * 0x1p32);
    const auto beyond = static_cast<double>(sum - hub * near);
    const double variance = 2 * static_cast<double>(far.size()) * (design_.scale[2] * design_.scale[2]);
    if (near == 0 || (beyond > 0 && beyond * beyond > variance)) return set;
    if (flaw_ == FrontierFlaw::stop_on_true_counts && true_links % 2 == 1) return set;
    std::ranges::stable_sort(far, std::greater(), seen);
    for (std::size_t i = 0; i < std::min(design_.most, far.size() / 2); ++i) set[far[i]] = 1;
    return set;
  }

  Design design_;
  Give give_;
  FrontierFlaw flaw_;
};

// The columns of a release.
inline std::vector<std::vector<std::int64_t>> columns_of(const IndependentFrontier::Result& result) {
  std::vector columns(4, std::vector<std::int64_t>(result.in_set.size()));
  for (const auto& [place, number] : result.numbers) columns[place.first][place.second] = number.released;
  if (std::ranges::none_of(columns[3], [](std::int64_t number) { return number != 0; }))
    columns[3].assign(result.in_set.begin(), result.in_set.end());
  return columns;
}

}  // namespace hushwalk::testing
