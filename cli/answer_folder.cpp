#include "answer_folder.h"

#include <cctype>

namespace hushwalk::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 200;  // most file systems take 255 bytes, with the ending

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::create_directories(folder, error) && !error)
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::replace, error);
  if (error || !fs::is_directory(folder, error))
    throw Error(ErrorCode::failed, fmt::format("cannot make the folder '{}': {}", folder.string(),
                                               error ? error.message() : "there is a file of that name"));
}

}  // namespace

std::string file_name_of(std::string_view seed, Node node) {
  std::string name;
  for (const unsigned char c : seed) {
    const bool plain =
        c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || (c == '.' && !name.empty()));
    name += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  // No other name has a tilde.
  return name.size() <= longest_name ? name : fmt::format("{}~{}", name.substr(0, longest_name), node);
}

AnswerFolder::AnswerFolder(const std::string& folder, const RankingHead& head,
                           const std::vector<SeedVector>& seeds, const std::vector<std::string>& inputs)
    : folder_(folder), head_(head) {
  make_folder(folder_);
  for (const SeedVector& seed : seeds) {
    const fs::path path = path_of(seed);
    check_not_replaced(inputs, path.string());
    OutputFile::check(path, FileKind::text, Links::refuse);
  }
}

fs::path AnswerFolder::path_of(const SeedVector& seed) const {
  if (head_.seed_sets) return folder_ / "seed-set.json";
  const Node node = seed.entries()[0].first;
  return folder_ / (file_name_of(head_.nodes.name(node), node) + ".json");
}

std::string AnswerFolder::write(const Ranking& ranking, AnswerSource& answers, const SigningKey* key) {
  const auto writer = json_ranking_writer(head_);
  const std::string start = writer->begin() + writer->ranking(ranking);
  const fs::path path = path_of(ranking.seed);
  OutputFile file(path, FileKind::text, {0600, /*exact=*/true}, Links::refuse);
  file.write(start + writer->end(answers.certificate(writer->shown(), key, written_.size())));
  file.commit();
  note(ranking.seed);
  return path.filename().string();
}

void AnswerFolder::note(const SeedVector& seed) {
  written_.emplace_back(seed_name(head_, seed), path_of(seed).string());
}

void AnswerFolder::say(const Common& common) const {
  if (!common.json)
    return print_out(fmt::format(
        "{} file{} in '{}'{}\n", written_.size(), written_.size() == 1 ? "" : "s", folder_.string(),
        head_.is_private ? ", each with its certificate: hushwalk verify-certificate " +
                               shell_word(written_.front().second)
                         : ""));
  Json files = Json::array();
  for (const auto& [seed, file] : written_) files.push_back({{"seed", seed}, {"file", file}});
  print_json(Json{{"directory", folder_.string()}, {"files", files}}.dump(2));
}

}  // namespace hushwalk::cli
