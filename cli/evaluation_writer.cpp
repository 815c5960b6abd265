#include "evaluation_writer.h"

#include <array>
#include <cmath>
#include <utility>

#include "evaluation_flags.h"

namespace hushwalk::cli {
namespace {

struct Column {
  const char* name;
  Measure EvaluationRow::* measure;
};
constexpr std::array<Column, 7> columns = {{{"ndcg", &EvaluationRow::ndcg},
                                            {"recall", &EvaluationRow::recall},
                                            {"new_ndcg", &EvaluationRow::new_ndcg},
                                            {"new_recall", &EvaluationRow::new_recall},
                                            {"l1", &EvaluationRow::l1},
                                            {"kendall", &EvaluationRow::kendall},
                                            {"gain", &EvaluationRow::gain}}};

std::string number_or(const std::optional<double>& value, const std::string& none) {
  return value ? fmt::format("{}", *value) : none;
}

class TableWriter : public EvaluationWriter {
 public:
  explicit TableWriter(std::size_t name_width) : width_(std::max<std::size_t>(name_width, 9)) {}

  std::string begin() override {
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", "mechanism", width_, "epsilon", "eta");
    for (const Column& column : columns) text += fmt::format("  {:<15}", column.name);
    return text + "  seconds\n";
  }

  std::string row(const EvaluationRow& row) override {
    const bool resolved = row.mechanism == "auto" && row.resolved;
    std::string text = fmt::format("{:<{}} {:>8} {:>8}", resolved ? "auto: " + *row.resolved : row.mechanism,
                                   width_, number_or(row.epsilon, "-"), number_or(row.eta, "-"));
    if (row.refused) return text + "  refused: " + *row.refused + "\n";
    for (const Column& column : columns) text += fmt::format("  {:<15}", cell(row.*column.measure));
    return text + fmt::format("  {:>7.2f}\n", row.seconds);
  }

 private:
  // "±" is two bytes and one column, which fmt knows.
  static std::string cell(const Measure& measure) {
    if (!measure.mean) return "-";
    return measure.ci ? fmt::format("{:.4f} ± {:.4f}", *measure.mean, *measure.ci)
                      : fmt::format("{:.4f}", *measure.mean);
  }
  std::size_t width_;
};

class CsvWriter : public EvaluationWriter {
 public:
  std::string begin() override {
    std::string text = "mechanism,resolved,epsilon,eta";
    for (const Column& column : columns) text += fmt::format(",{0},{0}_ci", column.name);
    return text + ",seconds,refused\n";
  }

  std::string row(const EvaluationRow& row) override {
    std::string text = fmt::format("{},{},{},{}", csv_field(row.mechanism), row.resolved.value_or(""),
                                   number_or(row.epsilon, ""), number_or(row.eta, ""));
    for (const Column& column : columns) {
      const Measure& measure = row.*column.measure;
      text += fmt::format(",{},{}", number_or(measure.mean, ""), number_or(measure.ci, ""));
    }
    return text + fmt::format(",{},{}\n", row.seconds, row.refused ? csv_field(*row.refused) : "");
  }
};

class JsonLinesWriter : public EvaluationWriter {
 public:
  std::string row(const EvaluationRow& row) override { return row_json(row).dump() + "\n"; }
};

class JsonWriter : public EvaluationWriter {
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

std::optional<double> number_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}
std::optional<std::string> text_from(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::string>());
}

}  // namespace

Json row_json(const EvaluationRow& row) {
  Json json = {{"mechanism", row.mechanism},
               {"resolved", row.resolved ? Json(*row.resolved) : Json(nullptr)},
               {"epsilon", optional_json(row.epsilon)},
               {"eta", optional_json(row.eta)}};
  for (const Column& column : columns) {
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
  row.epsilon = number_from(json.at("epsilon"));
  row.eta = number_from(json.at("eta"));
  for (const Column& column : columns)
    row.*column.measure = {number_from(json.at(column.name)),
                           number_from(json.at(fmt::format("{}_ci", column.name)))};
  for (const auto& [other, ndcg] : json.at("versus").items())
    row.versus.push_back({other, {number_from(ndcg.at("ndcg")), number_from(ndcg.at("ndcg_ci"))}});
  row.seconds = number_from(json.at("seconds")).value_or(0);
  row.refused = text_from(json.at("refused"));
  for (const Json& value : json.at("seed_ndcg"))
    row.seed_ndcg.push_back(number_from(value).value_or(std::nan("")));
  return row;
}

std::unique_ptr<EvaluationWriter> make_evaluation_writer(const std::string& format, Json head,
                                                         std::size_t name_width) {
  if (format == "json") return std::make_unique<JsonWriter>(std::move(head));
  if (format == "csv") return std::make_unique<CsvWriter>();
  if (format == "jsonl") return std::make_unique<JsonLinesWriter>();
  return std::make_unique<TableWriter>(name_width);
}

}  // namespace hushwalk::cli
