// What an edge costs when every node has its own noise scale b_v: epsilon = sum over v of |change of y_v| /
// b_v, pure. The recipient knows N, the seeds' neighbours, so every secret edge is publicly of one of three
// kinds: inside N, between N and the rest O, inside O. Note: docs/math/13-edge-cost.md.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

struct EdgeCost {
  double inside = 0;   // both ends in N
  double between = 0;  // one end in N, one in O
  double outside = 0;  // both ends in O
  double worst() const;
};

// One score y_v = #{links of v into N} + r sum over u in O next to v of w(d_u), degrees counted in the whole
// graph. `background_sensitivity` is r S_w of the weights in use:
//   2/b_in,  1/b_out + r S_w / min(b_in, b_out),  2 r S_w / min(b_in, b_out).
EdgeCost two_hop_cost_up(double b_in, double b_out, double background_sensitivity);

// The same with an infinite taper: w = 1 does not move, so that an edge between costs 1/b_out + r/b_in and
// one outside 2r/b_out.
EdgeCost two_hop_plain_cost_up(double b_in, double b_out, double background);

// Separate numbers instead of one score. For v in N the links into N and the plain count of links into O; for
// v in O the links into N and the sum of w(d^O_u) over u in O, degrees counted inside O.
struct SeparateScales {
  double in_links_in;     // v in N, links into N
  double in_links_out;    // v in N, links into O
  double out_links_in;    // v in O, links into N
  double out_background;  // v in O, tapered background
};
// 2 / in_links_in,  1 / in_links_out + 1 / out_links_in,  2 S_w / out_background.
EdgeCost separate_cost_up(const SeparateScales& scales, double taper_sensitivity);

// `shared`: B_v = sum over u next to v of w(d_u) for everybody. An edge moves S_w at either end: 2 S_w / b.
double shared_cost_up(double b, double taper_sensitivity);

// `frontier`: O falls into a set A, chosen from what was released, and the rest R. The tapered background is
// then that of R alone, and an edge with an end in A is paid for by links into A and links out of it. Note:
// docs/math/27-frontier.md.
struct FrontierScales {
  double among;   // v in A, links into A
  double into;    // v in R, links into A
  double out_of;  // v in A, links into R, each counted at most once
};
// What an edge costs when no set was chosen, and of which kind it can be when one was: the first two stay.
struct FrontierCost {
  EdgeCost separate;  // no set; `outside` is also that of an edge inside R
  double among = 0;   // both ends in A
  double across = 0;  // one end in A, one in R
  double worst() const;
};
// As separate_cost_up; 2 / among; 1 / into + 1 / out_of.
FrontierCost frontier_cost_up(const SeparateScales& separate, const FrontierScales& scales,
                              double taper_sensitivity);

// In general: some numbers move by so much in all (l1), under Laplace noise of this scale.
struct MovedNumbers {
  double by, scale;
};
double laplace_cost_up(std::span<const MovedNumbers> moved);
inline double laplace_cost_up(std::initializer_list<MovedNumbers> moved) {
  return laplace_cost_up(std::span(moved.begin(), moved.size()));
}

// Of a mechanism from outside: what its dearest edge costs, what its widest edge moves in all, and the scales
// of its columns at which the first is at most epsilon. Error{usage} when an effect has not one number for
// each column, or a number makes no sense.
double cost_up(const ReleasedNumbers& released, std::span<const double> scales);
double most_moved_up(const ReleasedNumbers& released);
std::vector<double> scales_for(const ReleasedNumbers& released, Epsilon epsilon);

// Randomized response on one pair of nodes, flipped with probability p = 1 - e^(-1/skip_scale): ln((1 - p) /
// p).
double flip_cost_up(double skip_scale);

}  // namespace hushwalk::accounting
