// What `twohop`, `shared` and `edgeflip` count before noise, pair by pair from the definitions in docs/math:
// shares no code with src/mechanism or src/accounting.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hushwalk/diffuse.h"
#include "support/small_graph.h"

namespace hushwalk::testing {

// In units of 2^-32: floor(2^32 r w(d)), w(d) = 1 - d/2t up to the taper t and t/2d above, 1 for an infinite
// taper: one quotient of whole numbers, rounded down once. A background of at least 2^-32, or 0.
class TaperedWeight {
 public:
  TaperedWeight(double background, double taper) : infinite_(std::isinf(taper)) {
    for (; background != std::floor(background); background *= 2) denominator_ *= 2;
    numerator_ = static_cast<Wide>(background) << 32;
    if (!infinite_) taper_ = static_cast<std::uint64_t>(taper);
  }

  std::int64_t operator()(std::uint64_t degree) const {
    if (infinite_) return quotient(numerator_, denominator_);
    if (degree > taper_) return quotient(numerator_ * taper_, denominator_ * 2 * degree);
    return quotient(numerator_ * (2 * taper_ - degree), denominator_ * 2 * taper_);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static std::int64_t quotient(Wide a, Wide b) { return static_cast<std::int64_t>(a / b); }

  bool infinite_;
  Wide numerator_ = 0, denominator_ = 1;
  std::uint64_t taper_ = 0;
};

enum class Part { seed, near, rest };

inline std::vector<Part> parts_of(const SmallGraph& graph, const SeedVector& seed) {
  std::vector<Part> parts(graph.nodes(), Part::rest);
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (const auto& [s, weight] : seed.entries())
      if (graph.linked(s, v)) parts[v] = Part::near;
  for (const auto& [s, weight] : seed.entries()) parts[s] = Part::seed;
  return parts;
}

inline std::uint64_t links_into(const SmallGraph& graph, const std::vector<Part>& parts, std::size_t v,
                                Part part) {
  std::uint64_t links = 0;
  for (std::size_t u = 0; u < graph.nodes(); ++u)
    if (parts[u] == part && graph.linked(u, v)) ++links;
  return links;
}

inline std::int64_t in_link_units(std::uint64_t links) { return static_cast<std::int64_t>(links) << 32; }

// `shared`
inline std::int64_t background_of(const SmallGraph& graph, const TaperedWeight& weight, std::size_t v) {
  std::int64_t sum = 0;
  for (std::size_t u = 0; u < graph.nodes(); ++u)
    if (graph.linked(u, v)) sum += weight(graph.degree(u));
  return sum;
}

// `twohop`, one score: links into N, and the weights of whole degrees of the neighbours in the rest.
inline std::int64_t score_of(const SmallGraph& graph, const std::vector<Part>& parts,
                             const TaperedWeight& weight, std::size_t v) {
  std::int64_t sum = in_link_units(links_into(graph, parts, v, Part::near));
  for (std::size_t u = 0; u < graph.nodes(); ++u)
    if (parts[u] == Part::rest && graph.linked(u, v)) sum += weight(graph.degree(u));
  return sum;
}

// `twohop`, the second of the separate numbers: for a neighbour its links to the rest, for the rest the
// weights of degrees counted among the rest.
inline std::int64_t far_links_of(const SmallGraph& graph, const std::vector<Part>& parts,
                                 const TaperedWeight& weight, std::size_t v) {
  if (parts[v] == Part::near) return in_link_units(links_into(graph, parts, v, Part::rest));
  std::int64_t sum = 0;
  for (std::size_t u = 0; u < graph.nodes(); ++u)
    if (parts[u] == Part::rest && graph.linked(u, v)) sum += weight(links_into(graph, parts, u, Part::rest));
  return sum;
}

// `edgeflip`: a pair at a seed of a personalized answer is as it is.
inline SmallGraph flipped_graph(const SmallGraph& graph, const SeedVector& seed, Scope scope,
                                const std::vector<char>& flips) {
  SmallGraph flipped(graph.nodes());
  std::size_t pair = 0;
  for (Node v = 0; v < graph.nodes(); ++v)
    for (Node u = 0; u < v; ++u, ++pair) {
      const bool own = scope == Scope::personalized && (seed.contains(u) || seed.contains(v));
      if (graph.linked(u, v) != (flips[pair] != 0 && !own)) flipped.link(u, v);
    }
  return flipped;
}

}  // namespace hushwalk::testing
