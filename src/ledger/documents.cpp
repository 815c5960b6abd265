#define XXH_INLINE_ALL
#include "ledger/documents.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

#include "base/fail.h"
#include "base/sha256.h"

namespace hushwalk::ledger {
namespace {

constexpr int answer_format = 1;

std::string checksum(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }
std::optional<double> optional_number(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

template <class T>
std::vector<T> numbers(std::span<const std::byte> bytes) {
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

void append(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

std::string answer_document(const std::string& answer_key) { return "answer " + answer_key; }
std::string artefact_document(const std::string& source_key) { return "artefact " + source_key; }
std::string certificate_document_name(const std::string& plan_digest, std::uint64_t rankings,
                                      bool candidates) {
  return fmt::format("certificate {} {}{}", plan_digest, rankings, candidates ? " candidates" : "");
}

Documents::Documents(State& state)
    : state_(state),
      has_(state.database(), "SELECT 1 FROM document WHERE name = ?1"),
      find_(state.database(), "SELECT content FROM document WHERE name = ?1"),
      find_entry_(state.database(),
                  "SELECT content, body FROM document JOIN entry ON sequence = entry WHERE name = ?1"),
      insert_(state.database(), "INSERT INTO document VALUES(?1, ?2, ?3)") {}

bool Documents::has(const std::string& name) {
  const bool found = has_.bind(name).step();
  has_.reset();
  return found;
}

std::optional<Bytes> Documents::find(const std::string& name) {
  const Reading reading(find_entry_.bind(name));
  if (!find_entry_.step()) return std::nullopt;
  const auto content = find_entry_.blob(0);
  if (parsed(find_entry_.text(1)).value("sha256", "") != sha256_hex(content)) fail_damaged();
  return Bytes(content.begin(), content.end());
}

void Documents::store(const std::string& at, std::span<const Document> documents) {
  for (const auto& [name, content] : documents) {
    if (has(name)) continue;
    state_.append(at, kind_store, {{"document", name}, {"sha256", sha256_hex(content)}});
    insert_.bind(name, std::span<const std::byte>(content), state_.last().sequence).run();
  }
}

Bytes encode(const StoredAnswer& answer) {
  Bytes body;
  append(body, std::as_bytes(std::span(answer.scores.near)));
  append(body, std::as_bytes(std::span(answer.scores.scores)));
  const Json head = {{"format", answer_format},
                     {"plan_digest", answer.plan_digest},
                     {"near", answer.scores.near.size()},
                     {"scores", answer.scores.scores.size()},
                     {"near_error", optional_json(answer.scores.near_error)},
                     {"far_error", optional_json(answer.scores.far_error)},
                     {"checksum", checksum(body)}};
  const std::string line = head.dump() + "\n";
  Bytes bytes;
  bytes.reserve(line.size() + body.size());
  append(bytes, std::as_bytes(std::span(line)));
  append(bytes, body);
  return bytes;
}

namespace {

// The first line, and what follows it.
std::pair<Json, std::span<const std::byte>> split(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  Json head = Json::parse(text.substr(0, line_end));
  if (head.at("format").get<int>() != answer_format)
    fail("a stored answer has format {}, and this version reads {}", head.at("format").get<int>(),
         answer_format);
  return {std::move(head), bytes.subspan(std::min(line_end + 1, bytes.size()))};
}

}  // namespace

StoredAnswer decode(std::span<const std::byte> bytes) {
  try {
    const auto [head, body] = split(bytes);
    StoredAnswer answer{head.at("plan_digest"), {}};
    const std::size_t near = head.at("near"), count = head.at("scores"), near_bytes = near * sizeof(Node);
    if (near > body.size() || count > body.size() || near_bytes + count * sizeof(double) != body.size() ||
        checksum(body) != head.at("checksum").get<std::string>())
      fail_damaged();
    answer.scores.near = numbers<Node>(body.first(near_bytes));
    answer.scores.scores = numbers<double>(body.subspan(near_bytes));
    answer.scores.near_error = optional_number(head.at("near_error"));
    answer.scores.far_error = optional_number(head.at("far_error"));
    return answer;
  } catch (const nlohmann::json::exception&) {
    fail_damaged();
  }
}

std::string plan_digest_of(std::span<const std::byte> bytes) {
  try {
    return split(bytes).first.at("plan_digest");
  } catch (const nlohmann::json::exception&) {
    fail_damaged();
  }
}

}  // namespace hushwalk::ledger
