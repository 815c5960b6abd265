// The node list of a graph whose ids were read by several processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distributed/job.h"
#include "hushwalk/graph.h"

namespace hushwalk {

struct NumberedIds {
  bool integers = true;
  std::uint64_t nodes = 0;         // of all
  std::vector<Node> node_of = {};  // of the ids that were read here, in their order
  // What this process has of the sections of the file: consecutive records, in the order of the processes.
  std::vector<std::uint64_t> ids = {};
  std::string text = {};
};

// Integers if all processes have only such, else all are texts. `here` is given away.
NumberedIds number_ids(const Job& job, NodeList here);

// All processes have the same list; node_of stays empty.
NumberedIds ids_of_list(const Job& job, const NodeList& list);

}  // namespace hushwalk
