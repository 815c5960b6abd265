// Artefacts, byte for byte; and what older versions stored. The first to store a document wins; everyone
// shows what is stored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/mechanism.h"
#include "ledger/state.h"

namespace hushwalk::ledger {

using Bytes = std::vector<std::byte>;

struct Document {
  std::string name;
  Bytes content;
};

std::string answer_document(const std::string& answer_key);
std::string artefact_document(const std::string& source_key);
std::string certificate_document_name(const std::string& plan_digest, std::uint64_t rankings,
                                      const CertificateContext& context);

class Documents {
 public:
  explicit Documents(State& state);

  bool has(const std::string& name);  // whether an entry says so
  // Calls `read` with the content, which is valid there only; false when no entry stored it. Damage when it
  // is not what was stored, or is no longer there: it must never be made a second time.
  bool read(const std::string& name, const std::function<void(std::span<const std::byte>)>& read);
  std::optional<Bytes> find(const std::string& name);
  // Within a writing transaction: those that are not there yet are stored, the others left alone.
  void store(const std::string& at, std::span<const Document> documents);

 private:
  State& state_;
  Statement find_, insert_;
};

// An answer as versions before 3 stored it: a head of 112 bytes, then the recipient's own neighbours where
// their noise differs (4 bytes each), then a score a node (8 bytes each).
struct StoredAnswer {
  std::string plan_digest;
  PrivateScores scores;
};
// Damage when it is not whole, or not the answer for a graph of so many nodes.
StoredAnswer decode(std::span<const std::byte> bytes, std::uint64_t nodes);
std::string plan_digest_of(std::span<const std::byte> bytes);  // reads the head only

}  // namespace hushwalk::ledger
