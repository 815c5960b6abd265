// Output of long runs, which may be stopped at any moment and taken up again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

// F.unfinished, which becomes F when it is complete; beside it F.unfinished.json says of which request it is.
// Whatever stops the run, whole rankings in it stay good. Error{failed} when there is one already and it is
// not to be taken up, is of another request, or somebody else is writing it.
class UnfinishedFile {
 public:
  UnfinishedFile(const std::filesystem::path& path, std::string request, bool resume,
                 Permissions permissions);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  // Takes up what is there: how many rankings. What follows them is cut off.
  std::size_t take_up(RankingWriter& writer, const std::vector<SeedVector>& seeds);
  const std::string& salt() const { return salt_; }  // of the first ranking
  void begin(const std::string& salt, std::string_view text);
  void write(std::string_view text);
  void commit();

 private:
  void flush();

  std::filesystem::path path_, body_, note_;
  std::string request_, salt_, buffer_;
  Permissions permissions_;
  int file_ = -1;
  bool committed_ = false;
};

// The same for a folder with a file for each ranking: .hushwalk-unfinished in it has a line for each that is
// done.
class UnfinishedFolder {
 public:
  UnfinishedFolder(const std::filesystem::path& folder, const std::string& request, bool resume);
  ~UnfinishedFolder();
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  std::size_t done() const { return done_; }
  void add(const std::string& name);
  void commit();

 private:
  std::filesystem::path log_;
  std::size_t done_ = 0;
  int file_ = -1;
};

}  // namespace hushwalk::cli
