// Checks what somebody received: a certificate, an answer with one, an artefact. No graph is needed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "hushwalk/certificate.h"

namespace hushwalk {

// What is known beside the text.
struct VerificationInput {
  std::optional<std::string> public_key = {};  // as PEM: it must be signed by this one
  std::optional<std::string> csv = {};         // the file that the certificate stands beside
  std::optional<std::string> csv_salt = {};
};

// Recomputes everything in a certificate from its parameters. The text is a certificate, any JSON document
// that holds one under "certificate", or a whole shared artefact, whose numbers are then checked too. It may
// be hostile: size, depth and work are bounded, and the reason has no control characters. Values are
// compared, never bytes. Rankings and signatures are checked where the certificate speaks of them.
Verification verify_certificate(std::string_view text, const VerificationInput& input = {});
// The same for a file, or for a CSV file with its certificate and salt beside it, whichever of them is named.
// Error{failed} when it cannot be read.
Verification verify_certificate_file(const std::filesystem::path& path, const VerificationInput& input = {});

// Where the certificate and the salt of a CSV file stand.
std::filesystem::path certificate_beside(const std::filesystem::path& csv);
std::filesystem::path salt_beside(const std::filesystem::path& csv);

}  // namespace hushwalk
