#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "codec/json.h"
#include "hushwalk/csv.h"
#include "hushwalk/remedy.h"

namespace hushwalk {
namespace {

void append_node(std::string& text, const NodeList& nodes, Node node) {
  if (nodes.are_integers())
    fmt::format_to(std::back_inserter(text), "{}", nodes.integer(node));
  else
    text += Json(nodes.name(node)).dump();
}

bool has_ranges(const Ranking& ranking) {
  return std::ranges::any_of(ranking.nodes, [](const RankedNode& row) { return row.range.has_value(); });
}

// What is bound by a hash is a document; it is printed as it was hashed.
Json ranking_document(const RankingHead& head, const Ranking& ranking) {
  Json document;
  const auto entries = ranking.seed.entries();
  document["seed"] = head.seed_sets ? Json(nullptr) : node_json(head.nodes, entries[0].first);
  if (head.seed_sets)
    for (const auto& [node, weight] : entries)
      document["seed_set"].push_back({{"node", node_json(head.nodes, node)}, {"weight", weight}});
  Json& top = document["top"] = Json::array();
  for (const auto& [node, score, noise, range] : ranking.nodes) {
    Json row = {{"node", node_json(head.nodes, node)}, {"score", score}};
    if (noise) {
      row["error"] = *noise;  // the old name, read by scripts of version 0.2
      row["noise_sd"] = *noise;
    }
    if (range) row.update({{"rank_low", range->low}, {"rank_high", range->high}});
    top.push_back(std::move(row));
  }
  if (has_ranges(ranking)) document["rank_probability"] = rank_probability;
  if (ranking.estimated_anew) document["estimated_anew"] = true;
  document["salt"] = ranking.salt;
  return document;
}

// As such a document of a ranking without a salt would be printed, without making one: lists are long.
std::string ranking_json(const RankingHead& head, const Ranking& ranking) {
  std::string text = "{\"seed\":";
  const auto entries = ranking.seed.entries();
  if (!head.seed_sets) {
    append_node(text, head.nodes, entries[0].first);
  } else {
    Json set;
    for (const auto& [node, weight] : entries)
      set.push_back({{"node", node_json(head.nodes, node)}, {"weight", weight}});
    text += "null,\"seed_set\":" + set.dump();
  }
  text += ",\"top\":[";
  std::optional<double> known;
  std::string noise;
  for (const RankedNode& row : ranking.nodes) {
    text += text.back() == '[' ? "{\"node\":" : ",{\"node\":";
    append_node(text, head.nodes, row.node);
    text += ",\"score\":" + Json(row.score).dump();
    // `error` is the old name, read by scripts of version 0.2.
    if (row.noise) {
      if (known != row.noise) {
        noise = fmt::format(",\"error\":{0},\"noise_sd\":{0}", Json(*row.noise).dump());
        known = row.noise;
      }
      text += noise;
    }
    if (row.range)
      fmt::format_to(std::back_inserter(text), ",\"rank_low\":{},\"rank_high\":{}", row.range->low,
                     row.range->high);
    text += '}';
  }
  text += ']';
  if (has_ranges(ranking)) text += ",\"rank_probability\":" + Json(rank_probability).dump();
  if (ranking.estimated_anew) text += ",\"estimated_anew\":true";
  return text + "}";
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
    if (ranking.salt.empty()) return placed(ranking_json(head_, ranking));
    const Json document = ranking_document(head_, ranking);
    add_hash(document);
    return placed(document.dump());
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
  void add_hash(const Json& ranking) { hashes_.push_back(digest_of(ranking)); }
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
  Taken take_up(std::string_view text, std::span<const SeedVector> seeds, const std::string&) override {
    Taken taken;
    for (const SeedVector& seed : seeds) {
      const std::size_t end = text.find('\n', taken.bytes);
      if (end == std::string_view::npos) break;
      const Json line = Json::parse(text.substr(taken.bytes, end - taken.bytes), nullptr, false);
      if (!line.is_object() || !line.contains("top") || line.value("seed", Json()) != seed_json(seed)) break;
      if (line.contains("salt")) add_hash(line);
      taken.bytes = end + 1;
      ++taken.rankings;
    }
    return taken;
  }
  std::string end(const std::optional<IssuedCertificate>& certificate) override {
    if (!certificate) {
      Json last = {{"private", head_.is_private}, {"certificate", nullptr}};
      if (!head_.is_private) last["diffusion"] = short_diffusion_json(head_.diffusion);
      return last.dump() + "\n";
    }
    const std::string& line = certificate->line;
    return fmt::format("{{\"private\":true,\"certificate\":{}}}\n",
                       line.empty() ? Json::parse(certificate->json).dump() : line);
  }

 private:
  std::string placed(const std::string& text) override { return text + "\n"; }
  Json seed_json(const SeedVector& seed) const {
    return head_.seed_sets ? Json(nullptr) : node_json(head_.nodes, seed.entries()[0].first);
  }
};

class CsvWriter final : public RankingWriter {
 public:
  explicit CsvWriter(RankingHead head) : head_(std::move(head)) {}

