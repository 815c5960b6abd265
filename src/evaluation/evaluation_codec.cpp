#include "hushwalk/evaluation_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "evaluation/rows_json.h"
#include "hushwalk/csv.h"
#include "plan/parameter_json.h"

namespace hushwalk {
namespace {

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

class CsvWriter final : public EvaluationWriter {
 public:
  std::string begin() override {
    std::string text = "mechanism,resolved,epsilon,eta";
    for (const EvaluationColumn& column : evaluation_columns) text += fmt::format(",{0},{0}_ci", column.name);
    return text + ",seconds,refused\n";
  }

  std::string row(const EvaluationRow& row) override {
    std::string text = fmt::format("{},{},{},{}", csv_field(row.mechanism), row.resolved.value_or(""),
                                   number_or_nothing(row.epsilon), number_or_nothing(row.eta));
    for (const EvaluationColumn& column : evaluation_columns) {
      const Measure& measure = row.*column.measure;
      text += fmt::format(",{},{}", number_or_nothing(measure.mean), number_or_nothing(measure.ci));
    }
    return text + fmt::format(",{},{}\n", row.seconds, row.refused ? csv_field(*row.refused) : "");
  }
};

class JsonLinesWriter final : public EvaluationWriter {
 public:
  std::string row(const EvaluationRow& row) override { return row_json(row).dump() + "\n"; }
};

class JsonWriter final : public EvaluationWriter {
 public:
  explicit JsonWriter(Json head) : document_(std::move(head)) { document_["rows"] = Json::array(); }
  std::string row(const EvaluationRow& row) override {
    document_["rows"].push_back(row_json(row));
    return "";
  }
  std::string end() override { return document_.dump(2) + "\n"; }

 private:
  Json document_;
};

std::optional<std::string> text_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::string>());
}

template <class Number>
Json values_json(const std::vector<Number>& numbers) {
  Json list = Json::array();
  for (const Number& number : numbers) list.push_back(number.value());
  return list;
}

Json tuned_plan_json(const TunedPlan& plan) {
  const ReleaseParameters& found = plan.parameters;
  return {{"mechanism", found.mechanism},
          {"epsilon", found.epsilon.value()},
          {"eta", parameter_json(found.eta)},
          {"background", parameter_json(found.background)},
          {"taper", parameter_json(found.taper)},
          {"expected_ndcg", optional_json(plan.ndcg.mean)},
          {"expected_ndcg_ci", optional_json(plan.ndcg.ci)},
          {"expected_new_ndcg", optional_json(plan.new_ndcg.mean)},
          {"expected_new_ndcg_ci", optional_json(plan.new_ndcg.ci)},
          {"total_epsilon", plan.total_epsilon.value()}};
}

}  // namespace

Json row_json(const EvaluationRow& row) {
  Json json = {{"mechanism", row.mechanism},
               {"resolved", row.resolved ? Json(*row.resolved) : Json(nullptr)},
               {"epsilon", optional_json(row.epsilon)},
               {"eta", optional_json(row.eta)}};
  for (const EvaluationColumn& column : evaluation_columns) {
    json[column.name] = optional_json((row.*column.measure).mean);
    json[fmt::format("{}_ci", column.name)] = optional_json((row.*column.measure).ci);
  }
  json["versus"] = Json::object();
  for (const Versus& versus : row.versus)
    json["versus"][versus.other] = {{"ndcg", optional_json(versus.ndcg.mean)},
                                    {"ndcg_ci", optional_json(versus.ndcg.ci)}};
  json["seconds"] = row.refused ? Json(nullptr) : Json(row.seconds);
  json["refused"] = row.refused ? Json(*row.refused) : Json(nullptr);
  return json;
}

Json checkpoint_json(const EvaluationRow& row) {
  Json json = row_json(row);
  json["seed_ndcg"] = Json::array();
  for (const double value : row.seed_ndcg)
    json["seed_ndcg"].push_back(std::isnan(value) ? Json(nullptr) : Json(value));
  return json;
}

