// The coefficients of diffusions, parsed into types that cannot hold nonsense.
#include "hushwalk/diffusion.h"
#include "hushwalk/seed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/files.h"

namespace hushwalk {
namespace {

using Json = nlohmann::json;

constexpr int max_steps = 1'000'000;
constexpr double sum_tolerance = 1e-9;  // coefficients written by hand or rounded to print

void check_steps(int steps) {
  if (steps < 1 || steps > max_steps)
    fail_usage("`steps` is {}; it must be from 1 to {}, for example 100", steps, max_steps);
}

void check_beta(double beta) {
  if (!(beta > 0 && beta < 1))
    fail_usage("`beta` is {}; it must be above 0 and below 1, for example 0.8", beta);
}

void check_step(const Step& step, std::size_t number) {
  if (!std::isfinite(step.walk) || !std::isfinite(step.stay) || !std::isfinite(step.restart))
    fail_usage("step {} has gamma1 = {}, gamma2 = {}, gamma3 = {}; all must be finite numbers", number,
               step.walk, step.stay, step.restart);
  const double sum = step.walk + step.stay + step.restart;
  if (!(std::abs(sum - 1) <= sum_tolerance))
    fail_usage("gamma1 + gamma2 + gamma3 is {} in step {}; it must be 1 (to {}) in every step", sum, number,
               sum_tolerance);
}

constexpr std::array keys = {"gamma1", "gamma2", "gamma3"};

Json parse_json(std::string_view text) {
  if (text.find('\0') != text.npos)  // the parser would end there
    fail_usage("the coefficients are not valid JSON: there is a byte 0 in them");
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // The message begins with the exception's name in brackets, which helps nobody.
    const std::string_view message = error.what();
    const auto name_end = message.find("] ");
    fail_usage("the coefficients are not valid JSON: {}",
               message.substr(name_end == message.npos ? 0 : name_end + 2));
  }
}

void check_keys(const Json& object) {
  if (!object.is_object())
    fail_usage(R"(the coefficients must be a JSON object with the lists "gamma1", "gamma2" and "gamma3")");
  for (const auto& item : object.items())
    if (std::ranges::find(keys, item.key()) == keys.end())
      fail_usage(
          R"(the coefficients have an unknown key "{}"; only "gamma1", "gamma2" and "gamma3" are known)",
          item.key());
  for (const char* key : keys)
    if (!object.contains(key)) fail_usage(R"(the coefficients have no "{}"; give one number a step)", key);
}

std::vector<double> number_list(const Json& object, const char* key) {
  const Json& list = object[key];
  if (!list.is_array()) fail_usage(R"("{}" must be a list of numbers, one a step)", key);
  std::vector<double> numbers;
  for (const Json& item : list) {
    if (!item.is_number())
      fail_usage(R"(item {} of "{}" is not a number: {})", numbers.size() + 1, key, item.type_name());
    numbers.push_back(item.get<double>());
  }
  return numbers;
}

}  // namespace

Diffusion::Diffusion(std::string name, std::vector<Step> steps, std::optional<double> parameter)
    : name_(std::move(name)), steps_(std::move(steps)), parameter_(parameter) {}

Diffusion Diffusion::ppr(double beta, int steps) {
  check_beta(beta);
  check_steps(steps);
  return {"ppr", std::vector(static_cast<std::size_t>(steps), Step{beta / 2, beta / 2, 1 - beta}), beta};
}

Diffusion Diffusion::pagerank(double beta, int steps) {
  check_beta(beta);
  check_steps(steps);
  return {"pagerank", std::vector(static_cast<std::size_t>(steps), Step{beta, 0, 1 - beta}), beta};
}

Diffusion Diffusion::heat(double time, int steps) {
  check_steps(steps);
  if (!(time > 0 && time <= steps))
    fail_usage("`time` is {}; it must be above 0 and at most the number of steps, {}; use more `steps`", time,
               steps);
  const double walk = time / steps;
  return {"heat", std::vector(static_cast<std::size_t>(steps), Step{walk, 1 - walk, 0}), time};
}

Diffusion Diffusion::custom(std::vector<Step> steps) {
  if (steps.empty()) fail_usage("a custom diffusion needs at least one step");
  if (steps.size() > max_steps)
    fail_usage("a custom diffusion has {} steps; at most {} are allowed", steps.size(), max_steps);
  for (std::size_t k = 0; k < steps.size(); ++k) check_step(steps[k], k + 1);
  return {"custom", std::move(steps)};
}

