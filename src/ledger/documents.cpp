#include "ledger/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/checksum.h"
#include "base/fail.h"
#include "base/sha256.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

// The first bytes of a stored answer.
struct Head {
  std::array<char, 8> format;
  std::array<char, 64> plan_digest;
  std::uint64_t near, scores;
  double near_error, far_error;  // not a number: none
  std::uint64_t checksum;        // of all that follows, and of the head without it
};
static_assert(sizeof(Head) == 112);
constexpr std::array<char, 8> answer_format = {'h', 'w', ' ', 'a', 'n', 's', ' ', '1'};

std::uint64_t checksum_of(Head head, std::span<const std::byte> body) {
  head.checksum = 0;
  return checksum(body, checksum(std::as_bytes(std::span(&head, 1))));
}

std::optional<double> unless_nan(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

template <class T>
std::vector<T> numbers(std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(T);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0)  // then nothing is set to zero first
    return {reinterpret_cast<const T*>(bytes.data()), reinterpret_cast<const T*>(bytes.data()) + count};
  std::vector<T> result(count);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

std::string answer_document(const std::string& answer_key) { return "answer " + answer_key; }
std::string artefact_document(const std::string& source_key) { return "artefact " + source_key; }
std::string certificate_document_name(const std::string& plan_digest, std::uint64_t rankings,
                                      const CertificateContext& context) {
  return fmt::format("certificate {} {}{}{}", plan_digest, rankings,
                     context.public_candidates ? " candidates" : "",
                     context.audience.empty() ? "" : " for " + context.audience);
}

Documents::Documents(State& state)
    : state_(state),
      find_(state.database(), "SELECT content FROM document WHERE name = ?1"),
      insert_(state.database(), "INSERT INTO document VALUES(?1, ?2)") {}

bool Documents::has(const std::string& name) { return state_.stored(name) != nullptr; }

bool Documents::read(const std::string& name, const std::function<void(std::span<const std::byte>)>& read) {
  const EntryPointer entry = state_.stored(name);
  if (!entry) return false;
  if (entry->sequence <= state_.forgotten())
    refuse(
        for_custodian("what was released ({}) was forgotten, and is not made again on the old charge", name),
        "this is not answered any more");
  const Reading reading(find_.bind(name));
  if (!find_.step()) fail_damaged("what was released ({}) is gone", name);
  if (sha256_hex(find_.blob(0)) != entry->body.at("sha256").get<std::string>())
    fail_damaged("what was released ({}) was altered", name);
  read(find_.blob(0));
  return true;
}

std::optional<Bytes> Documents::find(const std::string& name) {
  std::optional<Bytes> result;
  read(name, [&](std::span<const std::byte> content) { result.emplace(content.begin(), content.end()); });
  return result;
}

void Documents::store(const std::string& at, std::span<const Document> documents) {
  for (const auto& [name, content] : documents) {
    if (has(name)) continue;
    state_.append(at, kind_store, {{"document", name}, {"sha256", sha256_hex(content)}});
    insert_.bind(name, std::span<const std::byte>(content)).run();
    if (name.starts_with("artefact ")) state_.count({0, 1, 0});
  }
}

namespace {

Head head_of(std::span<const std::byte> bytes) {
  Head head;
  if (bytes.size() < sizeof head) fail_damaged("a stored answer is cut off");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.format != answer_format) fail_damaged("a stored answer is not one, or of a newer version");
  return head;
}

}  // namespace

StoredAnswer decode(std::span<const std::byte> bytes, std::uint64_t nodes) {
  const Head head = head_of(bytes);
  const auto body = bytes.subspan(sizeof head);
  if (head.scores != nodes || head.near > nodes)
    fail_damaged("a stored answer has {} scores, and the graph {} nodes", head.scores, nodes);
  if (head.near * sizeof(Node) + head.scores * sizeof(double) != body.size() ||
      checksum_of(head, body) != head.checksum)
    fail_damaged("a stored answer is not whole");
  StoredAnswer answer{{head.plan_digest.begin(), head.plan_digest.end()}, {}};
  answer.scores.near = numbers<Node>(body.first(head.near * sizeof(Node)));
  answer.scores.scores = numbers<double>(body.subspan(head.near * sizeof(Node)));
  for (const Node node : answer.scores.near)
    if (node >= nodes) fail_damaged("a stored answer names a node that the graph does not have");
  answer.scores.near_error = unless_nan(head.near_error);
  answer.scores.far_error = unless_nan(head.far_error);
  return answer;
}

std::string plan_digest_of(std::span<const std::byte> bytes) {
  const Head head = head_of(bytes);
  return {head.plan_digest.begin(), head.plan_digest.end()};
}

}  // namespace hushwalk::ledger
