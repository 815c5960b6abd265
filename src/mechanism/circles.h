// The release of `circles`, and what becomes of its numbers. docs/math/26-circles.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffusion/rows.h"
#include "estimate/circles_run.h"
#include "mechanism/mechanism.h"
#include "noise/coarsening.h"

namespace hushwalk {

// The design, and samplers of its noise. Immutable, so threads may share one.
struct CirclesNoise {
  explicit CirclesNoise(const CirclesDesign& made)
      : design(made),
        coarsening(made.fine, made.coarse),
        fine(made.fine),
        forward(made.forward),
        backward(made.backward),
        leaving(made.leaving) {}
  CirclesDesign design;
  Coarsening coarsening;
  DiscreteLaplace fine, forward, backward, leaving;
};

// Counts and draws.
CirclesNumbers release_circles(const CirclesNoise& noise, const Rows& rows, NoiseSource& source,
                               const Progress& progress = {});

// For audits: what the numbers were on this graph before their noise, had all before them come out as in
// `released`, and the scale of the noise of each. Columns as in circles_columns; a scale of 0 where a number
// tells nothing: there is none, or a finer one beside it tells all.
struct CirclesCentres {
  Columns centre;
  std::vector<std::vector<double>> scale;
};
CirclesCentres circles_centres(const CirclesDesign& design, const Rows& rows, const CirclesNumbers& released);

// By node: coarse and fine degrees, leaving links, then the cells of the rows forward and backward, a column
// for each cluster that there can be; 0 where there is no number. The last two columns have the branch and
// the number of clusters at every node.
Columns circles_columns(const CirclesDesign& design, const CirclesNumbers& numbers);
CirclesNumbers circles_numbers_in(const CirclesDesign& design, const Columns& columns);
// The branch is one more number in front of them, as in an artefact.
std::vector<std::int64_t> circles_values(const CirclesDesign& design, const CirclesNumbers& numbers);
// Error{failed} when they are not such numbers.
CirclesNumbers circles_numbers(const CirclesDesign& design, std::span<const std::int64_t> values);

}  // namespace hushwalk