Diffusion Diffusion::custom_from_json(std::string_view text) {
  const Json object = parse_json(text);
  check_keys(object);
  const std::vector<double> walk = number_list(object, keys[0]);
  const std::vector<double> stay = number_list(object, keys[1]);
  const std::vector<double> restart = number_list(object, keys[2]);
  if (walk.size() != stay.size() || walk.size() != restart.size())
    fail_usage(R"("gamma1", "gamma2" and "gamma3" have {}, {} and {} numbers; give each one number a step)",
               walk.size(), stay.size(), restart.size());
  std::vector<Step> steps(walk.size());
  for (std::size_t k = 0; k < steps.size(); ++k) steps[k] = {walk[k], stay[k], restart[k]};
  return custom(std::move(steps));
}

Diffusion Diffusion::custom_from_file(const std::filesystem::path& path) {
  const std::string text = read_whole_file(path);
  try {
    return custom_from_json(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("'{}': {}", path.string(), error.what()));
  }
}

Diffusion make_diffusion(const DiffusionChoice& choice) {
  const auto& [name, beta, time, steps, coefficients] = choice;
  const bool walk = name == "ppr" || name == "pagerank";
  if (!walk && name != "heat" && name != "custom")
    fail_usage("`diffusion` must be ppr, pagerank, heat or custom");
  if (beta && !walk) fail_usage("`beta` does not go with `diffusion {}`", name);
  if (time && name != "heat") fail_usage("`time` goes with `diffusion heat`, not {}", name);
  if (coefficients && name != "custom") fail_usage("`coefficients` goes with `diffusion custom`");
  if (name == "custom") {
    if (steps) fail_usage("`steps` does not go with `diffusion custom`: its coefficients say how many");
    if (!coefficients) fail_usage("`diffusion custom` needs `coefficients`");
    return *coefficients;
  }
  const int count = steps.value_or(100);
  if (name == "heat") return Diffusion::heat(time.value_or(5), count);
  return name == "ppr" ? Diffusion::ppr(beta.value_or(0.8), count)
                       : Diffusion::pagerank(beta.value_or(0.8), count);
}

bool Diffusion::has_negative() const noexcept {
  return std::ranges::any_of(
      steps_, [](const Step& step) { return step.walk < 0 || step.stay < 0 || step.restart < 0; });
}

SeedVector SeedVector::weighted(std::vector<std::pair<Node, double>> entries) {
  if (entries.empty()) fail_usage("a seed set needs at least one node");
  std::ranges::sort(entries, {}, &std::pair<Node, double>::first);
  double largest = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [node, weight] = entries[i];
    if (!(weight > 0 && std::isfinite(weight)))
      fail_usage("the weight of seed {} is {}; weights must be positive and finite", node, weight);
    if (i > 0 && entries[i - 1].first == node)
      fail_usage("seed {} is given twice in one seed set; give each node once", node);
    largest = std::max(largest, weight);
  }
  // Relative to the largest first, so that the sum of huge weights does not overflow.
  double sum = 0;
  for (auto& [node, weight] : entries) sum += weight /= largest;
  SeedVector seeds;
  for (auto& [node, weight] : entries) {
    weight /= sum;
    if (!(weight > 0)) fail_usage("the weight of seed {} is too small beside the largest, {}", node, largest);
  }
  seeds.entries_ = std::move(entries);
  return seeds;
}

SeedVector SeedVector::of_entries(std::vector<std::pair<Node, double>> entries) {
  const bool ascending = std::ranges::adjacent_find(entries, std::ranges::greater_equal(),
                                                    &std::pair<Node, double>::first) == entries.end();
  const bool positive = std::ranges::all_of(entries, [](const auto& entry) { return entry.second > 0; });
  double sum = 0;
  for (const auto& [node, weight] : entries) sum += weight;
  // Each weight was rounded once, and so was each step of two sums: the one they were divided by, and this.
  const double rounding = static_cast<double>(entries.size()) * 0x1p-51;
  if (!ascending || !positive || !(std::abs(sum - 1) <= rounding))
    fail_usage(
        "the entries of a seed vector are different nodes in ascending order, with positive weights that sum to 1");
  SeedVector seeds;
  seeds.entries_ = std::move(entries);
  return seeds;
}

bool SeedVector::contains(Node node) const noexcept {
  return std::ranges::binary_search(entries_, node, {}, &std::pair<Node, double>::first);
}

void check_seeds(std::span<const SeedVector> seeds, std::uint64_t nodes) {
  for (const SeedVector& seed : seeds)
    if (const Node largest = seed.entries().back().first; largest >= nodes)
      fail_usage("seed {} is not a node of the graph, which has {} nodes, numbered from 0", largest, nodes);
}

}  // namespace hushwalk
