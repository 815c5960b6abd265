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
  TableWriter(NodeList nodes, bool seed_sets) : nodes_(std::move(nodes)), seed_sets_(seed_sets) {}

  std::string ranking(const SeedVector& seed, std::span<const Ranked> top) override {
    std::size_t width = 4;
    for (const Ranked& entry : top) width = std::max(width, nodes_.name(entry.node).size());
    std::string text = fmt::format("{}seed {} (exact, not private)\n  rank  {:<{}}  score\n",
                                   first_ ? "" : "\n", seed_name(nodes_, seed, seed_sets_), "node", width);
    for (std::size_t i = 0; i < top.size(); ++i)
      text += fmt::format("{:>6}  {:<{}}  {:.6g}\n", i + 1, nodes_.name(top[i].node), width, top[i].score);
    first_ = false;
    return text;
  }

 private:
  NodeList nodes_;
  bool seed_sets_;
  bool first_ = true;
};

class CsvWriter : public RankingWriter {
 public:
  CsvWriter(NodeList nodes, bool seed_sets) : nodes_(std::move(nodes)), seed_sets_(seed_sets) {}

  std::string begin() override { return "seed,rank,node,score\n"; }

  std::string ranking(const SeedVector& seed, std::span<const Ranked> top) override {
    std::string text;
    const std::string name = quoted(seed_name(nodes_, seed, seed_sets_));
    for (std::size_t i = 0; i < top.size(); ++i)
      text += fmt::format("{},{},{},{}\n", name, i + 1, quoted(nodes_.name(top[i].node)), top[i].score);
    return text;
  }

 private:
  static std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string result = "\"";
    for (const char c : field) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
  }

  NodeList nodes_;
  bool seed_sets_;
};

class JsonWriter : public RankingWriter {
 public:
  JsonWriter(NodeList nodes, bool seed_sets, Json head)
      : nodes_(std::move(nodes)), seed_sets_(seed_sets), head_(std::move(head)) {}

  std::string begin() override {
    std::string text = head_.dump(2);
    text.resize(text.rfind('\n'));  // the document goes on
    return text + ",\n  \"rankings\": [";
  }

  std::string ranking(const SeedVector& seed, std::span<const Ranked> top) override {
    Json json;
    json["seed"] = seed_sets_ ? Json(nullptr) : node_json(nodes_, seed.entries()[0].first);
    if (seed_sets_)
      for (const auto& [node, weight] : seed.entries())
        json["seed_set"].push_back({{"node", node_json(nodes_, node)}, {"weight", weight}});
    json["top"] = Json::array();
    for (const Ranked& entry : top)
      json["top"].push_back({{"node", node_json(nodes_, entry.node)}, {"score", entry.score}});
    return (std::exchange(first_, false) ? "\n    " : ",\n    ") + json.dump();
  }

  std::string end() override { return "\n  ]\n}\n"; }

 private:
  NodeList nodes_;
  bool seed_sets_;
  Json head_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<RankingWriter> make_ranking_writer(const std::string& format, NodeList nodes, bool seed_sets,
                                                   Json head) {
  if (format == "json") return std::make_unique<JsonWriter>(std::move(nodes), seed_sets, std::move(head));
  if (format == "csv") return std::make_unique<CsvWriter>(std::move(nodes), seed_sets);
  return std::make_unique<TableWriter>(std::move(nodes), seed_sets);
}

}  // namespace hushwalk::cli
