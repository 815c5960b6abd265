#include "serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <thread>

#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "hushwalk/graph_notes.h"
#include "problem.h"
#include "service.h"
#ifdef HUSHWALK_HAS_SYSTEMD
#include <systemd/sd-daemon.h>
#endif

namespace hushwalk::service {
namespace {

void tell_systemd([[maybe_unused]] const char* state) {
#ifdef HUSHWALK_HAS_SYSTEMD
  sd_notify(0, state);
#endif
}

// What Prometheus asks, at an address of its own.
class MetricsPage final : public Handler {
 public:
  MetricsPage(Service& service, HttpServer& server) : service_(service), server_(server) {}
  Routed route(HttpRequest& request) override {
    if (request.method != "GET" || request.path != "/metrics") return {.now = problem(404)};
    return {.now = response_with(200, "text/plain; version=0.0.4; charset=utf-8",
                                 service_.metrics_text(server_.connections(), server_.queued()))};
  }
  HttpResponse problem(int status) override { return service::problem(status); }
  void replied(const HttpRequest&, const Replied&) override {}

 private:
  Service& service_;
  HttpServer& server_;
};

// A folder that is gone when the demonstration ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "hushwalk-demo-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(ErrorCode::failed, "cannot make a folder for the demonstration");
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path;
};

constexpr const char* demo_graph = "karate";

Config demo_config(const std::filesystem::path& folder, const std::string& address) {
  Config config;
  config.address = address;
  config.metrics_address = config.access_log = "off";
  config.keys = folder / "keys.db";
  config.graphs = {{demo_graph,
                    "Zachary's karate club, 34 members",
                    folder / "karate.hwg",
                    folder / "karate.ledger",
                    {},
                    {}}};
  const Graph graph = generate(demo_graph);
  graph.save(config.graphs[0].graph);
  Ledger::create(config.graphs[0].ledger, graph.facts(),
                 {.epsilon = Epsilon(20), .per_recipient = Epsilon(10)});
  return config;
}

void say_demo_keys(Service& service, const std::function<void(const std::string&)>& say) {
  AccessKey owner{
      .name = "demonstration", .role = Role::owner, .recipient = "demonstration", .graphs = {demo_graph}};
  owner.every_seed = true;
  owner.per_minute = 6'000;
  AccessKey admin{.name = "demonstration admin", .role = Role::admin};
  owner.expires = admin.expires = time_in_days(1);
  say("key: " + service.add_key(owner).key);
  say("admin key: " + service.add_key(admin).key);
}

// Configurations to go on with, one after another: what is asked for meanwhile is done afterwards, so that
// the last one stays. One that cannot be used changes nothing. For the network thread.
class Reloads {
 public:
  Reloads(std::filesystem::path config, std::shared_ptr<Service> service, HttpServer& server)
      : config_(std::move(config)), service_(std::move(service)), server_(server) {}

  void ask() {
    again_ = true;
    if (!busy_) begin();
  }

 private:
  struct Opened {
    Prepared prepared;
    std::shared_ptr<TlsContext> tls;
  };

  void begin() {
    busy_ = true;
    again_ = false;
    tell_systemd("RELOADING=1");
    server_.in_background([this, before = service_->hosted()] {
      auto opened = open(before);
      server_.on_network([this, opened] { end(opened); });
    });
  }
  std::shared_ptr<Opened> open(const Hosted& before) {  // nullptr: the log says why not
    try {
      const Config config = read_config(config_);
      auto tls = config.tls ? read_tls(*config.tls) : nullptr;
      const Progress while_running = [this](std::string_view, double) {
        if (server_.is_over()) throw Error(ErrorCode::failed, "the service is stopping");
      };
      return std::make_shared<Opened>(Opened{prepare(config, before, while_running), std::move(tls)});
    } catch (const Error& error) {
      keep(told_in_full(error));
    } catch (const std::exception& error) {
      keep(error.what());
    }
    return nullptr;
  }
  void keep(const std::string& why) { service_->log().complain("the configuration was not taken: " + why); }
  void end(const std::shared_ptr<Opened>& opened) {
    if (opened && opened->tls) server_.renew_tls(opened->tls);
    if (opened) service_->take(std::move(opened->prepared));
    tell_systemd("READY=1");
    busy_ = false;
    if (again_) begin();
  }

  const std::filesystem::path config_;
  const std::shared_ptr<Service> service_;
  HttpServer& server_;
  bool busy_ = false, again_ = false;
};

// How many more files may be open, with some to spare for ledgers, logs and what is reloaded.
std::uint64_t files_left() {
  constexpr std::uint64_t spare = 32;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<std::uint64_t>::max();
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit));  // a sandbox may refuse it: then it stays as it is
  getrlimit(RLIMIT_NOFILE, &limit);
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  const auto used = spare + static_cast<std::uint64_t>(std::distance(begin(open), end(open)));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 1;
}

HttpLimits limits_of(const Config& config, const ServeOptions& options) {
  HttpLimits limits = config.limits;
  const std::uint64_t left = files_left();
  if (left >= limits.connections) return limits;
  options.notice(fmt::format(
      "{} connections at most, not {}: no more files may be open. See ulimit -n, or LimitNOFILE of systemd",
      left, limits.connections));
  const double share =
      static_cast<double>(limits.connections_per_address) / static_cast<double>(limits.connections);
  limits.connections = left;
  limits.connections_per_address =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * static_cast<double>(left)));
  return limits;
}

int worker_count(const Config& config) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return config.workers > 0 ? config.workers : static_cast<int>(cores);
}

void run(const Config& config, const ServeOptions& options) {
  const auto service = std::make_shared<Service>(prepare(config));
  HttpServer server(limits_of(config, options), worker_count(config));
  options.say("listening on " + server.listen(parse_address(config.address), service, config.tls));
  if (config.metrics_address != "off") {
    const HttpAddress address = parse_address(config.metrics_address);
    options.say("metrics on " +
                server.listen(address, std::make_shared<MetricsPage>(*service, server),
                              address.loopback() ? std::nullopt : config.tls) +
                "/metrics");
  }
  const bool demo = options.config.empty();
  if (demo) say_demo_keys(*service, options.say);
  tell_systemd("READY=1");
  Reloads reloads(options.config, service, server);
  server.run([&] { demo ? service->look_for_keys() : reloads.ask(); },
             [&] {
               service->stop_being_ready();
               tell_systemd("STOPPING=1");
             },
             [&] { service->look_for_keys(); });
}

}  // namespace

void serve(const ServeOptions& options) {
  refuse_several_processes();
  if (!options.config.empty()) return run(read_config(options.config), options);
  const TemporaryFolder folder;
  run(demo_config(folder.path, options.address.value_or("127.0.0.1:8080")), options);
}

}  // namespace hushwalk::service
