// What a release promises, as a document that anyone can check again. Fields: docs/certificate.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/mechanism.h"

namespace hushwalk {

// The audience of what was published. No recipient can have this name: it begins with a blank.
inline constexpr const char* everybody = " everybody";

struct CertificateContext {
  bool public_candidates = false;  // only nodes of a list that is taken as public are shown
  bool released = true;            // false: only a plan, nothing was given out
  std::string audience = {};       // in edge scope: the recipient that a ledger charged, or everybody
};

// JSON objects, indented by two. The certificate ends with a digest over all its other fields.
std::string plan_json(const Plan& plan);
std::string certificate_json(const Plan& plan, const CertificateContext& context = {});

// The same promise for people: what is protected, from whom, how well, by which theorem. In sentences, each
// with its name ("Protected", "Privacy", …); and as one text.
struct CertificateSentence {
  std::string name, text;
};
std::vector<CertificateSentence> certificate_sentences(const Plan& plan,
                                                       const CertificateContext& context = {});
std::string certificate_text(const Plan& plan, const CertificateContext& context = {});

struct Verification {
  bool valid = false;
  std::string reason;  // what does not hold; or what was checked
};

// Recomputes everything in a certificate from its parameters. The text is a certificate, any JSON document
// that holds one under "certificate", or the first line of a shared artefact. Values are compared, never
// bytes. The digest detects alteration; it does not say who made the certificate.
Verification verify_certificate(std::string_view text);
// Error{failed} when the file cannot be read.
Verification verify_certificate_file(const std::filesystem::path& path);

}  // namespace hushwalk
