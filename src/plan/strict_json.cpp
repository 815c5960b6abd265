#include "plan/strict_json.h"

#include <set>
#include <string>
#include <vector>

#include "base/fail.h"

namespace hushwalk {
namespace {

constexpr int max_depth = 32;                  // of objects and lists in each other
constexpr std::size_t max_values = 8'000'000;  // beside rankings; custom coefficients are three for each step
constexpr std::size_t max_keys = 1'000;        // of one object, whose keys are searched one by one

class StrictReader {
 public:
  Json read(std::string_view text) {
    return Json::parse(
        text, [this](int depth, Event event, const Json& parsed) { return keep(depth, event, parsed); },
        /*allow_exceptions=*/false);
  }
  std::uint64_t rankings() const { return rankings_; }

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
      if (depth == 2) ++rankings_;
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
  std::size_t values_ = 0;
  std::uint64_t rankings_ = 0;
};

}  // namespace

StrictJson read_strictly(std::string_view text) {
  StrictReader reader;
  Json document = reader.read(text);
  return {std::move(document), reader.rankings()};
}

}  // namespace hushwalk
