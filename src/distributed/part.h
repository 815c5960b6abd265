// The rows of a graph file that one process of a job owns, and how it gets the values of others.
#pragma once

#include <petscsf.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "diffusion/rows.h"
#include "distributed/job.h"
#include "graph/spread_file.h"

namespace hushwalk {

// A process owns a range of the public node list, cut at multiples of 64 nodes, which draw their noise
// together, so that each has about as many links, with `links_per_node` more for every node. Rows that are
// linked to mine alone come first, then the others, both in the order of the whole graph, hubs first; rows of
// others are in the order of their nodes, so that those of one owner lie together.
//
// All calls are exchanges: all processes of the job make them, in the same order.
class GraphPart final : public Exchange {
 public:
  // Reads and checks: each process a share of the file, whose rows are then sent to their owners. Error in
  // all processes, when one finds something wrong.
  GraphPart(const Job& job, const std::filesystem::path& path);
  ~GraphPart() override;
  GraphPart(const GraphPart&) = delete;
  GraphPart& operator=(const GraphPart&) = delete;

  Rows rows() const;
  Graph graph(std::shared_ptr<const SpreadGraph> spread) const { return file_->graph(std::move(spread)); }
  Sha256 digest() const;  // of the whole content

  Wait bring(double* values, std::size_t lanes) const override { return bring_words(values, lanes); }
  Wait bring(std::int64_t* values, std::size_t lanes) const override { return bring_words(values, lanes); }
  void send_back(std::int64_t* values) const override;
  int processes() const noexcept { return job_.size(); }
  bool everywhere(bool here) const override { return job_.everywhere(here); }
  void collect(std::span<const std::int64_t> mine, std::span<std::int64_t> all) const override;
  void give_to_first(std::span<const std::byte> mine, const Take& take) const override {
    job_.give_to_first(mine, take);
  }
  void add_up(std::span<std::int64_t> values) const override { job_.add_up(values); }

  // What a sweep over links costs for a node, in links: its own values are read and written, and noise drawn.
  static constexpr std::uint64_t links_per_node = 8;

 private:
  void check() const;
  void cut();
  void receive_rows();
  void name_others();
  void link_up();
  void take_room() const;
  std::uint64_t owner_of(Node node) const;
  bool has_links_elsewhere(std::uint64_t row, std::uint64_t owner) const;
  std::size_t place_of(Row row) const;  // of a row of mine in the whole graph
  template <class Word>                 // of 8 bytes, whatever they are
  Wait bring_words(Word* values, std::size_t lanes) const;

  const Job& job_;
  std::unique_ptr<const SpreadFile> file_;
  std::vector<std::uint64_t> cuts_;  // process p owns the nodes from cuts_[p] to cuts_[p + 1]
  std::vector<Row> rows_;            // mine, in the whole graph; those before inner_ ascend, and those after
  Row inner_ = 0;                    // how many are linked to mine alone
  std::vector<Node> others_;         // rows of others, by node; ascending
  std::vector<std::uint64_t> offsets_;
  std::vector<Row> neighbors_;
  std::vector<Node> node_of_row_;  // counted from the first of mine
  std::vector<Row> row_of_node_;
  PetscSF forest_ = nullptr;
};

}  // namespace hushwalk
