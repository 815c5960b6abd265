#include <memory>

#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string key, issuer;
  std::optional<std::string> output;
};

void add_new(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "new", "Make a key that signs certificates",
               "hushwalk keys new -o signing.key --issuer 'Friends, Inc.'", [flags, &common] {
                 const SigningKey key = SigningKey::make(flags->issuer);
                 key.save(flags->key);
                 common.json ? print_json(signing_key_json(key)) : print_out(key.public_key());
               });
  verb->add_option("-o,--output", flags->key, "The key to make; it must not exist")
      ->required()
      ->type_name("K");
  flags->issuer = "the custodian";
  verb->add_option("--issuer", flags->issuer, "Who signs, as certificates will name them")->type_name("NAME");
}

void add_public(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "public", "The public part of a key, by which others check certificates",
               "hushwalk keys public signing.key -o issuer.pem", [flags, &common] {
                 const SigningKey key = SigningKey::open(flags->key);
                 check_inputs({flags->key}, flags->output);
                 Output output(flags->output, publishable);
                 output.write(common.json ? signing_key_json(key) + "\n" : key.public_key());
                 output.commit();
               });
  verb->add_option("key", flags->key, "A key of `keys new`")->required()->type_name("K");
  add_output(*verb, flags->output);
}

}  // namespace

void add_keys(CLI::App& app, Common& common) {
  CLI::App* const keys =
      app.add_subcommand("keys", "Keys that sign certificates: make one, show its public part");
  keys->require_subcommand(1);
  keys->footer("hushwalk keys VERB --help shows the flags of a verb and an example.");
  for (const auto add : {add_new, add_public}) add(*keys, common);
}

}  // namespace hushwalk::cli
