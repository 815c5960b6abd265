// Rankings as a table, CSV or JSON, written one by one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

// A private score comes with the standard deviation of its noise.
struct RankedRow {
  Node node;
  double score;
  std::optional<double> error = {};
};

class RankingWriter {
 public:
  virtual ~RankingWriter() = default;
  virtual std::string begin() { return ""; }
  virtual std::string ranking(const SeedVector& seed, std::span<const RankedRow> top) = 0;
  virtual std::string end() { return ""; }
};

struct RankingHead {
  bool seed_sets = false;  // seeds are sets, even if of one node
  bool exact = false;
  Json document = {};      // what the JSON holds besides the rankings
  std::string words = {};  // what the table ends with
};

std::unique_ptr<RankingWriter> make_ranking_writer(const std::string& format, NodeList nodes,
                                                   RankingHead head);

}  // namespace hushwalk::cli
