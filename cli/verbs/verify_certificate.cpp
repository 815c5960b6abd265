#include <iostream>
#include <memory>

#include "verbs.h"

namespace hushwalk::cli {

namespace {

struct Flags {
  std::string file;
  std::optional<std::string> public_key;
};

void run(const Flags& flags, const Common& common) {
  VerificationInput input;
  if (flags.public_key) input.public_key = text_of_file(*flags.public_key);
  const Verification found =
      flags.file == "-" ? verify_certificate(std::string(std::istreambuf_iterator<char>(std::cin), {}), input)
                        : verify_certificate_file(flags.file, input);
  if (common.json) print_json(verification_json(found));
  if (!found.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the certificate of '{}' does not hold: {}", flags.file, found.reason));
  const auto row = [](bool checked, const char* what) {
    return fmt::format("  {}  {}\n", checked ? "checked    " : "not checked", what);
  };
  if (!common.json)
    print_text(fmt::format("the certificate holds: {}\n{}{}{}{}  never checked: {}\n", found.reason,
                           row(found.promise, "the promise follows from the parameters"),
                           row(found.answer, "the answer is the one that was certified"),
                           row(found.signature, "somebody signed it"),
                           row(found.issuer, "that somebody has the public key that was given"),
                           never_checked));
}

}  // namespace

void add_verify_certificate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "verify-certificate", "Recompute a certificate from its parameters",
               "hushwalk verify-certificate answer.json --public-key issuer.pem",
               [flags, &common] { run(*flags, common); });
  verb->add_option(
          "file", flags->file,
          "A certificate, an answer in JSON that holds one, an answer in CSV with one beside it, or a shared artefact; - is standard input")
      ->required()
      ->type_name("FILE");
  verb->add_option("--public-key", flags->public_key, "It must be signed by this key (see `keys public`)")
      ->type_name("P");
}

}  // namespace hushwalk::cli
