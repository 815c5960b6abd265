// A file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hushwalk {

// What is written. An existing file is replaced by its own kind only, told by its first bytes.
enum class FileKind { text, graph, artefact, notes };  // notes on a graph file, beside it

// Of a file that is written. Most files hold secrets and are for their owner only. A file that is replaced
// passes on its own, unless it is another user's.
struct Permissions {
  unsigned bits = 0600;  // of a new file, less the umask
  bool exact = false;    // these bits in any case
};
// What a name that is a symbolic link stands for: the file that it leads to, or an error. Others may put a
// link into a folder, to have an answer written elsewhere.
enum class Links { follow, refuse };

inline constexpr Permissions publishable{.bits = 0666};  // nothing in it is secret: up to the umask

class SplitFile;

// The file gets its name only in commit(), after its content has reached the disk. Until then it has no name
// at all where the file system allows that (O_TMPFILE), so that even a killed process leaves nothing behind;
// elsewhere it is .hushwalk-XXXX.tmp beside the final one, removed by the destructor.
//
// Error{usage} when it would replace a ledger, a file that belongs to one, or a file of another kind; an
// empty file may be replaced by any. Error{failed} when the disk is full, the folder is missing, …
//
// With `parts` it is a folder with at most so many files, part-0, part-1, …, whose bytes one after another
// are those of the file; whoever may read a file may then enter the folder. All but the last are equally
// long.
//
// Not for sharing among threads, but for write_at().
class OutputFile {
 public:
  OutputFile(std::filesystem::path path, FileKind kind, Permissions permissions = {},
             Links links = Links::follow, std::size_t parts = 0);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Fails now where writing would fail after long work.
  static void check(const std::filesystem::path& path, FileKind kind, Links links = Links::follow) {
    const OutputFile probe(path, kind, {}, links);
  }

  // Only whether the kind may stand there, for a file that somebody else writes or appends to.
  static void check_kind(const std::filesystem::path& path, FileKind kind);

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  // For files whose pieces are written in any order, by any thread: the size first, then bytes at their
  // places. What is never written is zero. A folder of parts is written in no other way.
  void set_size(std::uint64_t size);
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  // By what other processes of this user, on this host only or on all, may open the file, or each of its
  // parts, to write pieces of it. Under a name that all hosts see, a killed process may leave it behind.
  std::vector<std::string> names_for_others(bool on_this_host);
  std::uint64_t part_size() const;  // of all but the last, after set_size()
  void commit();

 private:
  void check_place() const;
  [[noreturn]] void fail_to_open(const std::filesystem::path& begun) const;
  void open_unnamed(Permissions permissions);
  void open_named(Permissions permissions);
  void set_permissions(unsigned bits, bool exact) const;
  void give_name();
  void open_folder_to_readers() const;

  std::filesystem::path path_;       // the final name
  std::filesystem::path temporary_;  // empty while the file has no name
  FileKind kind_;
  std::size_t parts_;  // 0: it is a file
  std::unique_ptr<SplitFile> file_;
};

// Error{usage} when a file that is to be written is one of those that are read. Empty names are ignored.
void check_not_replaced(const std::vector<std::string>& inputs, const std::filesystem::path& output);

// Makes a folder, and those that lead to it, where there are none. Error{failed} when it cannot, or there is
// a file of that name.
void make_folder(const std::filesystem::path& folder, bool for_owner_only = false);

}  // namespace hushwalk
