// Scores that another version made of the same released numbers may differ, and the answer says so.
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "plan/certificate.h"
#include "support/rewritten.h"

namespace hushwalk {
namespace {

using namespace testing;
using ledger::Json;

struct SaidAnew {
  bool of_scores, of_a_list;
};

SaidAnew said_anew(TestLedger& ledger, const LedgerRequest& request) {
  const LedgerCharge charge = ledger->charge(ledger.graph(), request);
  return {ledger->answers(charge, ledger.graph(), 0, 1).front().estimated_anew,
          ledger->rankings(charge, ledger.graph(), 0, 1, {}).front().estimated_anew};
}

void expect_said_anew(TestLedger& ledger, const LedgerRequest& request, bool anew) {
  const auto [of_scores, of_a_list] = said_anew(ledger, request);
  EXPECT_EQ(of_scores, anew);
  EXPECT_EQ(of_a_list, anew);
}

TEST(EstimatedAnew, IsSaidOfAnAnswerThatAnotherVersionEstimatedFirst) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  expect_said_anew(ledger, asked({0}, 0.5), false);
  ledger->impl().database.execute("UPDATE released SET software = '0.0.1'");
  expect_said_anew(ledger, asked({0}, 0.5), true);
}

// The artefact as another version would have stored it.
std::vector<std::byte> made_by(const std::string& version, std::span<const std::byte> artefact) {
  const std::string_view text(reinterpret_cast<const char*>(artefact.data()), artefact.size());
  const std::size_t end = text.find('\n');
  Json header = Json::parse(text.substr(0, end));
  Json& certificate = header.at("certificate");
  certificate["software_version"] = version;
  certificate.erase("digest");
  certificate["digest"] = digest_of(certificate);
  const std::string whole = header.dump() + std::string(text.substr(end));
  const auto bytes = std::as_bytes(std::span(whole));
  return {bytes.begin(), bytes.end()};
}

void store_as(const std::string& version, TestLedger& ledger) {
  Ledger::Impl& impl = ledger->impl();
  ledger::Statement stored(impl.database, "SELECT name, content FROM document");
  ASSERT_TRUE(stored.step());
  const std::string name(stored.text(0));
  const std::vector<std::byte> bytes = made_by(version, stored.blob(1));
  stored.reset();
  const std::int64_t sequence = impl.state.stored(name)->sequence;
  rewrite(ledger, sequence, [&](Json& body) { body["sha256"] = sha256_hex(bytes); });
  ledger::Statement(impl.database, "UPDATE document SET content = ?1 WHERE name = ?2")
      .bind(std::span<const std::byte>(bytes), name)
      .run();
}

TEST(EstimatedAnew, IsSaidOfAnAnswerFromAnArtefactThatAnotherVersionMade) {
  for (const char* mechanism : {"shared", "circles"}) {
    TestLedger ledger;
    LedgerRequest request = asked({0}, 0.5);
    request.release.mechanism = mechanism;
    ledger.release(request);
    expect_said_anew(ledger, request, false);
    store_as("0.0.1", ledger);
    expect_said_anew(ledger, request, true);
    EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
  }
}

}  // namespace
}  // namespace hushwalk
