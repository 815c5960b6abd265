// Certificates that are bound to their answers, and signed.
#include <gtest/gtest.h>

#include <set>

#include "base/parallel.h"
#include "hushwalk/answer.h"
#include "hushwalk/codec.h"
#include "hushwalk/signing.h"
#include "hushwalk/verify.h"
#include "plan/certificate.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/ledgers.h"
#include "support/sanitized.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using namespace testing;

using MakeWriter = std::unique_ptr<RankingWriter> (*)(RankingHead);

struct Shown {
  std::string text, certificate, salt;
};

Shown shown(const Graph& graph, AnswerRequest request, MakeWriter make, const SigningKey* key) {
  AnswerSource answers = ask(graph, std::move(request));
  const auto writer = make({graph.node_list(), true});
  Shown result{writer->begin(), "", ""};
  answers.each([&](const Ranking& ranking) {
    if (result.salt.empty()) result.salt = make == csv_ranking_writer ? ranking.salt_of_file() : ranking.salt;
    result.text += writer->ranking(ranking);
  });
  const auto certificate = answers.certificate(writer->shown(), key);
  result.text += writer->end(certificate);
  result.certificate = certificate->json;
  return result;
}

AnswerRequest asked_of(std::vector<SeedVector> seeds) {
  return {.seeds = std::move(seeds), .release = {.epsilon = Epsilon(1)}, .top = 2};
}

const SigningKey& signing_key() {
  static const SigningKey key = SigningKey::make("Friends, Inc.");
  return key;
}

TEST(BoundAnswer, SaysWhatWasChecked) {
  const Shown plain = shown(karate(), asked_of({Node{0}, Node{1}}), json_ranking_writer, nullptr),
              bound = shown(karate(), asked_of({Node{0}, Node{1}}), json_ranking_writer, &signing_key());
  const Verification unsigned_one = verify_certificate(plain.text);
  EXPECT_TRUE(unsigned_one.valid && unsigned_one.promise && unsigned_one.answer) << unsigned_one.reason;
  EXPECT_FALSE(unsigned_one.signature);
  EXPECT_NE(unsigned_one.reason.find("not signed"), std::string::npos);
  const Verification alone = verify_certificate(bound.text),
                     by_key = verify_certificate(bound.text, {.public_key = signing_key().public_key()});
  EXPECT_TRUE(alone.valid && alone.answer && alone.signature && !alone.issuer) << alone.reason;
  EXPECT_TRUE(by_key.valid && by_key.issuer) << by_key.reason;
  EXPECT_NE(by_key.reason.find("Friends, Inc."), std::string::npos);
  const std::string other = SigningKey::make("Eve").public_key();
  EXPECT_FALSE(verify_certificate(bound.text, {.public_key = other}).valid);
  EXPECT_FALSE(verify_certificate(plain.text, {.public_key = other}).valid);
}

// Every bit, to the last byte. Only the layout may differ unnoticed: a capital E in a number is the same
// number, and documents are compared by their values.
TEST(BoundAnswer, EveryBitOfASignedOneThatIsFlippedIsNoticed) {
  const Shown bound = shown(karate(), asked_of({Node{0}}), json_ranking_writer, &signing_key());
  const VerificationInput input{.public_key = signing_key().public_key()};
  ASSERT_TRUE(verify_certificate(bound.text, input).valid);
  const Json values = Json::parse(bound.text);
  parallel_for(bound.text.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at += testing::next_place)
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::string flipped = bound.text;
        flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
        if (!verify_certificate(flipped, input).valid) continue;
        EXPECT_TRUE(bound.text[at] == 'e' && flipped[at] == 'E') << at << ": " << flipped.substr(at, 20);
        EXPECT_EQ(Json::parse(flipped), values);
      }
  });
}

// Exact scores under a genuine certificate.
TEST(BoundAnswer, AnotherAnswerUnderAGenuineCertificateIsNoticed) {
  const Shown one = shown(karate(), asked_of({Node{0}}), json_ranking_writer, &signing_key()),
              two = shown(karate(), asked_of({Node{0}}), json_ranking_writer, &signing_key());
  Json mixed = Json::parse(one.text);
  mixed["rankings"] = Json::parse(two.text)["rankings"];
  EXPECT_FALSE(verify_certificate(mixed.dump()).valid);
  Json more = Json::parse(one.text);
  more["note"] = "exact";
  EXPECT_FALSE(verify_certificate(more.dump()).valid);
  EXPECT_TRUE(verify_certificate(Json::parse(one.text).dump(4)).valid);  // another layout is the same answer
}

