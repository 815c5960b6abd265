#include "json_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "usage.h"

namespace hushwalk::service {
namespace {

using Json = nlohmann::json;

// An object of which every member must be known.
class Members {
 public:
  explicit Members(const std::string& text)
      : object_(Json::parse(text, nullptr, /*allow_exceptions=*/false)) {
    if (!object_.is_object())
      usage("the body must be one JSON object, as in {{\"seed\": 17, \"epsilon\": 0.5}}");
  }
  const Json* get(const char* key) {
    known_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  std::optional<double> number(const char* key) {
    const Json* const value = get(key);
    if (!value) return std::nullopt;
    if (value->is_string() && *value == "inf") return std::numeric_limits<double>::infinity();
    if (!value->is_number()) usage("`{}` must be a number", key);
    return value->get<double>();
  }
  std::optional<std::uint64_t> count(const char* key, std::uint64_t most) {
    const Json* const value = get(key);
    if (!value) return std::nullopt;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < 1 || value->get<std::uint64_t>() > most)
      usage("`{}` must be a whole number from 1 to {}", key, most);
    return value->get<std::uint64_t>();
  }
  std::string text(const char* key, const std::string& otherwise) {
    const Json* const value = get(key);
    if (!value) return otherwise;
    if (!value->is_string()) usage("`{}` must be a text", key);
    return value->get<std::string>();
  }
  bool flag(const char* key) {
    const Json* const value = get(key);
    if (value && !value->is_boolean()) usage("`{}` must be true or false", key);
    return value && value->get<bool>();
  }
  const Json* list(const char* key, std::uint64_t most) {
    const Json* const value = get(key);
    if (value && (!value->is_array() || value->empty() || value->size() > most))
      usage("`{}` must be a list of 1 to {} members", key, most);
    return value;
  }
  void no_others() const {
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key)) usage("there is no parameter '{}'", printable(key));
  }
  static std::string printable(const std::string& text) {
    std::string shown;
    for (const char c : text.substr(0, 80)) shown += c < ' ' || c > '~' ? '?' : c;
    return shown;
  }

 private:
  Json object_;
  std::set<std::string> known_;
};

Node node_of(const Json& id, const NodeList& nodes, const char* key) {
  std::optional<Node> found;
  if (id.is_string())
    found = nodes.find(id.get<std::string>());
  else if (id.is_number_integer() && nodes.are_integers() &&
           (!id.is_number_unsigned() || id.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()))
    found = nodes.find(id.get<std::int64_t>());
  else if (!id.is_number_integer())
    usage("`{}` must name nodes: texts or whole numbers", key);
  if (!found) usage("`{}` names a node that the graph does not have; its nodes are listed at nodes", key);
  return *found;
}

SeedVector seed_set_of(const Json& list, const NodeList& nodes) {
  std::vector<std::pair<Node, double>> entries;
  for (const Json& one : list) {
    const bool weighted = one.is_object() && one.contains("node") && one.size() <= 2;
    if (one.is_object() && !weighted) usage("a member of `seed_set` is a node, or has `node` and `weight`");
    const Json weight = weighted ? one.value("weight", Json(1.0)) : Json(1.0);
    if (!weight.is_number()) usage("`weight` must be a number");
    entries.emplace_back(node_of(weighted ? one["node"] : one, nodes, "seed_set"), weight.get<double>());
  }
  return SeedVector::weighted(std::move(entries));
}

void read_seeds(Members& body, const NodeList& nodes, const QuestionLimits& limits, Question& question) {
  const Json *const seed = body.get("seed"), *const seeds = body.list("seeds", limits.seeds),
                    *const set = body.list("seed_set", limits.seeds);
  if (static_cast<int>(seed != nullptr) + static_cast<int>(seeds != nullptr) +
          static_cast<int>(set != nullptr) !=
      1)
    usage("say whose ranking you want: one of `seed`, `seeds` and `seed_set`");
  question.many = seeds != nullptr;
  question.request.seed_set = set != nullptr;
  std::vector<SeedVector>& list = question.request.seeds;
  if (seed) list.emplace_back(node_of(*seed, nodes, "seed"));
  if (seeds)
    for (const Json& one : *seeds) list.emplace_back(node_of(one, nodes, "seeds"));
  if (set) list.push_back(seed_set_of(*set, nodes));
}

