#include "suggest.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "hushwalk/hushwalk.h"

namespace hushwalk::cli {
namespace {

std::string all_verbs(const CLI::App& app) {
  std::string verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs += " " + verb->get_name();
  return verbs;
}

const CLI::App& used_verb(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : used_verb(*used.front());
}

std::string unexpected(const CLI::App& verb, const std::string& word) {
  if (!word.starts_with('-'))
    return fmt::format("{} does not know what to do with '{}'", verb.get_name(), word);
  const std::string flag = word.substr(0, word.find('='));
  Nearest nearest(flag);
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) nearest.offer("--" + name);
  return fmt::format("{} has no flag '{}'{}", verb.get_name(), flag, nearest.hint());
}

std::string missing(const CLI::App& app, const CLI::App& verb, const std::string& text) {
  const std::string name = text.substr(0, text.find(' '));
  for (const CLI::Option* option : verb.get_options())
    if (option->get_name() == name)
      return fmt::format("{} needs {}: {}", verb.get_name(), name, option->get_description());
  return fmt::format("say what to do; the verbs are:{}",
                     all_verbs(verb.get_subcommands({}).empty() ? app : verb));
}

// "--scope: nonsense not in {personalized,edge}"
std::string not_a_member(const std::string& text, std::size_t list) {
  const std::size_t colon = std::min(text.find(": "), text.size());
  std::string choices = text.substr(list, text.find('}', list) - list);
  for (std::size_t at = 0; (at = choices.find(',', at)) != choices.npos; at += 2)
    choices.replace(at, 1, ", ");
  const std::string value = text.substr(colon + 2, text.find(" not in {") - colon - 2);
  Nearest nearest(value);
  for (std::size_t from = 0; from < choices.size();) {
    const std::size_t end = std::min(choices.find(", ", from), choices.size());
    nearest.offer(choices.substr(from, end - from));
    from = end + 2;
  }
  return fmt::format("{} takes one of {}, not '{}'{}", text.substr(0, colon), choices, value, nearest.hint());
}

// "Could not convert: --steps = x", or "The value x is not an allowed value for --beta"
std::string not_a_number(const std::string& text) {
  constexpr std::string_view start = "The value ", middle = " is not an allowed value for ";
  if (const std::size_t at = text.find(middle); text.starts_with(start) && at != text.npos)
    return fmt::format("{} takes a number, not '{}'", text.substr(at + middle.size()),
                       text.substr(start.size(), at - start.size()));
  const std::size_t colon = text.find(": "), is = text.find(" = ");
  if (colon == text.npos || is == text.npos) return text;
  return fmt::format("{} takes a number, not '{}'", text.substr(colon + 2, is - colon - 2),
                     text.substr(is + 3));
}

}  // namespace

// Optimal string alignment: R. Wagner and M. Fischer, with neighbours swapped.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
  std::vector<std::vector<std::size_t>> apart(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) apart[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) apart[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      apart[i][j] = std::min({apart[i - 1][j] + 1, apart[i][j - 1] + 1, apart[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        apart[i][j] = std::min(apart[i][j], apart[i - 2][j - 2] + 1);
    }
  return std::min(apart[a.size()][b.size()], most);
}

void Nearest::offer(const std::string& word) {
  const std::size_t apart = letters_apart(wanted_, word, apart_);
  if (apart >= apart_ || apart >= word.size()) return;
  apart_ = apart;
  found_ = word;
}

std::string Nearest::hint() const {
  return found_.empty() ? "" : fmt::format("; did you mean '{}'?", found_);
}

void check_name(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  if (std::ranges::find(names, name) != names.end()) return;
  Nearest nearest(name);
  for (const std::string& each : names) nearest.offer(each);
  throw Error(ErrorCode::usage, fmt::format("there is no {} '{}'; choose from: {}{}", what, name,
                                            fmt::join(names, " "), nearest.hint()));
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  const CLI::App& verb = used_verb(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto extras = app.remaining(/*recurse=*/true);
    return unexpected(verb, extras.empty() ? "" : extras.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(app, verb, text);
  if (const std::size_t list = text.find(" not in {"); list != text.npos) return not_a_member(text, list + 9);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return not_a_number(text);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return fmt::format("{} takes one value", text.substr(0, text.find(':')));
  if (const std::size_t at = text.find(" requires "); at != text.npos)
    return fmt::format("{} goes with {}", text.substr(0, at), text.substr(at + 10));
  return text;
}

}  // namespace hushwalk::cli