TEST(BoundAnswer, ASignatureOfSomebodyElseOverTheSameCertificateIsNoticed) {
  const Shown bound = shown(karate(), asked_of({Node{0}}), json_ranking_writer, &signing_key());
  Json forged = Json::parse(bound.text);
  const SigningKey eve = SigningKey::make("Friends, Inc.");
  Json& certificate = forged["certificate"];
  certificate["public_key"] = eve.public_key();
  for (const char* key : {"digest", "signature"}) certificate.erase(key);
  certificate["digest"] = digest_of(certificate);
  certificate["signature"] = eve.sign(signed_message(certificate["digest"]));
  EXPECT_TRUE(verify_certificate(forged.dump()).valid);  // it is whole; only the key is not the issuer's
  EXPECT_FALSE(verify_certificate(forged.dump(), {.public_key = signing_key().public_key()}).valid);
  certificate.erase("signature");
  EXPECT_FALSE(verify_certificate(forged.dump()).valid);  // an issuer, and no signature
}

TEST(BoundAnswer, ACsvFileIsFoundWithItsCertificateWhicheverIsNamed) {
  const TemporaryFolder folder;
  const Shown bound = shown(karate(), asked_of({Node{0}, Node{1}}), csv_ranking_writer, &signing_key());
  const auto csv = folder / "a.csv";
  write_all(csv, bound.text);
  write_all(certificate_beside(csv), bound.certificate);
  for (const auto& path : {csv, certificate_beside(csv)}) {
    const Verification without_salt = verify_certificate_file(path);
    EXPECT_FALSE(without_salt.valid) << "whoever alters the file would take its salt away";
  }
  write_all(salt_beside(csv), bound.salt + "\n");
  for (const auto& path : {csv, certificate_beside(csv)}) EXPECT_TRUE(verify_certificate_file(path).answer);
  for (std::size_t at = 0; at < bound.text.size(); ++at) {
    std::string flipped = bound.text;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_all(csv, flipped);
    EXPECT_FALSE(verify_certificate_file(csv).valid) << at;
  }
}

TEST(BoundAnswer, UnderALedgerIsTheSameAgainAndNamesItsEntry) {
  const Graph graph = karate();
  TestLedger made({}, graph);
  AnswerRequest request = asked_of({Node{0}});
  request.audience.ledger = std::make_shared<Ledger>(made.path());
  const Shown first = shown(graph, request, json_ranking_writer, &signing_key()),
              again = shown(graph, request, json_ranking_writer, &signing_key());
  EXPECT_EQ(first.text, again.text);
  const Json certificate = Json::parse(first.certificate);
  EXPECT_EQ(certificate.at("charged").at("head").get<std::string>().size(), 64U);
  EXPECT_EQ(certificate.at("budget").at("epsilon"), 1);
  EXPECT_TRUE(verify_certificate(first.text).answer) << verify_certificate(first.text).reason;
  EXPECT_EQ(first.certificate.find(first.salt), std::string::npos);  // it tests no guesses
}

// Each recipient of a ranking knows its salt; with that of a file they could test guesses of the others'.
TEST(BoundAnswer, ATableUnderALedgerHasASaltOfItsOwn) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(9)}, graph);
  const auto salt = [&](const std::vector<SeedVector>& seeds, MakeWriter make) {
    AnswerRequest request = asked_of(seeds);
    request.audience.ledger = std::make_shared<Ledger>(made.path());
    return shown(graph, request, make, nullptr).salt;
  };
  const std::string both = salt({Node{0}, Node{1}}, csv_ranking_writer);
  EXPECT_EQ(both.size(), 32U);
  std::set<std::string> others = {salt({Node{0}}, csv_ranking_writer), salt({Node{1}}, csv_ranking_writer),
                                  salt({Node{1}, Node{0}}, csv_ranking_writer)};
  for (const Node seed : {Node{0}, Node{1}}) others.insert(salt({seed}, json_ranking_writer));
  EXPECT_EQ(others.size(), 5U);
  EXPECT_FALSE(others.contains(both));
  EXPECT_EQ(salt({Node{0}, Node{1}}, csv_ranking_writer), both);
}

TEST(SigningKeys, AreForTheirOwnerAndNeverReplaced) {
  const TemporaryFolder folder;
  signing_key().save(folder / "k");
  const SigningKey opened = SigningKey::open(folder / "k");
  EXPECT_EQ(opened.issuer(), "Friends, Inc.");
  EXPECT_EQ(opened.public_key(), signing_key().public_key());
  EXPECT_TRUE(signed_by(opened.public_key(), "a", signing_key().sign("a")));
  EXPECT_FALSE(signed_by(opened.public_key(), "b", signing_key().sign("a")));
  EXPECT_EQ(error_of([&] { signing_key().save(folder / "k"); }), ErrorCode::failed);
  std::filesystem::permissions(folder / "k", std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(error_of([&] { SigningKey::open(folder / "k"); }), ErrorCode::failed);
  EXPECT_EQ(error_of([&] { SigningKey::make("\n"); }), ErrorCode::usage);
}

}  // namespace
}  // namespace hushwalk
