// `edgeflip`: randomized response on every pair of nodes, then the exact diffusion on what comes out.
#pragma once

#include <memory>

#include "mechanism/mechanism.h"

namespace hushwalk {

// As published, or with the recipient's own links counted once more.
std::unique_ptr<Mechanism> make_edge_flip(bool own);

// How many pairs are flipped in the mean; 0 for other mechanisms.
double expected_flips(const Plan& plan);

// Of memory, for each of them: as pairs, as pairs of one answer, and while rows are built of these.
inline constexpr double bytes_per_flip = 32;

}  // namespace hushwalk
