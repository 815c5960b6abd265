#include "noise/release_key.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ostream>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "hushwalk/error.h"
#include "noise/keyed_noise.h"
#include "support/error_of.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;
using testing::seeded_key;

static_assert(!std::is_copy_constructible_v<ReleaseKey> && !std::is_copy_assignable_v<ReleaseKey>);
template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(!Printable<ReleaseKey>);

std::string text(const ReleaseKey& key) {
  return {reinterpret_cast<const char*>(key.secret_bytes().data()), ReleaseKey::size};
}

// What a forked child says.
std::string error_in_child(const auto& action) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const std::string said = testing::error_of(action);
    _exit(write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::array<char, 1000> said{};
  const ssize_t length = read(ends[0], said.data(), said.size());
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return {said.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

TEST(ReleaseKey, IsAnotherOneEveryTime) {
  std::set<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.insert(text(ReleaseKey::fresh()));
  EXPECT_EQ(keys.size(), 100U);
}

// RFC 5869 with 16 bytes of label and three numbers, computed by Python's hmac.
TEST(ReleaseKey, DerivesByHkdf) {
  constexpr std::array<unsigned char, 32> expected = {
      0x03, 0x17, 0x71, 0xa2, 0xf5, 0xfa, 0x61, 0xd2, 0xb7, 0x77, 0x35, 0xba, 0xe2, 0x33, 0xc6, 0xed,
      0xdb, 0xe6, 0xdf, 0x9d, 0x5b, 0xd2, 0xb8, 0x51, 0x5f, 0x4d, 0xfc, 0xa0, 0xf5, 0x92, 0xd1, 0x0c};
  const ReleaseKey derived = seeded_key(7).derive("noise 1", {2, 3, 0x0102030405060708});
  EXPECT_EQ(std::memcmp(derived.secret_bytes().data(), expected.data(), expected.size()), 0);
}

TEST(ReleaseKey, DerivesAnotherKeyForEveryLabelAndNumber) {
  const ReleaseKey key = seeded_key(1);
  std::set<std::string> keys = {text(key)};
  for (const char* label : {"answer 1", "noise 1", "noise 11"})
    for (std::uint64_t a = 0; a < 5; ++a)
      for (std::uint64_t b = 0; b < 5; ++b)
        for (std::uint64_t c = 0; c < 5; ++c) keys.insert(text(key.derive(label, {a, b, c << 8})));
  EXPECT_EQ(keys.size(), 1U + 3 * 125);
  EXPECT_THROW(key.derive("a label that is too long", {}), Error);
}

TEST(ReleaseKey, IsRefusedInAForkedChild) {
  const ReleaseKey key = ReleaseKey::fresh();
  EXPECT_THAT(error_in_child([&] { key.derive("noise 1", {}); }), HasSubstr("forked"));
  EXPECT_THAT(error_in_child([&] { key.secret_bytes(); }), HasSubstr("forked"));
  EXPECT_EQ(testing::error_of([&] { key.derive("noise 1", {}); }), "no error");
  EXPECT_EQ(error_in_child([] { ReleaseKey::fresh().derive("noise 1", {}); }), "no error");
}

TEST(ReleaseKey, IsGoneOnceItHasBeenMoved) {
  ReleaseKey key = seeded_key(1), other = std::move(key);
  EXPECT_THAT(testing::error_of([&] { key.secret_bytes(); }), HasSubstr("moved"));
  EXPECT_EQ(text(other), text(seeded_key(1)));
}

TEST(KeyedNoise, IsRefusedInAForkedChild) {
  KeyedNoise noise(ReleaseKey::fresh());
  const auto piece = noise.piece({NoiseKind::artefact, 0, 0});
  std::vector<std::uint64_t> words(10);
  const OwnBlock block{0, 0};
  EXPECT_THAT(error_in_child([&] { noise.answer(0); }), HasSubstr("forked"));
  EXPECT_THAT(error_in_child([&] { noise.piece({NoiseKind::artefact, 1, 0}); }), HasSubstr("forked"));
  EXPECT_THAT(error_in_child([&] { piece->primary(0, 10, words); }), HasSubstr("forked"));
  EXPECT_THAT(error_in_child([&] { piece->own({&block, 1}, std::span(words).first(2)); }),
              HasSubstr("forked"));
  EXPECT_EQ(testing::error_of([&] { piece->primary(0, 10, words); }), "no error");
}

}  // namespace
}  // namespace hushwalk
