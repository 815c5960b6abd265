// Rankings as files, one for each recipient.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

// A name that every file system takes and, where capitals count, no two seeds share: letters, digits, '-',
// '_' and inner dots stay, all other bytes are written as %XX.
std::string file_name_of(std::string_view seed, Node node);

// A folder, made for its owner only where it is not there, with a file for each seed. Error before there are
// answers when one of the files could not be written.
class AnswerFolder {
 public:
  // No file may take the place of one of the inputs.
  AnswerFolder(const std::string& folder, const RankingHead& head, const std::vector<SeedVector>& seeds,
               const std::vector<std::string>& inputs);
  // All rankings, in the order of the seeds.
  // Returns the name of the file.
  std::string write(const Ranking& ranking, AnswerSource& answers, const SigningKey* key);
  void note(const SeedVector& seed);     // that its file is there already
  void say(const Common& common) const;  // what was written

 private:
  std::filesystem::path path_of(const SeedVector& seed) const;

  std::filesystem::path folder_;
  RankingHead head_;
  std::vector<std::pair<std::string, std::string>> written_;  // seed, file
};

}  // namespace hushwalk::cli
