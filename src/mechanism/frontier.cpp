// `frontier`; plan/frontier.cpp says what it is, docs/math/27-frontier.md why it is private.
#include "estimate/frontier.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "estimate/frontier_set.h"
#include "mechanism/node_noise.h"
#include "mechanism/seed_by_seed.h"
#include "plan/frontier.h"
#include "plan/link_plan.h"
#include "plan/two_hop.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

// Columns after the two of `twohop`: links into A, and who is in A.
constexpr std::size_t into_set = 2, in_set = 3, columns_in_all = 4;

// Who is who in one answer: N, what the recipient knows, and of O the set A and the rest R.
struct Sides {
  std::vector<Node> near, set, rest;
  Sides(const std::vector<Node>& neighbors, const std::vector<Node>& far, std::vector<Node> chosen)
      : near(neighbors), set(std::move(chosen)) {
    std::ranges::set_difference(far, set, std::back_inserter(rest));
  }
};

class FrontierRelease final : public SeedBySeed {
 public:
  FrontierRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : SeedBySeed(graph, source),
        plan_(plan),
        most_(frontier_size(plan.graph.nodes, plan.epsilon())),
        taper_(1, taper_of(*plan.parameters.taper)),
        all_links_(kept_links(graph, taper_)),
        theta_(series_of(plan.parameters.diffusion.steps())) {
    for (const NoiseUse& use : plan.noise) noise_.emplace_back(use.lattice_scale);
  }

  // That of the first block; the others depend on what was released: see centres().
  double scale(const SeedVector& seed, std::size_t, Node node) const override {
    const bool near = std::ranges::binary_search(own_links(graph_, seed).near, node);
    return lattice_scale(near ? near_noise(into_near) : far_noise(into_near));
  }

  std::optional<Centres> centres(const Columns& released, const SeedVector& seed) const override {
    const Rows rows(graph_);
    const OwnLinks own = own_links(graph_, seed);
    const Sides sides = sides_of(released[into_near], seed, own.near);
    Centres found{first_counts(rows, seed, sides.near), {}};
    found.centre.resize(columns_in_all, Column(graph_.nodes()));
    if (!sides.set.empty()) look_again(rows, found.centre, seed, sides);
    count_out_of_set(rows, released, sides, found.centre);
    found.scale.assign(columns_in_all, std::vector<double>(graph_.nodes()));
    each_noise(sides, [&](std::size_t column, const std::vector<Node>& nodes, std::size_t use, NoiseKind) {
      for (const Node v : nodes) found.scale[column][v] = lattice_scale(use);
    });
    return found;
  }

 private:
  // visit(column, nodes, Plan::noise, kind) for all numbers that there are, in the order of the release.
  template <class Visit>
  static void each_noise(const Sides& sides, const Visit& visit) {
    visit(into_near, sides.near, near_noise(into_near), NoiseKind::neighbors);
    visit(into_near, sides.rest, far_noise(into_near), NoiseKind::rest);
    visit(into_near, sides.set, far_noise(into_near), NoiseKind::rest);
    each_later_noise(sides, visit);
    visit(into_far, sides.set, out_of_noise, NoiseKind::frontier_out_of);
  }
  // Between the choice of A and the links out of it.
  template <class Visit>
  static void each_later_noise(const Sides& sides, const Visit& visit) {
    visit(into_far, sides.near, near_noise(into_far), NoiseKind::neighbors);
    visit(into_far, sides.rest, far_noise(into_far), NoiseKind::rest);
    if (sides.set.empty()) return;
    visit(into_set, sides.rest, into_noise, NoiseKind::frontier_into);
    visit(into_set, sides.set, among_noise, NoiseKind::frontier_among);
  }

  // Columns are of my nodes until the end; what A is chosen from is of all, in all parts.
  Columns noisy(const SeedVector& seed, const OwnLinks& own, NoiseSource& source) const override {
    const Rows rows(graph_);
    Columns columns = first_counts(rows, seed, own.near);
    columns.resize(columns_in_all, Column(rows.mine()));
    add_noise_by_part(source, into_near, {noise_[near_noise(into_near)], noise_[far_noise(into_near)]}, seed,
                      own.near, {columns[into_near], rows.first_node()});
    const Sides sides = sides_of(rows.whole(columns[into_near]), seed, own.near);
    if (!sides.set.empty()) look_again(rows, columns, seed, sides);
    const auto add = [&](std::size_t column, const std::vector<Node>& nodes, std::size_t use,
                         NoiseKind kind) {
      const bool of_two_hop = kind == NoiseKind::rest || kind == NoiseKind::neighbors;
      add_noise({source, kind, of_two_hop ? column : 0}, noise_[use], nodes,
                {columns[column], rows.first_node()});
    };
    each_later_noise(sides, add);
    count_out_of_set(rows, columns, sides, columns);
    add(into_far, sides.set, out_of_noise, NoiseKind::frontier_out_of);
    for (Column& column : columns) column = rows.in_first(std::move(column));
    return columns;
  }

