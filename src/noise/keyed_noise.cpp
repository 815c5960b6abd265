#include "noise/keyed_noise.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/fail.h"

namespace hushwalk {
namespace {

constexpr const char* noise_label = "noise 1";
constexpr const char* answer_label = "answer 1";

constexpr std::uint64_t most_primary_blocks = std::uint64_t{1} << 17;  // of a piece

static_assert(std::endian::native == std::endian::little,
              "words are read from the cipher's bytes, lowest byte first");

// Two numbers, each with its highest byte first. Primary words count from 0 under a high half of 0; the own
// stream of node v under a high half of 1 + v.
using CounterBlock = std::array<std::uint64_t, words_per_block>;
CounterBlock counter_block(std::uint64_t high, std::uint64_t low) {
  return {__builtin_bswap64(high), __builtin_bswap64(low)};
}

const unsigned char* bytes_of(const CounterBlock& block) {
  return reinterpret_cast<const unsigned char*>(block.data());
}

// Numbers of which none is taken twice, kept as ranges.
class Taken {
 public:
  // All from first to last, or none and false.
  bool take(std::uint64_t first, std::uint64_t last) {
    auto next = ranges_.lower_bound(first);
    if (next != ranges_.end() && next->first <= last) return false;
    if (next != ranges_.begin() && std::prev(next)->second >= first) return false;
    if (next != ranges_.end() && next->first == last + 1) {
      last = next->second;
      next = ranges_.erase(next);
    }
    if (next != ranges_.begin() && std::prev(next)->second + 1 == first)
      std::prev(next)->second = last;
    else
      ranges_.emplace_hint(next, first, last);
    return true;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // from first to last; neighbours are one
};

using Cipher = std::shared_ptr<EVP_CIPHER>;
Cipher fetch(const char* name) {
  Cipher cipher(EVP_CIPHER_fetch(nullptr, name, nullptr), EVP_CIPHER_free);
  if (!cipher) fail("OpenSSL has no {}: no noise is drawn", name);
  return cipher;
}

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;  // wiped when it is freed
Context start(const Cipher& cipher, ReleaseKey::Bytes key) {
  Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  if (!context ||
      EVP_EncryptInit_ex2(context.get(), cipher.get(), reinterpret_cast<const unsigned char*>(key.data()),
                          bytes_of(counter_block(0, 0)), nullptr) != 1 ||
      EVP_CIPHER_CTX_set_padding(context.get(), 0) != 1)
    fail("OpenSSL refuses a key for AES-256: no noise is drawn");
  return context;
}

void encrypt(const Context& context, const void* from, std::span<std::uint64_t> words) {
  const int length = static_cast<int>(words.size_bytes());
  int written = 0;
  if (EVP_EncryptUpdate(context.get(), reinterpret_cast<unsigned char*>(words.data()), &written,
                        static_cast<const unsigned char*>(from), length) != 1 ||
      written != length)
    fail("OpenSSL fails to encrypt: no noise is drawn");
}

// Counter mode adds its words to a text, here zeros: few of them again and again, which stay in the first
// cache.
void encrypt_zeros(const Context& context, std::span<std::uint64_t> words) {
  static constexpr std::array<std::uint64_t, 1024> zeros{};
  while (!words.empty()) {
    const std::size_t count = std::min(words.size(), zeros.size());
    encrypt(context, zeros.data(), words.first(count));
    words = words.subspan(count);
  }
}

}  // namespace

struct KeyedNoise::Ciphers {
  Cipher counter = fetch("AES-256-CTR"), single = fetch("AES-256-ECB");
};

// Remembers which noise has been drawn, and fails when it is asked for again. Threads may share one.
class KeyedNoise::Drawn {
 public:
  void answer(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    if (!answers_.take(number, number))
      fail("the noise of answer {} was asked for twice: no noise is drawn", number);
  }