Diffusion read_diffusion(Members& body, const QuestionLimits& limits) {
  DiffusionChoice choice{
      .name = body.text("diffusion", "ppr"), .beta = body.number("beta"), .time = body.number("time")};
  if (const auto steps = body.count("steps", 10'000)) choice.steps = static_cast<int>(*steps);
  if (const Json* const coefficients = body.get("coefficients")) {
    for (const auto& [key, list] : coefficients->items())
      if (list.is_array() && list.size() > limits.coefficients)
        usage("`coefficients` may have {} steps at most", limits.coefficients);
    choice.coefficients = Diffusion::custom_from_json(coefficients->dump());
  }
  return make_diffusion(choice);
}

ReleaseParameters read_release(Members& body, const AccessKey& key, bool shared,
                               const QuestionLimits& limits) {
  ReleaseParameters release;
  release.scope = key.role == Role::owner ? Scope::personalized : Scope::edge;
  if (const Json* const scope = body.get("scope")) {
    if (!scope->is_string()) usage("`scope` must be personalized or edge");
    release.scope = scope_named(scope->get<std::string>());
  }
  release.diffusion = read_diffusion(body, limits);
  release.mechanism = body.text("mechanism", "auto");
  const auto epsilon = body.number("epsilon"), delta = body.number("delta"), eta = body.number("eta");
  release.background = body.number("background");
  release.taper = body.number("taper");
  if (epsilon) release.epsilon = Epsilon(*epsilon);
  if (delta) release.delta.emplace(*delta);
  if (eta) release.eta.emplace(*eta);
  check_privacy({.epsilon = epsilon.has_value(), .shared = shared}, release);
  return release;
}

std::vector<Node> read_candidates(const Json& list, const NodeList& nodes) {
  std::vector<Node> found;
  for (const Json& one : list) found.push_back(node_of(one, nodes, "candidates"));
  return found;
}

std::string names_of(const std::vector<SeedVector>& seeds, const NodeList& nodes) {
  Json names = Json::array();
  for (const SeedVector& seed : seeds)
    for (const auto& [node, weight] : seed.entries()) names.push_back(nodes.name(node));
  return names.dump();
}

}  // namespace

Question parse_question(const std::string& text, const Graph& graph, const AccessKey& key,
                        const QuestionLimits& limits) {
  Members body(text);
  const NodeList& nodes = graph.node_list();
  Question question;
  AnswerRequest& request = question.request;
  question.shared = body.flag("shared");
  read_seeds(body, nodes, limits, question);
  request.release = read_release(body, key, question.shared, limits);
  const bool full = body.flag("full");
  const auto top = body.count("top", limits.listed);
  if (full && top) usage("give `top` or `full`, not both");
  request.top = full ? std::nullopt : std::optional(top.value_or(10));
  request.exclude_neighbors = body.flag("exclude_neighbors");
  if (const Json* const candidates = body.list("candidates", limits.listed))
    request.candidates = read_candidates(*candidates, nodes);
  body.no_others();
  const std::uint64_t each = std::min(request.top.value_or(graph.nodes()), graph.nodes());
  if (each * request.seeds.size() > limits.listed)
    usage(
        "this would list {} nodes, and one request lists {} at most; ask for a smaller `top`, or fewer seeds",
        each * request.seeds.size(), limits.listed);
  question.nodes = names_of(request.seeds, nodes);
  return question;
}

void check_right(const Question& question, const Graph& graph, const AccessKey& key) {
  const auto refuse = [](const char* text) { throw Error(ErrorCode::refused, text); };
  if (key.role == Role::admin)
    refuse("an admin sees graphs, ledgers and keys, and asks nothing; use the key of an analyst or an owner");
  if (key.role == Role::analyst && question.request.release.scope != Scope::edge)
    refuse("an analyst's answers protect every edge; use `scope edge`");
  if (key.role != Role::owner) return;
  if (question.request.release.scope != Scope::personalized)
    refuse("an owner's answers are for them alone; use `scope personalized`");
  for (const SeedVector& seed : question.request.seeds)
    for (const auto& [node, weight] : seed.entries())
      if (!key.owns(graph.node_list().name(node)))
        refuse("this key gives answers for its own seeds only; ask for one of these");
}

}  // namespace hushwalk::service
