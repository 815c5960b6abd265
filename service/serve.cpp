#include "serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
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

// A configuration that cannot be used changes nothing.
void reload(const std::filesystem::path& path, const std::shared_ptr<Service>& service, HttpServer& server) {
  tell_systemd("RELOADING=1");
  server.in_background([=, &server, before = service->hosted()] {
    const auto keep = [=](const std::string& why) {
      service->log().complain("the configuration was not taken: " + why);
      tell_systemd("READY=1");
    };
    try {
      const Config config = read_config(path);
      server.on_network([=, &server, opened = open_graphs(config, before)]() mutable {
        try {
          if (config.tls) server.renew_tls(*config.tls);
          service->take(config, std::move(opened));
          tell_systemd("READY=1");
        } catch (const Error& error) {
          keep(told_in_full(error));
        }
      });
    } catch (const Error& error) {
      keep(told_in_full(error));
    } catch (const std::exception& error) {
      keep(error.what());
    }
  });
}

int worker_count(const Config& config) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return config.workers > 0 ? config.workers : static_cast<int>(cores);
}

void run(const Config& config, const ServeOptions& options) {
  const auto service = std::make_shared<Service>(config, open_graphs(config));
  HttpServer server(config.limits, worker_count(config));
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
  server.run([&] { demo ? service->look_for_keys() : reload(options.config, service, server); },
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
