#include <iostream>
#include <iterator>
#include <memory>

#include "verbs.h"

namespace hushwalk::cli {

void add_verify_certificate(CLI::App& app, Common& common) {
  const auto file = std::make_shared<std::string>();
  CLI::App* const verb = add_verb(
      app, common, "verify-certificate", "Recompute a certificate from its parameters",
      "hushwalk verify-certificate answer.json", [file, &common] {
        const Verification found =
            *file == "-" ? verify_certificate(std::string(std::istreambuf_iterator<char>(std::cin), {}))
                         : verify_certificate_file(*file);
        if (common.json)
          print_json(verdict_json(found.valid, found.reason));
        else if (found.valid)
          print_out(fmt::format("the certificate holds: {}\n", found.reason));
        if (!found.valid)
          throw Error(ErrorCode::failed,
                      fmt::format("the certificate of '{}' does not hold: {}", *file, found.reason));
      });
  verb->add_option(
          "file", *file,
          "A certificate, an answer in JSON that holds one, or a shared artefact; - is standard input")
      ->required()
      ->type_name("FILE");
}

}  // namespace hushwalk::cli
