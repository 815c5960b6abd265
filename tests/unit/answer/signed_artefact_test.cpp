// An artefact under a signed certificate: no byte of it can be altered.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hushwalk/error.h"
#include "hushwalk/mechanism.h"
#include "hushwalk/signing.h"
#include "hushwalk/verify.h"
#include "hushwalk/version.h"
#include "support/graphs.h"
#include "support/sanitized.h"

namespace hushwalk {
namespace {

SharedArtefact made(const char* mechanism) {
  return SharedArtefact::make(testing::karate(),
                              {.mechanism = mechanism, .scope = Scope::edge, .epsilon = Epsilon(1)});
}

std::string text_of(const SharedArtefact& artefact) {
  const auto bytes = artefact.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(SignedArtefact, NoticesAFlippedBitInEveryByte) {
  const SigningKey key = SigningKey::make("us");
  for (const char* mechanism : {"shared", "circles"}) {
    std::string text = text_of(made(mechanism).signed_by(key, "0123456789abcdef0123456789abcdef"));
    const VerificationInput input{.public_key = key.public_key()};
    ASSERT_TRUE(verify_certificate(text, input).valid) << verify_certificate(text, input).reason;
    for (std::size_t i = 0; i < text.size(); i += testing::next_place) {
      text[i] = static_cast<char>(text[i] ^ (1 << i % 7));
      EXPECT_FALSE(verify_certificate(text, input).valid) << mechanism << ", byte " << i;
      text[i] = static_cast<char>(text[i] ^ (1 << i % 7));
    }
  }
}

// Without looking at its numbers: those of some mechanisms take long to compute again.
TEST(SharedArtefact, WithTheCertificateOfAnotherMechanismIsRefused) {
  const std::string text = text_of(made("shared"));
  const std::size_t line_end = text.find('\n');
  for (const char* mechanism : {"paper", "edgeflip", "none that there is"}) {
    auto header = nlohmann::ordered_json::parse(text.substr(0, line_end));
    header["certificate"]["mechanism"] = mechanism;
    const std::string forged = header.dump() + text.substr(line_end);
    try {
      SharedArtefact::parse(std::as_bytes(std::span(forged)), "it");
      ADD_FAILURE() << mechanism << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      EXPECT_EQ(std::string(error.what()), "'it' is damaged: its certificate is not that of an artefact");
    }
  }
}

TEST(SignedArtefact, HasTheSameNumbersAndAnswersAsBefore) {
  const SharedArtefact plain = made("shared");
  const SharedArtefact bound = plain.signed_by(SigningKey::make("us"), "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(plain, bound);
  const SharedArtefact read = SharedArtefact::parse(bound.bytes(), "it");
  EXPECT_EQ(read, plain);
  EXPECT_EQ(read.bytes(), bound.bytes());
  EXPECT_EQ(read.context().issuer, "us");
  EXPECT_TRUE(read.context() == bound.context());
  EXPECT_EQ(read.software_version(), version());
  EXPECT_TRUE(unsigned_context(read.context()) == plain.context());
}

TEST(SignedArtefact, ANameThatIsAddedLaterTakesTheSignatureAway) {
  const SharedArtefact named =
      made("shared").signed_by(SigningKey::make("us"), "0123456789abcdef0123456789abcdef").named_for("");
  const Verification found = verify_certificate(text_of(named));
  EXPECT_TRUE(found.valid) << found.reason;
  EXPECT_FALSE(found.signature || found.answer);
}

}  // namespace
}  // namespace hushwalk
