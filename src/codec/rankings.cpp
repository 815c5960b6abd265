#include <fmt/format.h>

#include <utility>

#include "codec/json.h"
#include "hushwalk/csv.h"

namespace hushwalk {
namespace {

Json ranking_json(const RankingHead& head, const Ranking& ranking) {
  Json json;
  const auto entries = ranking.seed.entries();
  json["seed"] = head.seed_sets ? Json(nullptr) : node_json(head.nodes, entries[0].first);
  if (head.seed_sets)
    for (const auto& [node, weight] : entries)
      json["seed_set"].push_back({{"node", node_json(head.nodes, node)}, {"weight", weight}});
  json["top"] = Json::array();
  for (const RankedNode& row : ranking.nodes) {
    json["top"].push_back({{"node", node_json(head.nodes, row.node)}, {"score", row.score}});
    // `error` is the old name, read by scripts of version 0.2.
    if (row.noise) json["top"].back()["noise_sd"] = json["top"].back()["error"] = *row.noise;
  }
  if (ranking.estimated_anew) json["estimated_anew"] = true;
  if (!ranking.salt.empty()) json["salt"] = ranking.salt;
  return json;
}

class JsonWriter : public RankingWriter {
 public:
  explicit JsonWriter(RankingHead head) : head_(std::move(head)) {}

  std::string begin() override {
    if (head_.old_certificate)
      return fmt::format("{{\n  \"private\": true,\n  \"certificate\": {},\n  \"rankings\": [",
                         indented(head_.old_certificate->json));
    if (head_.is_private) return "{\n  \"private\": true,\n  \"rankings\": [";
    return fmt::format(
        "{{\n  \"private\": false,\n  \"certificate\": null,\n  \"diffusion\": {},\n  \"rankings\": [",
        indented(short_diffusion_json(head_.diffusion).dump(2)));
  }

  std::string ranking(const Ranking& ranking) override {
    const Json json = ranking_json(head_, ranking);
    if (!ranking.salt.empty()) hashes_.push_back(digest_of(json));
    return placed(json.dump());
  }

  std::optional<ShownAnswer> shown() override {
    return hashes_.empty() ? std::nullopt : std::optional(ShownAnswer{"json", hashes_});
  }

  std::string end(const std::optional<IssuedCertificate>& certificate) override {
    if (!certificate || head_.old_certificate) return "\n  ]\n}\n";
    return fmt::format("\n  ],\n  \"certificate\": {}\n}}\n", indented(certificate->json));
  }

 protected:
  virtual std::string placed(const std::string& text) {
    return (std::exchange(first_, false) ? "\n    " : ",\n    ") + text;
  }
  RankingHead head_;

 private:
  std::vector<std::string> hashes_;
  bool first_ = true;
};

// A ranking in each line; the last says what holds for all of them.
class JsonLinesWriter final : public JsonWriter {
 public:
  using JsonWriter::JsonWriter;
  std::string begin() override { return ""; }
  std::string end(const std::optional<IssuedCertificate>& certificate) override {
    Json last = {{"private", head_.is_private}};
    last["certificate"] = certificate ? Json::parse(certificate->json) : Json(nullptr);
    if (!head_.is_private) last["diffusion"] = short_diffusion_json(head_.diffusion);
    return last.dump() + "\n";
  }

 private:
  std::string placed(const std::string& text) override { return text + "\n"; }
};

class CsvWriter final : public RankingWriter {
 public:
  explicit CsvWriter(RankingHead head) : head_(std::move(head)) {}

  std::string begin() override {
    return begin_ = head_.is_private ? "seed,rank,node,score,error,noise_sd\n" : "seed,rank,node,score\n";
  }

  std::string ranking(const Ranking& ranking) override {
    std::string text;
    const std::string name = csv_field(seed_name(head_, ranking.seed));
    for (std::size_t i = 0; i < ranking.nodes.size(); ++i) {
      const auto& [node, score, noise] = ranking.nodes[i];
      text += fmt::format("{},{},{},{}{}\n", name, i + 1, csv_field(head_.nodes.name(node)), score,
                          !head_.is_private ? ""
                          : noise           ? fmt::format(",{0},{0}", *noise)
                                            : ",,");
    }
    add(ranking.salt, text);
    return text;
  }

  std::optional<ShownAnswer> shown() override {
    return hash_ ? std::optional(ShownAnswer{"csv", {hash_->hex()}}) : std::nullopt;
  }

 private:
  void add(const std::string& salt, const std::string& text) {
    if (!hash_ && !salt.empty()) {
      hash_.emplace(salt);
      hash_->add(begin_);
    }
    if (hash_) hash_->add(text);
  }

  RankingHead head_;
  std::string begin_;
  std::optional<ShownCsvHash> hash_;
};

}  // namespace

Json node_json(const NodeList& nodes, Node node) {
  return nodes.are_integers() ? Json(nodes.integer(node)) : Json(nodes.name(node));
}

// A line feed inside a JSON text is never part of a string.
std::string indented(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text;
}

std::string seed_name(const RankingHead& head, const SeedVector& seed) {
  if (!head.seed_sets) return head.nodes.name(seed.entries()[0].first);
  return fmt::format("set of {}", seed.entries().size());
}

std::unique_ptr<RankingWriter> json_ranking_writer(RankingHead head) {
  return std::make_unique<JsonWriter>(std::move(head));
}
std::unique_ptr<RankingWriter> json_lines_ranking_writer(RankingHead head) {
  return std::make_unique<JsonLinesWriter>(std::move(head));
}
std::unique_ptr<RankingWriter> csv_ranking_writer(RankingHead head) {
  return std::make_unique<CsvWriter>(std::move(head));
}

std::string certificate_only_json(const IssuedCertificate& certificate) {
  return fmt::format("{{\n  \"certificate\": {}\n}}", indented(certificate.json));
}

std::string verdict_json(bool valid, const std::string& reason) {
  return Json{{"valid", valid}, {"reason", reason}}.dump(2);
}

std::string verification_json(const Verification& found) {
  return Json{{"valid", found.valid},
              {"reason", found.reason},
              {"checked",
               {{"promise", found.promise},
                {"answer", found.answer},
                {"signature", found.signature},
                {"issuer", found.issuer}}},
              {"never_checked", never_checked}}
      .dump(2);
}

std::string planned_json(const Plan& plan, const CertificateContext& context,
                         const std::optional<OtherPlan>& other) {
  const PlanWork work = plan_work(plan);
  Json document = {{"plan", plan_document(plan)}};
  document["plan"]["memory_bytes"] = work.bytes;
  document["plan"]["seconds_for_noise"] = work.noise_seconds;
  document["plan"]["seconds_per_million_edges"] = work.seconds_per_million_edges;
  document["weak_points"] = weak_points(plan);
  document["alternative"] = nullptr;
  if (other)
    document["alternative"] = {
        {"mechanism", other->mechanism}, {"total_epsilon", other->total_epsilon}, {"why", other->words}};
  document["certificate"] = certificate_document(plan, context);
  return document.dump(2);
}

}  // namespace hushwalk
