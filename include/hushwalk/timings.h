// Where the time of a command goes, by what is being done.
//
// For the custodian only: how long a computation takes depends on secret edges. Nothing is recorded until
// somebody asks for it, and no other door than the command line does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hushwalk {

struct PhaseTime {
  std::string name;
  double seconds = 0;       // without phases within it; of phases that ran side by side, the sum
  std::uint64_t times = 0;  // that it began
};

void record_timings();                      // from now on, for the whole process
std::vector<PhaseTime> recorded_timings();  // in the order in which phases first began

}  // namespace hushwalk