  // Groups lie one after the other, so that all of a kind and step must have as many words.
  void groups(const PieceAddress& address, std::uint64_t first, std::uint64_t count, std::size_t per_group) {
    const std::scoped_lock lock(mutex_);
    auto& [words, taken] =
        groups_.try_emplace({address.kind, address.step}, per_group, Taken()).first->second;
    if (words != per_group)
      fail(
          "noise of kind {}, step {} was asked for with {} words a group and then with {}: no noise is drawn",
          static_cast<std::uint64_t>(address.kind), address.step, words, per_group);
    const std::uint64_t begin = address.piece * groups_per_piece + first, last = begin + count - 1;
    if (!taken.take(begin, last))
      fail("noise of kind {}, step {} was asked for twice (groups {} to {}): no noise is drawn",
           static_cast<std::uint64_t>(address.kind), address.step, begin, last);
  }

 private:
  std::mutex mutex_;
  Taken answers_;
  std::map<std::pair<NoiseKind, std::uint64_t>, std::pair<std::size_t, Taken>> groups_;
};

class KeyedNoise::Piece final : public PieceWords {
 public:
  Piece(const PieceAddress& address, const ReleaseKey& key, const Ciphers& ciphers,
        std::shared_ptr<Drawn> drawn)
      : address_(address),
        generation_(watched_fork_generation()),
        drawn_(std::move(drawn)),
        counter_(start(ciphers.counter, key.secret_bytes())),
        single_(start(ciphers.single, key.secret_bytes())) {}

  void primary(std::uint64_t first, std::size_t per_group, std::span<std::uint64_t> words) override {
    const std::uint64_t count = words.size() / per_group, blocks = per_group / words_per_block;
    if (per_group % words_per_block != 0 || words.size() != count * per_group || count == 0 ||
        first >= groups_per_piece || count > groups_per_piece - first ||
        groups_per_piece * blocks > most_primary_blocks)
      fail("{} words a group from group {} are more than one key serves: no noise is drawn", per_group,
           first);
    refuse_after_fork(generation_);
    drawn_->groups(address_, first, count, per_group);
    go_to(first * blocks);
    next_block_ = unknown;  // should the cipher fail
    encrypt_zeros(counter_, words);
    next_block_ = (first + count) * blocks;
  }

  void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
    refuse_after_fork(generation_);
    if (words.size() != words_per_block * blocks.size())
      fail("two words for each block, no more and no less");
    auto out = words.begin();
    for (const OwnBlock& block : blocks) {
      if (block.node >= nodes_per_piece || block.block >= own_blocks)
        fail("node {} of a piece asks for more words than one key serves: no noise is drawn", block.node);
      out = std::ranges::copy(counter_block(1 + block.node, block.block), out).out;
    }
    encrypt(single_, words.data(), words);
  }

 private:
  // Groups are mostly drawn one after the other, and the cipher counts by itself.
  void go_to(std::uint64_t block) {
    if (block == next_block_) return;
    if (EVP_EncryptInit_ex2(counter_.get(), nullptr, nullptr, bytes_of(counter_block(0, block)), nullptr) !=
        1)
      fail("OpenSSL refuses a counter for AES-256: no noise is drawn");
  }

  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  PieceAddress address_;
  std::uint64_t generation_;
  std::shared_ptr<Drawn> drawn_;
  Context counter_, single_;
  std::uint64_t next_block_ = 0;
};

KeyedNoise::KeyedNoise(ReleaseKey key) : KeyedNoise(std::move(key), std::make_shared<Ciphers>()) {}

KeyedNoise::KeyedNoise(ReleaseKey key, std::shared_ptr<const Ciphers> ciphers)
    : key_(std::move(key)), ciphers_(std::move(ciphers)), drawn_(std::make_shared<Drawn>()) {}

KeyedNoise::~KeyedNoise() = default;

std::unique_ptr<NoiseSource> KeyedNoise::answer(std::uint64_t number) {
  drawn_->answer(number);
  return std::unique_ptr<NoiseSource>(new KeyedNoise(key_.derive(answer_label, {number, 0, 0}), ciphers_));
}

std::unique_ptr<PieceWords> KeyedNoise::piece(const PieceAddress& address) {
  const ReleaseKey key =
      key_.derive(noise_label, {static_cast<std::uint64_t>(address.kind), address.step, address.piece});
  return std::make_unique<Piece>(address, key, *ciphers_, drawn_);
}

}  // namespace hushwalk
