#include "service/serve.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "service/config.h"
#include "service/keys.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  std::optional<std::string> config, address;
  bool demo = false;
};

void run(const Flags& flags) {
  if (flags.config.has_value() == flags.demo)
    usage_error("say what to serve: --config FILE, or --demo for a built-in graph");
  if (flags.address && !flags.demo) usage_error("--address goes with --demo; a configuration has its own");
  service::serve({flags.config.value_or(""), flags.address,
                  [](const std::string& line) { print_out(line + "\n"); },
                  [](const std::string& text) { notice("{}", text); }});
}

struct KeyFlags {
  std::string config, role, id;
  std::optional<int> days;
  service::AccessKey wanted;
};

service::KeyStore store_of(const KeyFlags& flags) {
  return service::KeyStore(service::read_config(flags.config).keys);
}

void new_key(const KeyFlags& flags, const Common& common) {
  service::AccessKey wanted = flags.wanted;
  wanted.role = service::role_named(flags.role);
  wanted.expires = service::expiry_in_days(flags.days.value_or(service::default_days));
  const service::Config config = service::read_config(flags.config);
  check_graphs(wanted, [&](const std::string& name) {
    return std::ranges::count(config.graphs, name, &service::GraphConfig::name) > 0;
  });
  const service::NewKey made = service::KeyStore(config.keys).add(wanted);
  if (common.json) return print_json(new_key_json(made).dump(2));
  notice("this is shown once: what is kept is its hash. Its id is {}, and it ends on {}", made.made.id,
         made.made.expires);
  print_out("key: " + made.key + "\n");
}

void list_keys(const KeyFlags& flags, const Common& common) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> table = {{"id", "role", "ends", "revoked", "name"}};
  for (const service::AccessKey& key : store_of(flags).all()) {
    list.push_back(service::key_json(key));
    table.push_back({key.id, std::string(service::name(key.role)), key.expires, key.revoked, key.name});
  }
  common.json ? print_json(Json{{"keys", list}}.dump(2)) : print_out(columns(table, style_of().width));
}

void revoke_key(const KeyFlags& flags, const Common& common) {
  if (!store_of(flags).revoke(flags.id))
    usage_error("there is no key '{}', or it is revoked already; see: hushwalk serve keys list", flags.id);
  common.json ? print_json(Json{{"id", flags.id}, {"revoked", true}}.dump(2))
              : print_out(fmt::format("the key {} opens nothing any more\n", flags.id));
}

void add_config(CLI::App& verb, std::string& config) {
  verb.add_option("--config", config, "The configuration of the service")->required()->type_name("FILE");
}

void add_new(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<KeyFlags>();
  CLI::App* const verb = add_verb(
      app, common, "new", "Make a key, and show it once",
      "hushwalk serve keys new --config serve.toml --name Ann --role owner --graph friends --seed 17",
      [flags, &common] { new_key(*flags, common); });
  add_config(*verb, flags->config);
  verb->add_option("--name", flags->wanted.name, "Whose it is")->required()->type_name("NAME");
  verb->add_option(
          "--role", flags->role,
          "admin: sees graphs, ledgers and keys; analyst: asks in edge scope; owner: asks in personalized scope, for their own seeds")
      ->required()
      ->check(CLI::IsMember({"admin", "analyst", "owner"}).description(""))
      ->type_name("ROLE");
  verb->add_option("--graph", flags->wanted.graphs, "A graph that it opens; repeat it for more")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb->add_option("--seed", flags->wanted.seeds, "owner: a seed that is theirs; repeat it for more")
      ->allow_extra_args(false)
      ->type_name("V");
  verb->add_option(
          "--recipient", flags->wanted.recipient,
          "Whose account of the ledger pays (default: the name of an analyst, the one seed of an owner)")
      ->type_name("NAME");
  add_count(*verb, "--days", flags->days, "For how long it is valid (default: 90)")->type_name("DAYS");
  add_count(*verb, "--per-minute", flags->wanted.per_minute, "How often it may ask (default: 120)")
      ->type_name("N");
}

void add_list(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<KeyFlags>();
  add_config(*add_verb(app, common, "list", "All keys, but not the keys themselves",
                       "hushwalk serve keys list --config serve.toml",
                       [flags, &common] { list_keys(*flags, common); }),
             flags->config);
}

void add_revoke(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<KeyFlags>();
  CLI::App* const verb =
      add_verb(app, common, "revoke", "End a key; a running service notices within a second",
               "hushwalk serve keys revoke --config serve.toml 0123456789abcdef",
               [flags, &common] { revoke_key(*flags, common); });
  add_config(*verb, flags->config);
  verb->add_option("id", flags->id, "The id of the key, as `serve keys list` shows it")
      ->required()
      ->type_name("ID");
}

}  // namespace

void add_serve(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* verb = nullptr;
  verb = add_verb(app, common, "serve", "Answer over HTTP, always under a ledger", "hushwalk serve --demo",
                  [flags, &app] {
                    if (app.get_subcommand("serve")->get_subcommands().empty()) run(*flags);
                  });
  verb->add_option("--config", flags->config,
                   "What to serve, to whom and where: a TOML file (docs/service.md)")
      ->type_name("FILE");
  verb->add_flag("--demo", flags->demo,
                 "Serve a built-in graph on this machine; prints the address and a key");
  verb->add_option("--address", flags->address, "With --demo: where to listen (default: 127.0.0.1:8080)")
      ->type_name("HOST:PORT");
  CLI::App* const keys = verb->add_subcommand("keys", "Who may ask: make, list and revoke keys");
  keys->require_subcommand(1);
  keys->footer("hushwalk serve keys VERB --help shows the flags of a verb and an example.");
  for (const auto add : {add_new, add_list, add_revoke}) add(*keys, common);
}

}  // namespace hushwalk::cli
