#include <cstdlib>
#include <string_view>

#include "base/fail.h"
#include "diffusion/rows.h"
#include "mechanism/mechanism.h"

namespace hushwalk {

void refuse_several_processes() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || std::string_view(value) == "1" || std::string_view(value) == "0") continue;
    refuse(
        "{} is '{}': several processes of this program would each draw noise of their own, and together give away more than any certificate says. Start one: mpirun -n 1, srun -n 1; or unset {} if this is the only one",
        variable, value, variable);
  }
}

void refuse_processes_beside(const Graph& graph) {
  const SpreadRows* const spread = spread_rows(graph);
  if (!spread || spread->processes() == 1) refuse_several_processes();
}

}  // namespace hushwalk
