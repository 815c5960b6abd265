// What a release promises, as a document that anyone can check again. Fields: docs/certificate.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hushwalk/plan.h"

namespace hushwalk {

class SigningKey;

// The audience of what was published. No recipient can have this name: it begins with a blank.
inline constexpr const char* everybody = " everybody";

// What a ledger promises for all that it charges: for one edge, over all snapshots of the graph.
struct LedgerPromise {
  std::optional<double> epsilon;     // in all; none: there is no such limit
  std::optional<double> delta;       // of the limit in all, and of each period
  std::optional<double> per_period;  // none: there are no periods
  int days = 0;                      // of a period; 0: a month
  bool carry = false;                // what a period leaves is added to the next
  friend bool operator==(const LedgerPromise&, const LedgerPromise&) = default;
};
std::string promise_words(const LedgerPromise& promise);

// Which entry of a ledger charged the release, the last of them where there are several.
struct ChargedEntry {
  std::int64_t entry = 0;
  std::string head, at;  // its hash, and its time
  friend bool operator==(const ChargedEntry&, const ChargedEntry&) = default;
};

// What the certificate is the certificate of: a salted SHA-256 of each ranking as it is shown. Plain hashes
// would let whoever has the certificate alone test guesses of an answer with little noise.
struct ShownAnswer {
  std::string
      encoding;  // "json": of the values of each ranking, with its salt; "csv", "artefact": of the whole file
  std::vector<std::string> sha256;  // in hex digits
  friend bool operator==(const ShownAnswer&, const ShownAnswer&) = default;
};
// Of a CSV file, as its salt in hex digits, a line feed, and the file. For one thread; hex() ends it.
class ShownCsvHash {
 public:
  explicit ShownCsvHash(const std::string& salt);
  ~ShownCsvHash();
  void add(std::string_view text);
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What a certificate says beside its plan.
struct CertificateContext {
  bool public_candidates = false;  // only nodes of a list that is taken as public are shown
  bool released = true;            // false: only a plan, nothing was given out
  // The id of the one noisy artefact behind the answers. Empty: each answer has its own noise, or it is not
  // known, and the certificate speaks of the answers of one command.
  std::string artefact = {};
  std::string ledger = {};    // the id of the ledger that charged the release; empty: nobody keeps count
  std::string audience = {};  // in edge scope: the recipient that a ledger charged, or everybody
  std::optional<LedgerPromise> budget = {};
  std::optional<ChargedEntry> charged = {};
  std::optional<ShownAnswer> shown = {};
  std::string issuer = {}, public_key = {};  // of whoever signs; see SigningKey
  friend bool operator==(const CertificateContext&, const CertificateContext&) = default;
};

// Without what binds a certificate to one document.
CertificateContext unsigned_context(CertificateContext context);

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

// One certificate in each of its forms.
struct IssuedCertificate {
  std::string json, text;
  std::string summary;    // three lines: what is protected, how well, for whom
  std::string line = {};  // the JSON in one line; empty where an older version issued it
};
// With a key it is signed, in the name of the key's issuer.
IssuedCertificate issue(const Plan& plan, CertificateContext context, const SigningKey* key = nullptr);

struct Verification {
  bool valid = false;
  std::string reason;  // what does not hold; or what was checked
  // What of it was checked and holds.
  bool promise = false;          // follows from the parameters
  bool answer = false;           // the answer at hand is the one that was certified
  bool signature = false;        // whoever has the key signed it
  bool issuer = false;           // and the key is the one that was given
  bool words = false;            // its sentences are those of this version; of another one's nothing is known
  std::string certificate = {};  // what was checked, as JSON
  std::string ledger = {};       // the id of the ledger that charged it; empty: none did
};
// What no verification can tell.
inline constexpr const char* never_checked =
    "that the custodian ran this program on this graph, kept the key secret and gave out nothing else";

}  // namespace hushwalk