  std::string begin() override {
    return begin_ = head_.is_private ? "seed,rank,node,score,error,noise_sd,rank_low,rank_high\n"
                                     : "seed,rank,node,score\n";
  }

  std::string ranking(const Ranking& ranking) override {
    std::string text;
    const std::string name = csv_field(seed_name(head_, ranking.seed));
    std::optional<double> known;
    std::string noise_text = head_.is_private ? ",," : "";
    for (std::size_t i = 0; i < ranking.nodes.size(); ++i) {
      const auto& [node, score, noise, range] = ranking.nodes[i];
      if (known != noise) {
        known = noise;
        noise_text = noise ? fmt::format(",{0},{0}", *noise) : ",,";
      }
      fmt::format_to(std::back_inserter(text), "{},{},{},{}{}", name, i + 1,
                     csv_field(head_.nodes.name(node)), score, noise_text);
      if (range) fmt::format_to(std::back_inserter(text), ",{},{}", range->low, range->high);
      text += range || !head_.is_private ? "\n" : ",,\n";
    }
    add(ranking.salt_of_file(), text);
    return text;
  }

  // A ranking is whole when the next one has begun.
  Taken take_up(std::string_view text, std::span<const SeedVector> seeds, const std::string& salt) override {
    Taken taken;
    text = text.substr(0, text.find('\0'));  // what a disk may leave of a file that was not synced
    for (std::size_t i = 0; i + 1 < seeds.size(); ++i) {
      const std::string name = csv_field(seed_name(head_, seeds[i])),
                        next = csv_field(seed_name(head_, seeds[i + 1])) + ",1,";
      std::size_t end = taken.bytes;
      for (std::size_t rank = 1; text.substr(end).starts_with(fmt::format("{},{},", name, rank)); ++rank)
        end = end_of_record(text, end);
      if (end == taken.bytes || !text.substr(std::min(end, text.size())).starts_with(next)) break;
      add(salt, std::string(text.substr(taken.bytes, end - taken.bytes)));
      taken.bytes = end;
      ++taken.rankings;
    }
    return taken;
  }

  std::optional<ShownAnswer> shown() override {
    return hash_ ? std::optional(ShownAnswer{"csv", {hash_->hex()}}) : std::nullopt;
  }

 private:
  // The first byte after the record; the end of the text where it is cut off.
  static std::size_t end_of_record(std::string_view text, std::size_t at) {
    bool quoted = false;
    for (; at < text.size(); ++at) {
      if (text[at] == '"') quoted = !quoted;
      if (text[at] == '\n' && !quoted) return at + 1;
    }
    return at;
  }

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

std::string nodes_json(const NodeList& nodes, std::span<const Node> some) {
  Json list = Json::array();
  for (const Node node : some) list.push_back(node_json(nodes, node));
  return Json{{"nodes", list}}.dump(2, ' ', false, Json::error_handler_t::replace);
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

std::string folder_json(const std::string& directory,
                        std::span<const std::pair<std::string, std::string>> files) {
  Json listed = Json::array();
  for (const auto& [seed, file] : files) listed.push_back({{"seed", seed}, {"file", file}});
  return Json{{"directory", directory}, {"files", listed}}.dump(2);
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

std::string signing_key_json(const SigningKey& key) {
  return Json{{"issuer", key.issuer()}, {"public_key", key.public_key()}}.dump(2);
}

std::string error_json(const Error& error) {
  const std::string message = error.what();
  Json document = {
      {"code", static_cast<int>(error.code())}, {"message", message}, {"remedy", remedy_in(message)}};
  if (!error.for_custodian().empty()) document["for_custodian"] = error.for_custodian();
  return Json{{"error", document}}.dump();
}

std::string planned_json(const PlannedAnswer& planned) {
  const auto& [plan, context, other, why, expects] = planned;
  const PlanWork work = plan_work(plan);
  Json document = {{"plan", plan_document(plan)}};
  document["plan"]["memory_bytes"] = work.bytes;
  document["plan"]["seconds_for_noise"] = work.noise_seconds;
  document["plan"]["seconds_per_million_edges"] = work.seconds_per_million_edges;
  document["weak_points"] = weak_points(plan);
  document["why"] = why;
  document["expects"] = expects;
  document["alternative"] = nullptr;
  if (other)
    document["alternative"] = {
        {"mechanism", other->mechanism}, {"total_epsilon", other->total_epsilon}, {"why", other->words}};
  document["certificate"] = certificate_document(plan, context);
  return document.dump(2);
}

}  // namespace hushwalk
