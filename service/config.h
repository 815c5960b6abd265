// What the service is told in its configuration file, in TOML. See docs/service.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "http.h"
#include "hushwalk/parameters.h"

namespace hushwalk::service {

struct GraphConfig {
  std::string name;   // as in /v1/graphs/NAME: small letters, digits, - and _
  std::string title;  // for people
  std::filesystem::path graph, ledger, ledger_key;
  std::optional<ReleaseParameters> shared;  // the artefact that serves everybody, published at the start
};

struct Config {
  std::string address = "127.0.0.1:8080";
  std::string metrics_address = "127.0.0.1:0";  // "off": nowhere
  std::optional<TlsFiles> tls;
  std::filesystem::path keys;
  std::string access_log = "-";  // a file; "-": standard error; "off": nowhere
  bool log_nodes = false;        // the log names the seeds
  std::string signing_key;       // signs certificates; empty: nobody does
  int workers = 0;               // 0: as many as the machine has cores
  std::uint64_t cache_bytes = 64U << 20U;
  std::uint64_t failures_per_minute = 60;  // of one address: keys that open nothing
  std::uint64_t requests_per_key = 16;     // at once
  HttpLimits limits;
  std::vector<GraphConfig> graphs;
};

// Paths are relative to the file. Error{failed} when it cannot be read, Error{usage} naming the line of what
// makes no sense.
Config read_config(const std::filesystem::path& path);

}  // namespace hushwalk::service
