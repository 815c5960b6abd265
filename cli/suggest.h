// What was probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hushwalk::cli {

// How many letters to change, add, leave out or swap; `most` and above count as `most`.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t most);

// Keeps the word nearest to `wanted`, if one is near enough: a letter in four may be wrong.
class Nearest {
 public:
  explicit Nearest(std::string wanted) : wanted_(std::move(wanted)), apart_(wanted_.size() / 4 + 2) {}
  void offer(const std::string& word);
  std::string hint() const;  // "; did you mean 'rank'?", or empty

 private:
  std::string wanted_, found_;
  std::size_t apart_;
};

// Error{usage} with all names, and the nearest, unless `name` is one of them.
void check_name(const std::string& what, const std::string& name, const std::vector<std::string>& names);

// What the parser found wrong, in our words and with what to do.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace hushwalk::cli
