// A graph file that several processes read as one: each checks its share, and what a local reader refuses is
// refused with the same words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph_content.h"
#include "graph/graph_impl.h"
#include "graph/open_graph_file.h"
#include "graph/symmetry_check.h"

namespace hushwalk {

// The checks come in this order, and each may begin when the one before has succeeded in all processes: it
// uses what that has checked. Error{failed} when something does not hold.
class SpreadFile {
 public:
  // The header is checked here.
  SpreadFile(const std::filesystem::path& path, const CheckShare& share);
  const graph_file::Header& header() const noexcept;

  void check_offsets() const;
  // What this share adds to the balance, which is checked when it is the sum of all.
  std::uint64_t check_neighbors(const SymmetryCheck& symmetry) const;
  void check_balance(std::uint64_t sum) const;
  void check_order() const;

  // All rows, as they lie in the file: to be used after the checks.
  const Csr& rows() const noexcept { return rows_; }
  const CheckShare& share() const noexcept { return share_; }

  // Of this share of all pieces; and the digest of the content, from those of all.
  std::vector<Sha256> digests() const;
  Sha256 digest(std::span<const Sha256> of_all) const;

  // Its single rows are read from the file, as they are asked for.
  Graph graph(std::shared_ptr<const SpreadGraph> spread) const;

 private:
  GraphContent content() const;

  std::shared_ptr<const OpenGraphFile> file_;
  CheckShare share_;
  Csr rows_;
};

}  // namespace hushwalk
