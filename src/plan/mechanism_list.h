// The mechanisms of this repository, in the order to show them: a line for each, with its name and the first
// part of what makes it, CODE_planner() in src/plan and CODE_mechanism() in src/mechanism.
#pragma once

// `+own`: with the recipient's own links added, not as published.
#define HUSHWALK_MECHANISMS(ONE)     \
  ONE("twohop", two_hop)             \
  ONE("frontier", frontier)          \
  ONE("shared", shared)              \
  ONE("circles", circles)            \
  ONE("paper", paper)                \
  ONE("output", output)              \
  ONE("pushflow", push_flow)         \
  ONE("pushflow+own", push_flow_own) \
  ONE("edgeflip", edge_flip)         \
  ONE("edgeflip+own", edge_flip_own)
