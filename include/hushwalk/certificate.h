// What a release promises, as a document that anyone can check again. Fields: docs/certificate.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/plan.h"

namespace hushwalk {

// The audience of what was published. No recipient can have this name: it begins with a blank.
inline constexpr const char* everybody = " everybody";

// What a certificate says beside its plan.
struct CertificateContext {
  bool public_candidates = false;  // only nodes of a list that is taken as public are shown
  bool released = true;            // false: only a plan, nothing was given out
  // The id of the one noisy artefact behind the answers. Empty: each answer has its own noise, or it is not
  // known, and the certificate speaks of the answers of one command.
  std::string artefact = {};
  std::string ledger = {};    // the id of the ledger that charged the release; empty: nobody keeps count
  std::string audience = {};  // in edge scope: the recipient that a ledger charged, or everybody
  friend bool operator==(const CertificateContext&, const CertificateContext&) = default;
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

// Both, for one release.
struct IssuedCertificate {
  std::string json, text;
};
IssuedCertificate issue(const Plan& plan, const CertificateContext& context);

struct Verification {
  bool valid = false;
  std::string reason;  // what does not hold; or what was checked
};

// Recomputes everything in a certificate from its parameters. The text is a certificate, any JSON document
// that holds one under "certificate", or a whole shared artefact, whose numbers are then checked too. It may
// be hostile: size, depth and work are bounded, and the reason has no control characters. Values are
// compared, never bytes. The digest detects alteration; it does not say who made the certificate.
Verification verify_certificate(std::string_view text);
// Error{failed} when the file cannot be read.
Verification verify_certificate_file(const std::filesystem::path& path);

}  // namespace hushwalk
