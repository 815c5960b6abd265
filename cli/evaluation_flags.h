// The flags of `evaluate` and `tune` that say how to measure.
#pragma once

#include "release_flags.h"

namespace hushwalk::cli {

template <class Request>
struct EvaluationFlags {
  DiffusionFlags diffusion;
  Request request;

  Request made() const {
    Request made = request;
    made.release.diffusion = diffusion.make();
    return made;
  }

  void add_to(CLI::App& verb) {
    add_count(verb, "--users", request.release.rankings,
              "For so many recipients, who share epsilon: one artefact has it once, fresh noise for each "
              "leaves a part to each (default: 1)")
        ->type_name("N");
    diffusion.add_to(verb);
    add_scope(verb, request.release.scope);
    add_count(
        verb, "--seeds", request.seeds,
        fmt::format("How many seeds, drawn from the nodes that have an edge (default: {})", request.seeds))
        ->type_name("COUNT");
    add_count(verb, "--random-seed", request.random_seed,
              "Equal ones choose equal seeds; noise is always fresh (default: 1)")
        ->type_name("S");
    add_count(verb, "--top", request.top, "Measure the best R nodes (default: 100)")->type_name("R");
  }
};

}  // namespace hushwalk::cli
