#include "plan/strict_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "base/fail.h"
#include "plan/certificate.h"

namespace hushwalk {
namespace {

constexpr int max_depth = 32;                  // of objects and lists in each other
constexpr std::size_t max_values = 8'000'000;  // beside rankings; custom coefficients are three for each step
constexpr std::size_t max_ranking_values = 40'000'000;  // of one ranking
constexpr std::size_t max_keys = 1'000;                 // of one object, whose keys are searched one by one

// Numbers of 16 digits and more have neighbours in the last digit that read as the same value. Those
// spellings that programs write are accepted, so that an altered digit is noticed though it alters nothing.
bool is_spelled_well(double value, const std::string& text) {
  const auto end = std::min(text.find_first_of("eE"), text.size());
  const auto digits = std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](char c) { return c >= '0' && c <= '9'; });
  constexpr std::ptrdiff_t told_apart = 15;
  if (digits <= told_apart) return true;
  std::array<char, 64> shortest{};
  const auto written = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value);
  return text == Json(value).dump() || text == std::string(shortest.data(), written.ptr) ||
         text == fmt::format("{}", value) || text == fmt::format("{:.17g}", value);
}

// Reads nothing but the spelling of numbers.
class Spelling final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!is_spelled_well(value, text)) fail("the number {} is written as no program writes it", text);
    return true;
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }
};

class StrictReader {
 public:
  Json read(std::string_view text) {
    if (text.find('\0') != text.npos) return Json(Json::value_t::discarded);  // the parser would end there
    return Json::parse(
        text, [this](int depth, Event event, const Json& parsed) { return keep(depth, event, parsed); },
        /*allow_exceptions=*/false);
  }
  std::vector<std::string> rankings() && { return std::move(rankings_); }

 private:
  using Event = Json::parse_event_t;

  bool keep(int depth, Event event, const Json& parsed) {
    if (depth > max_depth) fail("its values are nested more than {} deep", max_depth);
    if (event == Event::object_start) open_objects_.emplace_back();
    if (event == Event::object_end) open_objects_.pop_back();
    if (event == Event::key) check_key(depth, parsed.get_ref<const std::string&>());
    const bool complete = event == Event::object_end || event == Event::array_end || event == Event::value;
    if (!complete) return true;
    if (in_rankings_ && depth >= 2) {
      if (++of_ranking_ > max_ranking_values) fail("a ranking has more than {} values", max_ranking_values);
      if (depth > 2) return true;
      of_ranking_ = 0;
      rankings_.push_back(digest_of(parsed));
      return false;
    }
    if (++values_ > max_values) fail("it has more than {} values", max_values);
    return true;
  }

  void check_key(int depth, const std::string& key) {
    std::set<std::string>& keys = open_objects_.back();
    if (!keys.insert(key).second) fail("it has the key \"{}\" twice in one object", key);
    if (keys.size() > max_keys) fail("an object has more than {} keys", max_keys);
    if (depth == 1) in_rankings_ = key == "rankings";
  }

  std::vector<std::set<std::string>> open_objects_;
  bool in_rankings_ = false;  // at the top of the document
  std::size_t values_ = 0, of_ranking_ = 0;
  std::vector<std::string> rankings_;
};

}  // namespace

StrictJson read_strictly(std::string_view text) {
  StrictReader reader;
  Json document = reader.read(text);
  Spelling spelling;
  if (!document.is_discarded()) Json::sax_parse(text, &spelling);
  return {std::move(document), std::move(reader).rankings()};
}

std::string document_of_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t last = text.rfind('\n') + 1;
  if (last == 0 || last == text.size() || text[last] != '{') return "";
  std::string document = R"({"rankings":[)";
  for (std::string_view rest = text.substr(0, last); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (!line.starts_with('{') || !Json::accept(line)) return "";
    document.append(line).append(rest.empty() ? "]" : ",");
  }
  return document.append(",").append(text.substr(last + 1));
}

}  // namespace hushwalk
