// The exact rank of the node at place q is taken to lie between q / f and q f, a place more on either side,
// with a factor f that depends on what decided the place:
//   own neighbours     the first step is known and the same for all of them, and few others come before
//                      them. Their order among themselves is known little, unless popularity decides it, and
//                      not at all where their numbers differ no more than noise does.
//   others, counted    a node with L links to own neighbours by released numbers that are clear of the noise:
//                      e^(1.5 / sqrt L) down and e^(2.5 / sqrt L) up, more than a Poisson count would stray
//                      by, since a walk also asks how many links these neighbours have; and more upwards,
//                      since the best of a list owe their place to luck as well.
//   others, popular    where neighbours have links to a good part of all nodes, two steps lead nearly
//                      everywhere, and popularity decides.
// Of others nothing is said, and of none of them unless own neighbours are seen to be linked among each
// other. All constants were tuned on ego-facebook, BlogCatalog, ca-AstroPh and twitch-de, and on synthetic
// graphs of users and items.
#include "estimate/rank_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hushwalk {
namespace {

constexpr double spare_places = 1;
constexpr double near_by_popularity = 1.4, near_by_links = 3, near_otherwise = 4.5;
constexpr double far_by_popularity = 1.75;
constexpr double outranked = 1.1;                      // where own neighbours end, in their number
constexpr double most_link_noise = 4, too_noisy = 10;  // about that of epsilon = 0.4 and 0.15
constexpr double least_links = 5;                      // that tell something
constexpr double good_part = 0.08;                     // of all nodes
constexpr std::size_t least_near = 5;                  // one hub alone may be that of a closed group
constexpr double least_first_step = 0.45;  // in what follows; lazy PageRank with beta = 0.8 has 0.5
constexpr double worthless = 0.5;          // of all ranks
constexpr double near_not_told_apart = std::numeric_limits<double>::infinity();
constexpr double least_spread = 0.7;  // in standard deviations; that of one Laplace draw alone is 0.49
constexpr double least_among = 0.5;   // in what popularity alone would make of it
constexpr double surely_among = 4;    // standard deviations: there are few such sums

// By how much an exact rank may be smaller or greater; 0: nothing can be said.
struct Factors {
  double down, up;
};
Factors factors_of(const RankedNode& row, const RankDoubt& doubt) {
  if (row.noise && !(row.score >= clear_of_noise * *row.noise)) return {0, 0};
  const double links = row.noise && *row.noise > 0 ? row.score / *row.noise * doubt.link_noise : 0;
  const Factors popular{doubt.far, doubt.far};
  if (links < least_links) return popular;
  const Factors counted{std::exp(1.5 / std::sqrt(links)), std::exp(2.5 / std::sqrt(links))};
  return doubt.far > 0 && doubt.far < counted.up ? popular : counted;
}

// On a graph of users and items neighbours are of one kind and have no links to each other: two steps lead to
// the other kind only, and neither popularity nor links into N say how a node ranks among both.
bool linked_among_each_other(const NearLinks& links, double mean, std::size_t nodes) {
  const auto near = static_cast<double>(links.near);
  const double by_chance = near * (near - 1) * mean / static_cast<double>(nodes);
  return links.among > 0 && links.among >= surely_among * links.among_noise &&
         links.among >= least_among * by_chance;
}

}  // namespace

double spread_of(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  const auto median = [&] {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
  };
  const double centre = median();
  for (double& number : numbers) number = std::abs(number - centre);
  return median();
}

NearLinks near_links(const OwnLinks& own, std::span<const double> links, double noise) {
  NearLinks found{.near = own.near.size(), .sum = 0, .noise = noise};
  std::vector<double> numbers;
  numbers.reserve(own.near.size());
  for (const Node node : own.near) {
    found.sum += links[node];
    numbers.push_back(links[node]);
  }
  found.spread = spread_of(std::move(numbers));
  found.number_noise = noise;
  return found;
}

std::optional<RankDoubt> rank_doubt(const NearLinks& links, std::size_t nodes, const Series& theta,
                                    double link_noise) {
  if (!(theta.one > 0 && theta.two >= 0 && theta.rest >= 0 &&
        theta.one >= least_first_step * theta.beyond_one()) ||
      link_noise > too_noisy)
    return {};
  const double mean = links.near > 0 ? links.sum / static_cast<double>(links.near) : 0;
  const bool popularity_decides = links.near >= least_near && mean >= clear_of_noise * links.noise &&
                                  mean >= good_part * static_cast<double>(nodes);
  const bool linked = linked_among_each_other(links, mean, nodes), apart = link_noise > 0;
  const bool counted = apart && link_noise <= most_link_noise;
  const double near = links.spread < least_spread * links.number_noise ? near_not_told_apart
                      : popularity_decides && (linked || !apart)       ? near_by_popularity
                      : counted                                        ? near_by_links
                                                                       : near_otherwise;
  if (!linked) return RankDoubt{near};
  return RankDoubt{near, popularity_decides ? far_by_popularity : 0, link_noise};
}

RankRanges::RankRanges(std::uint64_t nodes, const Listing& listing)
    : listed_(listing.marks(nodes)),
      candidates_(listed_.empty() ? nodes : static_cast<std::uint64_t>(std::ranges::count(listed_, true))),
      exclude_neighbors_(listing.exclude_neighbors) {}

void RankRanges::add_to(std::vector<RankedNode>& list, const SeedVector& seed, std::span<const Node> near,
                        const std::optional<RankDoubt>& doubt) const {
  if (!doubt || seed.entries().size() != 1) return;
  const auto own = static_cast<double>(std::ranges::count_if(near, [&](Node v) { return may_be_listed(v); }));
  const double hidden = exclude_neighbors_ ? own : 0;  // they come first, and are not counted
  const double all =
      static_cast<double>(candidates_) - (may_be_listed(seed.entries()[0].first) ? 1 : 0) - hidden;
  double place = hidden, others = 0;
  for (RankedNode& row : list) {
    ++place;
    const bool is_near = std::ranges::binary_search(near, row.node);
    others += is_near ? 0 : 1;
    const auto [down, up] = is_near ? Factors{doubt->near, doubt->near} : factors_of(row, *doubt);
    if (up == 0) continue;
    double high = std::floor(place * up + spare_places);
    if (is_near) high = std::min(high, std::floor(outranked * own + others) + 1);
    const double low = std::max(1.0, std::ceil((place - spare_places) / down) - hidden);
    high = std::min(high - hidden, all);
    if (high - low + 1 <= worthless * all)
      row.range = {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
  }
}

}  // namespace hushwalk
