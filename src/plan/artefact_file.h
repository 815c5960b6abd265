// An artefact as a file: one line of JSON with its certificate (docs/formats.md), then the noisy numbers, 8
// bytes each, or packed. What is in it was released; no graph is needed to read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "hushwalk/certificate.h"
#include "hushwalk/version.h"

namespace hushwalk {

struct ArtefactFile {
  Plan plan;
  CertificateContext context;  // with its id
  std::vector<std::int64_t> values;
  Json certificate;
  std::string salt = {};    // of the hash in a signed certificate
  std::string header = {};  // its first line as it was read, which a copy keeps; empty: made of the above
  std::string software_version = version();  // of the program that made its certificate
};

// With its certificate.
ArtefactFile new_artefact_file(Plan plan, CertificateContext context, std::vector<std::int64_t> values);
// The same under a signed certificate, which has a hash of the numbers under this salt.
ArtefactFile signed_artefact(Plan plan, CertificateContext context, std::vector<std::int64_t> values,
                             const SigningKey& key, const std::string& salt);

std::vector<std::byte> artefact_bytes(const ArtefactFile& artefact);

// Error{failed} when it is not an artefact, damaged, or its certificate does not hold or is that of other
// numbers; `name` is for messages.
ArtefactFile parse_artefact(std::span<const std::byte> bytes, const std::string& name);

// Whether this is the content of an artefact's file, whole or damaged.
bool is_artefact(std::string_view text);

}  // namespace hushwalk
