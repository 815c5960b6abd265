// Search in the public node list.
#pragma once

#include <string>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk {

// The first `most` nodes whose name begins so, in the order of the list; of integers those with fewer digits
// first. Looks at few of them, however long the list is.
std::vector<Node> nodes_beginning(const NodeList& nodes, const std::string& prefix, std::size_t most);

}  // namespace hushwalk