EvaluationRow row_from_checkpoint(const Json& json) {
  EvaluationRow row;
  row.mechanism = json.at("mechanism").get<std::string>();
  row.resolved = text_from(json.at("resolved"));
  row.epsilon = optional_in(json.at("epsilon"));
  row.eta = optional_in(json.at("eta"));
  for (const EvaluationColumn& column : evaluation_columns)
    if (json.contains(column.name))  // rows of an older version lack some
      row.*column.measure = {optional_in(json.at(column.name)),
                             optional_in(json.at(fmt::format("{}_ci", column.name)))};
  for (const auto& [other, ndcg] : json.at("versus").items())
    row.versus.push_back({other, {optional_in(ndcg.at("ndcg")), optional_in(ndcg.at("ndcg_ci"))}});
  row.seconds = optional_in(json.at("seconds")).value_or(0);
  row.refused = text_from(json.at("refused"));
  for (const Json& value : json.at("seed_ndcg"))
    row.seed_ndcg.push_back(optional_in(value).value_or(std::nan("")));
  return row;
}

// Of the parameters, some are given as lists, rankings are users, and each has one seed.
Json request_json(const EvaluationRequest& request) {
  constexpr std::array<std::string_view, 5> not_one = {"mechanism", "epsilon", "eta", "rankings",
                                                       "seeds_per_ranking"};
  Json document = {{"mechanisms", request.mechanisms},
                   {"epsilons", values_json(request.epsilons)},
                   {"etas", values_json(request.etas)}};
  each_parameter(request.release, [&](std::string_view name, const auto& value) {
    if (std::ranges::find(not_one, name) == not_one.end())
      document[std::string(name)] = parameter_json(value);
  });
  for (const char* list : {"gamma1", "gamma2", "gamma3"}) document["diffusion"].erase(list);
  if (request.release.rankings > 1) document["users"] = request.release.rankings;
  document["seeds"] = request.seeds;
  document["random_seed"] = request.random_seed;
  document["top"] = request.top;
  return document;
}

std::unique_ptr<EvaluationWriter> evaluation_writer(const std::string& format, const Graph& graph,
                                                    const EvaluationRequest& request) {
  if (format == "csv") return std::make_unique<CsvWriter>();
  if (format == "jsonl") return std::make_unique<JsonLinesWriter>();
  Json head = {{"private", false},
               {"note", evaluation_warning},
               {"graph", {{"nodes", graph.nodes()}, {"edges", graph.secret_edges()}}}};
  head.update(request_json(request));
  return std::make_unique<JsonWriter>(std::move(head));
}

std::string tuned_json(const Tuned& tuned, const TuneRequest& request) {
  Json json = tuned_plan_json(tuned.best);
  if (tuned.tried.empty())  // nothing to spend a budget on
    json.update({{"mechanism", "free"},
                 {"epsilon", 0},
                 {"expected_ndcg", optional_json(tuned.free_ndcg.mean)},
                 {"expected_ndcg_ci", optional_json(tuned.free_ndcg.ci)},
                 {"expected_new_ndcg", optional_json(tuned.free_new_ndcg.mean)},
                 {"expected_new_ndcg_ci", optional_json(tuned.free_new_ndcg.ci)},
                 {"total_epsilon", 0}});
  json["free_ndcg"] = optional_json(tuned.free_ndcg.mean);
  json["free_new_ndcg"] = optional_json(tuned.free_new_ndcg.mean);
  json["free_is_enough"] = tuned.free_is_enough;
  json["scope"] = name(request.release.scope);
  if (request.release.rankings > 1) json["users"] = request.release.rankings;
  json["seeds"] = tuned.seeds;
  json["tried"] = Json::array();
  for (const TunedPlan& plan : tuned.tried) json["tried"].push_back(tuned_plan_json(plan));
  return json.dump(2);
}

}  // namespace hushwalk
