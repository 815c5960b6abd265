#include "diffusion/lattice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hushwalk {
namespace {

// What a complete sum can be: from clipped neighbours and seeds, what stays, the restart; at least 1, and at
// least what all nodes are clipped to.
TEST(Lattice, HasRoomForEveryTermOfASum) {
  struct Case {
    Step step;
    double eta;
    HeadRoom room;
    double most;
  };
  const Case cases[] = {{{2, -1.5, 0.5}, 1, {1000, 3, 0}, 2 * 1003 + 1.5 * 1000 + 0.5},
                        {{-2, 1.5, 1.5}, 1e-4, {1000, 5, 0}, 2 * 5.1 + 1.5 + 1.5},
                        {{0.25, 0.25, 0.5}, 2, {1000, 3, 100}, 2000 + 100},
                        {{0.01, 0.01, 0.98}, 1e-4, {10, 1, 7}, 0.01 * 1.001 + 0.01 + 0.98 + 7}};
  for (const auto& [step, eta, room, most] : cases) {
    const Diffusion diffusion = Diffusion::custom({step});
    const double limit =
        static_cast<double>(make_lattice(diffusion, eta, Scope::edge, 40, room).limit) / std::ldexp(1.0, 40);
    EXPECT_GE(limit, most);
    EXPECT_LE(limit, most * (1 + 1e-8)) << most;
    const int finest = finest_lattice(diffusion, eta, room);
    EXPECT_LT(std::ldexp(most, finest), std::ldexp(1.0, 62));
    EXPECT_GE(std::ldexp(most, finest + 1), std::ldexp(1.0, 62) * (1 - 1e-8));
  }
}

}  // namespace
}  // namespace hushwalk
