#include "config.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "hushwalk/error.h"

namespace hushwalk::service {
namespace {

// A table of which every key must be known.
class Table {
 public:
  Table(const toml::table& table, std::string file, std::string where = "")
      : table_(table), file_(std::move(file)), where_(std::move(where)) {}

  template <class T>
  std::optional<T> get(const std::string& key) {
    known_.insert(key);
    const toml::node* const node = table_.get(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<T>();
    if (!value) fail(*node, fmt::format("'{}{}' has another type of value", where_, key));
    return value;
  }
  std::string text(const std::string& key, const std::string& otherwise) {
    const std::string value = get<std::string>(key).value_or(otherwise);
    if (value.empty() && table_.get(key)) fail(*table_.get(key), fmt::format("'{}{}' is empty", where_, key));
    return value;
  }
  std::string needed(const std::string& key) {
    if (!table_.get(key)) fail(table_, fmt::format("'{}{}' is missing", where_, key));
    return text(key, "");
  }
  std::int64_t whole(const std::string& key, std::int64_t otherwise, std::int64_t least, std::int64_t most) {
    const std::int64_t value = get<std::int64_t>(key).value_or(otherwise);
    if (value < least || value > most)
      fail(*table_.get(key), fmt::format("'{}{}' must be from {} to {}", where_, key, least, most));
    return value;
  }
  std::optional<double> number(const std::string& key) {
    known_.insert(key);
    const toml::node* const node = table_.get(key);
    if (!node) return std::nullopt;
    const auto value = node->value<double>();
    if (!value) fail(*node, fmt::format("'{}{}' must be a number", where_, key));
    return value;
  }
  std::optional<Table> part(const std::string& key) {
    known_.insert(key);
    const toml::node* const node = table_.get(key);
    if (!node) return std::nullopt;
    if (!node->is_table()) fail(*node, fmt::format("'{}' must be a table", key));
    return Table(*node->as_table(), file_, key + ".");
  }
  std::vector<Table> parts(const std::string& key) {
    known_.insert(key);
    std::vector<Table> tables;
    const toml::node* const node = table_.get(key);
    if (!node) return tables;
    if (!node->is_array_of_tables()) fail(*node, fmt::format("write [[{}]], once for each", key));
    for (const toml::node& one : *node->as_array()) tables.emplace_back(*one.as_table(), file_, key + ".");
    return tables;
  }
  void no_others() const {
    for (const auto& [key, node] : table_)
      if (!known_.contains(std::string(key.str())))
        fail(node, fmt::format("there is no setting '{}{}'", where_, key.str()));
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", file_, node.source().begin.line, what));
  }
  [[noreturn]] void fail(const std::string& what) const { fail(table_, what); }

 private:
  const toml::table& table_;
  std::string file_, where_;
  std::set<std::string> known_;
};

bool is_graph_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::filesystem::path beside(const std::filesystem::path& config, const std::string& path) {
  return path.empty() ? std::filesystem::path() : config.parent_path() / path;
}

ReleaseParameters read_shared(Table table) {
  ReleaseParameters release;
  release.scope = Scope::edge;
  const auto epsilon = table.number("epsilon");
  if (!epsilon) table.fail("'shared.epsilon' is missing: what may the artefact leak about an edge?");
  release.epsilon = Epsilon(*epsilon);
  release.mechanism = table.text("mechanism", "auto");
  table.no_others();
  return release;
}

GraphConfig read_graph(Table& table, const std::filesystem::path& config) {
  GraphConfig graph;
  graph.name = table.needed("name");
  if (!is_graph_name(graph.name))
    table.fail(
        fmt::format("the name '{}' must be of small letters, digits, - and _, at most 64", graph.name));
  graph.title = table.text("title", graph.name);
  graph.graph = beside(config, table.needed("graph"));
  graph.ledger = beside(config, table.needed("ledger"));
  graph.ledger_key = beside(config, table.text("ledger_key", ""));
  if (auto shared = table.part("shared")) graph.shared = read_shared(std::move(*shared));
  table.no_others();
  return graph;
}

void read_limits(Table table, HttpLimits& limits) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto milliseconds = [&](const char* key, std::chrono::milliseconds& value) {
    value = std::chrono::milliseconds(table.whole(key, value.count(), 1, most));
  };
  limits.body_bytes = static_cast<std::uint64_t>(table.whole("body_bytes", 65'536, 1'024, 1'048'576));
  limits.header_bytes = static_cast<std::uint32_t>(table.whole("header_bytes", 8'192, 1'024, 65'536));
  limits.connections = static_cast<std::uint64_t>(table.whole("connections", 2'000, 1, 100'000));
  limits.connections_per_address = static_cast<std::uint64_t>(table.whole(
      "connections_per_address", static_cast<std::int64_t>((3 * limits.connections + 3) / 4), 1, 100'000));
  limits.queue = static_cast<std::uint64_t>(table.whole("queue", 64, 1, 100'000));
  milliseconds("idle_ms", limits.idle);
  milliseconds("handshake_ms", limits.handshake);
  milliseconds("header_ms", limits.read_header);
  milliseconds("body_ms", limits.read_body);
  milliseconds("write_ms", limits.write);
  milliseconds("drain_ms", limits.drain);
  milliseconds("bucket_ms", limits.bucket);
  table.no_others();
}

Config config_of(const toml::table& document, const std::filesystem::path& path) {
  Table table(document, path.string());
  Config config;
  config.address = table.text("address", config.address);
  config.metrics_address = table.text("metrics_address", config.metrics_address);
  config.keys = beside(path, table.text("keys", "keys.db"));
  config.access_log = table.text("access_log", config.access_log);
  if (config.access_log != "-" && config.access_log != "off")
    config.access_log = beside(path, config.access_log).string();
  config.log_nodes = table.get<bool>("log_nodes").value_or(false);
  config.signing_key = beside(path, table.text("signing_key", "")).string();
  config.workers = static_cast<int>(table.whole("workers", 0, 0, 1'024));
  config.cache_bytes =
      static_cast<std::uint64_t>(table.whole("cache_bytes", 64 << 20, 0, std::int64_t{1} << 40));
  config.failures_per_minute =
      static_cast<std::uint64_t>(table.whole("failures_per_minute", 60, 1, 1'000'000));
  config.requests_per_key = static_cast<std::uint64_t>(table.whole("requests_per_key", 16, 1, 100'000));
  if (auto tls = table.part("tls")) {
    config.tls = TlsFiles{beside(path, tls->needed("certificate")).string(),
                          beside(path, tls->needed("key")).string()};
    tls->no_others();
  }
  if (auto limits = table.part("limits")) read_limits(std::move(*limits), config.limits);
  std::set<std::string> names;
  for (Table& graph : table.parts("graphs")) {
    config.graphs.push_back(read_graph(graph, path));
    if (!names.insert(config.graphs.back().name).second)
      graph.fail(fmt::format("the name '{}' is given twice", config.graphs.back().name));
  }
  table.no_others();
  if (config.graphs.empty())
    table.fail("there is no graph: write [[graphs]] with a name, a graph and a ledger");
  return config;
}

}  // namespace

Config read_config(const std::filesystem::path& path) {
  try {
    const toml::table document = toml::parse_file(path.string());
    return config_of(document, path);
  } catch (const toml::parse_error& error) {
    if (error.source().begin.line == 0)
      throw Error(ErrorCode::failed, fmt::format("cannot read '{}': {}", path.string(), error.description()));
    throw Error(ErrorCode::usage,
                fmt::format("{}:{}: {}", path.string(), error.source().begin.line, error.description()));
  }
}

}  // namespace hushwalk::service
