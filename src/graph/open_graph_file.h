// A graph file that is open: its header is checked, and its pieces are as they are asked for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/files.h"
#include "base/parallel.h"
#include "graph/graph_file_layout.h"

namespace hushwalk {

// What one of several processes checks of a file: an equal share of the pieces of every section.
struct CheckShare {
  std::size_t number = 0, of = 1;
  // Of so many, the first of the share with this number.
  std::size_t first(std::size_t count) const { return count / of * number + count % of * number / of; }
  std::size_t last(std::size_t count) const { return CheckShare{number + 1, of}.first(count); }
};

// Nothing read from a file is trusted: sizes are checked against the file before a span is made of them, and
// every number that will be used as an index is checked before its first use.
class OpenGraphFile {
 public:
  explicit OpenGraphFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  const graph_file::Header& header() const noexcept { return header_; }
  bool in_pieces() const noexcept { return header_.version > 1; }
  void expect_all() const noexcept { map_.expect_all(); }

  template <class T>
  std::span<const T> section(graph_file::SectionIndex index) const {
    const graph_file::Section& entry = header_.table[index];
    return {reinterpret_cast<const T*>(map_.bytes().data() + entry.offset), entry.size / sizeof(T)};
  }

  // Calls check(first, records) for every piece of a section, `first` being the position of its first record,
  // on many threads in any order; Error{failed} that names the first piece whose checksum does not match or
  // that `check` finds impossible. What follows the section must be zero.
  template <class T, class Check>
  void check_section(graph_file::SectionIndex index, const Check& check, const CheckShare& share = {}) const {
    constexpr std::size_t per_piece = graph_file::piece_size / sizeof(T), together = 64;
    const auto records = section<T>(index);
    check_around(index);
    std::atomic<std::size_t> damaged = none, impossible = none;
    const std::size_t pieces = graph_file::pieces_in(header_.table[index].size), begin = share.first(pieces);
    parallel_for(share.last(pieces) - begin, together, [&](std::size_t first, std::size_t last) {
      expect_reading(index, begin + first, begin + last);
      for (std::size_t piece = begin + first; piece < begin + last; ++piece) {
        const std::size_t at = piece * per_piece;
        if (!is_whole(index, piece))
          lower_to(damaged, piece);
        else if (!check(at, records.subspan(at, std::min(per_piece, records.size() - at))))
          lower_to(impossible, piece);
      }
    });
    refuse_piece(index, damaged, impossible);
  }

  // Some records, after their pieces were checked; maps nothing.
  template <class T>
  std::vector<T> records(graph_file::SectionIndex index, std::uint64_t first, std::uint64_t count) const {
    std::vector<T> found(count);
    copy_checked(index, first * sizeof(T), std::as_writable_bytes(std::span(found)));
    return found;
  }

  // Only the custodian is told where.
  template <class... Args>
  [[noreturn]] void corrupt(fmt::format_string<Args...> reason, Args&&... args) const {
    fail(for_custodian(reason, std::forward<Args>(args)...),
         "'{}' is damaged. Import it again from its source", path_.string());
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static void lower_to(std::atomic<std::size_t>& least, std::size_t piece);

  // For messages: which part holds these bytes, or the two that do; nothing where there is one file.
  std::string in_part(std::uint64_t first, std::uint64_t last) const;
  std::string cut_words() const;

  void check_header();
  void check_table();
  void check_around(graph_file::SectionIndex index) const;
  void check_zeros(std::uint64_t first, std::uint64_t last) const;
  void expect_reading(graph_file::SectionIndex index, std::size_t first, std::size_t last) const;
  void copy_checked(graph_file::SectionIndex index, std::uint64_t offset, std::span<std::byte> to) const;
  bool is_whole(graph_file::SectionIndex index, std::size_t piece) const;
  void refuse_piece(graph_file::SectionIndex index, std::size_t damaged, std::size_t impossible) const;
  std::uint64_t size_of(std::size_t section) const;
  std::uint64_t end_of_table() const;

  std::filesystem::path path_;
  MappedFile map_;
  graph_file::Header header_{};
};

}  // namespace hushwalk
