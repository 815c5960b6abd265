#include "ranking_writer.h"

#include <algorithm>

namespace hushwalk::cli {
namespace {

std::string seed_name(const NodeList& nodes, const SeedVector& seed, bool seed_sets) {
  if (!seed_sets) return nodes.name(seed.entries()[0].first);
  return fmt::format("set of {}", seed.entries().size());
}

class TableWriter : public RankingWriter {
 public:
  TableWriter(NodeList nodes, RankingHead head) : nodes_(std::move(nodes)), head_(std::move(head)) {}

  std::string ranking(const SeedVector& seed, std::span<const RankedRow> top) override {
    std::size_t width = 4;
    for (const RankedRow& row : top) width = std::max(width, nodes_.name(row.node).size());
    std::string text =
        fmt::format("{}seed {} ({})\n  rank  {:<{}}  score{}\n", first_ ? "" : "\n",
                    seed_name(nodes_, seed, head_.seed_sets), head_.exact ? "exact, not private" : "private",
                    "node", width, head_.exact ? "" : "        noise");
    for (std::size_t i = 0; i < top.size(); ++i)
      text += fmt::format("{:>6}  {:<{}}  {}\n", i + 1, nodes_.name(top[i].node), width, numbers(top[i]));
    first_ = false;
    return text;
  }

  std::string end() override { return head_.words.empty() ? "" : "\n" + head_.words; }

 private:
  static std::string numbers(const RankedRow& row) {
    return row.error ? fmt::format("{:<12.6g} ±{:.2g}", row.score, *row.error)
                     : fmt::format("{:.6g}", row.score);
  }

  NodeList nodes_;
  RankingHead head_;
  bool first_ = true;
};

class CsvWriter : public RankingWriter {
 public:
  CsvWriter(NodeList nodes, RankingHead head) : nodes_(std::move(nodes)), head_(std::move(head)) {}

  std::string begin() override {
    return head_.exact ? "seed,rank,node,score\n" : "seed,rank,node,score,error\n";
  }

  std::string ranking(const SeedVector& seed, std::span<const RankedRow> top) override {
    std::string text;
    const std::string name = csv_field(seed_name(nodes_, seed, head_.seed_sets));
    for (std::size_t i = 0; i < top.size(); ++i)
      text += fmt::format("{},{},{},{}{}\n", name, i + 1, csv_field(nodes_.name(top[i].node)), top[i].score,
                          head_.exact    ? ""
                          : top[i].error ? fmt::format(",{}", *top[i].error)
                                         : ",");
    return text;
  }

 private:
  NodeList nodes_;
  RankingHead head_;
};

class JsonWriter : public RankingWriter {
 public:
  JsonWriter(NodeList nodes, RankingHead head) : nodes_(std::move(nodes)), head_(std::move(head)) {}

  std::string begin() override {
    std::string text = head_.document.dump(2);
    text.resize(text.rfind('\n'));  // the document goes on
    return text + ",\n  \"rankings\": [";
  }

  std::string ranking(const SeedVector& seed, std::span<const RankedRow> top) override {
    Json json;
    json["seed"] = head_.seed_sets ? Json(nullptr) : node_json(nodes_, seed.entries()[0].first);
    if (head_.seed_sets)
      for (const auto& [node, weight] : seed.entries())
        json["seed_set"].push_back({{"node", node_json(nodes_, node)}, {"weight", weight}});
    json["top"] = Json::array();
    for (const RankedRow& row : top) {
      json["top"].push_back({{"node", node_json(nodes_, row.node)}, {"score", row.score}});
      if (row.error) json["top"].back()["error"] = *row.error;
    }
    return (std::exchange(first_, false) ? "\n    " : ",\n    ") + json.dump();
  }

  std::string end() override { return "\n  ]\n}\n"; }

 private:
  NodeList nodes_;
  RankingHead head_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<RankingWriter> make_ranking_writer(const std::string& format, NodeList nodes,
                                                   RankingHead head) {
  if (format == "json") return std::make_unique<JsonWriter>(std::move(nodes), std::move(head));
  if (format == "csv") return std::make_unique<CsvWriter>(std::move(nodes), std::move(head));
  return std::make_unique<TableWriter>(std::move(nodes), std::move(head));
}

}  // namespace hushwalk::cli
