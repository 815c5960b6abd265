// Rankings as a table, CSV or JSON, written one by one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

class RankingWriter {
 public:
  virtual ~RankingWriter() = default;
  virtual std::string begin() { return ""; }
  virtual std::string ranking(const SeedVector& seed, std::span<const Ranked> top) = 0;
  virtual std::string end() { return ""; }
};

// `seed_sets`: seeds are sets, even if of one node. `head` is what the JSON document holds besides the
// rankings.
std::unique_ptr<RankingWriter> make_ranking_writer(const std::string& format, NodeList nodes, bool seed_sets,
                                                   Json head);

}  // namespace hushwalk::cli
