#include "evaluation_flags.h"

#include "accounting_flags.h"
#include "release_flags.h"

namespace hushwalk::cli {

void EvaluationFlags::add_to(CLI::App& verb) {
  diffusion.add_to(verb);
  add_scope(verb, scope);
  add_count(verb, "--seeds", seeds,
            fmt::format("How many seeds, drawn from the nodes that have an edge (default: {})", seeds))
      ->type_name("COUNT");
  add_count(verb, "--random-seed", random_seed,
            "Equal ones choose equal seeds; noise is always fresh (default: 1)")
      ->type_name("S");
  add_count(verb, "--top", top, "Measure the best R nodes (default: 100)")->type_name("R");
}

Json optional_json(const std::optional<double>& value) { return value ? number_json(*value) : Json(nullptr); }

}  // namespace hushwalk::cli
