// `edgeflip`: every pair of nodes is flipped (linked if it was not, and the other way round) with probability
// p >= 1 / (1 + e^epsilon), once for everybody; an answer is the exact diffusion on the flipped graph, in
// personalized scope with the pairs at its seeds as they are. docs/math/21-edgeflip.md.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/fail.h"
#include "base/parallel.h"
#include "diffusion/groups.h"
#include "diffusion/series.h"
#include "graph/edge_pieces.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "mechanism/node_noise.h"
#include "noise/geometric.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t pairs_per_piece = std::uint64_t{1} << 22;  // that have skips of their own
constexpr std::uint64_t most_listed = std::uint64_t{1} << 24;      // pairs in a list of all

// Pair {u, v}, u < v, has the number v (v - 1) / 2 + u: row v is what all_pairs(v) to all_pairs(v + 1)
// number.

// Pieces of the pairs begin at these rows; the last is n. Public.
std::vector<Node> first_rows(std::uint64_t nodes) {
  std::vector<Node> rows = {0};
  for (std::uint64_t v = 0, begun = 0; v < nodes; ++v)
    if (all_pairs(v + 1) - begun > pairs_per_piece && v > rows.back()) {
      rows.push_back(static_cast<Node>(v));
      begun = all_pairs(v);
    }
  rows.push_back(static_cast<Node>(nodes));
  return rows;
}

// The pairs of rows first to last that are linked after the flips.
std::vector<EdgeOfNodes> flip_rows(const Graph& graph, Node first, Node last, GeometricSkips& skips) {
  std::vector<EdgeOfNodes> linked;
  std::vector<Node> flips, row;
  std::uint64_t next = skips.next();  // the next flip, counted from the beginning of the row
  for (Node v = first; v < last; ++v) {
    flips.clear(), row.clear();
    for (; next < v; next += 1 + skips.next()) flips.push_back(static_cast<Node>(next));
    next -= v;
    const std::vector<Node> near = graph.neighbors(v);
    std::set_symmetric_difference(near.begin(), std::ranges::lower_bound(near, v), flips.begin(), flips.end(),
                                  std::back_inserter(row));
    for (const Node u : row) linked.push_back({u, v});
  }
  return linked;
}

EdgePieces flip_pairs(const Graph& graph, const DiscreteLaplace& skips, NoiseSource& source) {
  const std::vector<Node> rows = first_rows(graph.nodes());
  EdgePieces pieces(rows.size() - 1);
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      GeometricSkips from(skips, source, piece);
      pieces[piece] = flip_rows(graph, rows[piece], rows[piece + 1], from);
    }
  });
  return pieces;
}

// A part of the flipped pairs and the true links of the seeds.
EdgePieces with_own_pairs(const EdgePieces& flipped, const Graph& graph, const SeedVector& seed) {
  EdgePieces pieces(flipped.size() + 1);
  for (std::size_t i = 0; i < flipped.size(); ++i)
    std::ranges::copy_if(flipped[i], std::back_inserter(pieces[i]), [&](const EdgeOfNodes& pair) {
      return !seed.contains(pair.u) && !seed.contains(pair.v);
    });
  for (const auto& [s, weight] : seed.entries())
    for (const Node v : graph.neighbors(s)) pieces.back().push_back({std::min(s, v), std::max(s, v)});
  return pieces;
}

class EdgeFlipRelease final : public Release {
 public:
  EdgeFlipRelease(const Plan& plan, const Graph& graph, NoiseSource& source, bool own)
      : plan_(plan), graph_(graph), source_(source), own_(own), skips_(plan.noise.front().lattice_scale) {
    flipped_ = flip_pairs(graph_, skips_, source_);
  }

  void renew(std::uint64_t answer) override {
    flipped_ = flip_pairs(graph_, skips_, *source_.answer(answer));
  }

  // One number for each pair, 1 for a link: a list of all pairs, for audits of small graphs.
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    const std::uint64_t pairs = all_pairs(graph_.nodes());
    if (pairs > most_listed) fail("{} pairs are too many to list", pairs);
    std::vector<Columns> answers;
    for (const SeedVector& seed : seeds) {
      std::vector<std::int64_t> linked(pairs);
      for (const std::vector<EdgeOfNodes>& piece : pairs_for(seed))
        for (const auto& [u, v] : piece) linked[all_pairs(v) + u] = 1;
      answers.push_back({std::move(linked)});
    }
    return answers;
  }

  // The same as scores of numbers, without the list.
  std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t,
                                    const Progress& progress) override {
    std::vector<PrivateScores> answers;
    if (plan_.parameters.scope == Scope::edge) {
      for (auto& scores : diffuse_flipped(graph_from_pieces(graph_.node_list(), flipped_), seeds, progress))
        answers.push_back({std::move(scores)});
      return answers;
    }
    for (const SeedVector& seed : seeds) {
      answers.push_back(scores_on(graph_from_pieces(graph_.node_list(), pairs_for(seed)), seed));
      if (progress)
        progress("diffusing", static_cast<double>(answers.size()) / static_cast<double>(seeds.size()));
    }
    return answers;
  }

  // One flip more or less changes the odds of a pair by (1 - p) / p, as Laplace noise of this scale would
  // those of a number that moves by 1.
  double scale(const SeedVector&, std::size_t, Node) const override {
    return -1 / std::log(std::expm1(1 / plan_.noise.front().lattice_scale));
  }

  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    EdgePieces pieces(1);
    std::size_t number = 0;
    for (Node v = 0; v < graph_.nodes(); ++v)
      for (Node u = 0; u < v; ++u)
        if (numbers.front()[number++] != 0) pieces.front().push_back({u, v});
    return scores_on(graph_from_pieces(graph_.node_list(), std::move(pieces)), seed);
  }

 private:
  EdgePieces pairs_for(const SeedVector& seed) const {
    return plan_.parameters.scope == Scope::edge ? flipped_ : with_own_pairs(flipped_, graph_, seed);
  }

  // The flipped graph is released already: when to stop may depend on it.
  std::vector<std::vector<double>> diffuse_flipped(const Graph& flipped, std::span<const SeedVector> seeds,
                                                   const Progress& progress) const {
    constexpr double tolerance = 1e-13;
    return diffuse_in_groups(flipped, plan_.parameters.diffusion, seeds, {}, progress, choose_lanes,
                             tolerance);
  }

  PrivateScores scores_on(const Graph& flipped, const SeedVector& seed) const {
    PrivateScores answer{std::move(diffuse_flipped(flipped, {&seed, 1}, {}).front())};
    if (own_)
      own_links(graph_, seed).add_to(answer.scores, series_of(plan_.parameters.diffusion.steps()).one);
    return answer;
  }

  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  bool own_;
  DiscreteLaplace skips_;
  EdgePieces flipped_;
};

class EdgeFlip final : public Mechanism {
 public:
  explicit EdgeFlip(bool own) : own_(own) {}
  bool can_be_spread() const override { return false; }  // a pair's ends may be with two processes
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    return std::make_unique<EdgeFlipRelease>(plan, graph, noise, own_);
  }

 private:
  bool own_;
};

}  // namespace

std::unique_ptr<Mechanism> edge_flip_mechanism() { return std::make_unique<EdgeFlip>(false); }
std::unique_ptr<Mechanism> edge_flip_own_mechanism() { return std::make_unique<EdgeFlip>(true); }

}  // namespace hushwalk