  // The numbers of `twohop` before noise.
  Columns first_counts(const Rows& rows, const SeedVector& seed, const std::vector<Node>& near) const {
    SeparateLinks links = separate_links(rows, taper_, *all_links_, seed, near);
    return {std::move(links.into_near), std::move(links.into_far)};
  }

  // From released numbers alone.
  Sides sides_of(const Column& released, const SeedVector& seed, const std::vector<Node>& near) const {
    const std::vector<Node> far = far_nodes(graph_.nodes(), seed, near);
    const double scale = lattice_scale(far_noise(into_near));
    return {near, far, nodes_to_look_at_again(released, scale, far, near.size(), most_)};
  }

  // Links into A, and of R the tapered background inside R in the place of that inside O.
  void look_again(const Rows& rows, Columns& columns, const SeedVector& seed, const Sides& sides) const {
    std::vector<Node> outside_rest;
    std::ranges::merge(sides.near, sides.set, std::back_inserter(outside_rest));
    const Column tapered = far_links(rows, taper_, *all_links_, seed, outside_rest),
                 links = count_links_into(rows, sides.set);
    for (const Node v : rows.mine_of(sides.rest)) {
      const std::size_t i = rows.entry(v);
      columns[into_far][i] = tapered[i], columns[into_set][i] = links[i];
    }
    for (const Node v : rows.mine_of(sides.set)) {
      const std::size_t i = rows.entry(v);
      columns[into_set][i] = links[i], columns[in_set][i] = 1;
    }
  }

  // Links of A into R, each weighed by what was released of its end in R: as that degree would be tapered.
  void count_out_of_set(const Rows& rows, const Columns& released, const Sides& sides,
                        Columns& counts) const {
    if (sides.set.empty()) return;
    Column weight(rows.mine());
    for (const Node v : rows.mine_of(sides.rest)) {
      const std::size_t i = rows.entry(v);
      const std::int64_t links = released[into_far][i] + released[into_set][i];  // each is below 2^62
      const std::uint64_t degree =
          static_cast<std::uint64_t>(std::max<std::int64_t>(links, 0)) / QuantisedTaper::unit;
      weight[i] = static_cast<std::int64_t>(taper_.weight(degree));
    }
    const Column sums = sum_over_neighbors(rows, weight);
    for (const Node v : rows.mine_of(sides.set)) counts[into_far][rows.entry(v)] = sums[rows.entry(v)];
  }

  PrivateScores estimate(const Columns& columns, const SeedVector& seed, OwnLinks own) const override {
    const FrontierNumbers noisy{
        {to_links(columns[into_near]),
         to_links(columns[into_far]),
         {laplace_scale(near_noise(into_near)), laplace_scale(near_noise(into_far)),
          laplace_scale(far_noise(into_near)), laplace_scale(far_noise(into_far))}},
        to_links(columns[into_set]),
        {columns[in_set].begin(), columns[in_set].end()},
        {laplace_scale(among_noise), laplace_scale(into_noise), laplace_scale(out_of_noise)}};
    Estimate found = estimate_frontier(noisy, seed, own, theta_);
    return {std::move(found.scores), std::move(own.near), found.near_error, found.far_error, found.doubt};
  }

  double laplace_scale(std::size_t use) const { return plan_.noise[use].laplace_scale; }
  double lattice_scale(std::size_t use) const { return plan_.noise[use].lattice_scale; }

  const Plan& plan_;
  std::uint64_t most_;
  QuantisedTaper taper_;
  std::shared_ptr<const Column> all_links_;
  std::vector<DiscreteLaplace> noise_;  // by Plan::noise
  Series theta_;
};

class Frontier final : public Mechanism {
 public:
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source,
                                 const Progress& progress) const override {
    if (!releases_separate_numbers(plan.parameters)) return one_score_->start(plan, graph, source, progress);
    return std::make_unique<FrontierRelease>(plan, graph, source);
  }

 private:
  std::unique_ptr<Mechanism> one_score_ = two_hop_mechanism();
};

}  // namespace

std::unique_ptr<Mechanism> frontier_mechanism() { return std::make_unique<Frontier>(); }

}  // namespace hushwalk
