#pragma once

#include "base/sha256.h"

namespace hushwalk {

// A graph whose rows lie in several processes, of which this is one. What they have of it, Rows knows
// (diffusion/rows.h). They were checked when they were read.
class SpreadGraph {
 public:
  virtual ~SpreadGraph() = default;
  virtual Sha256 digest() const = 0;  // of the whole content
  virtual int processes() const = 0;
};

}  // namespace hushwalk
