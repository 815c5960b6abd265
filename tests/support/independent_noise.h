// Noise by address once more, one node at a time and by nothing of src/noise: OpenSSL itself, plain loops,
// digits from floating point with six hundred bits, every constant written down again. Whoever changes how
// noise is drawn changes this file, and no other test of released numbers.
#pragma once

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hushwalk::testing {

namespace naive {

using Integer = boost::multiprecision::cpp_int;
using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<600, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using Key = std::array<std::byte, 32>;
using Block = std::array<std::uint64_t, 2>;

inline void put(std::string& bytes, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(number >> shift));
}

inline Key derived(const Key& key, std::string label, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  label.resize(16);
  for (const std::uint64_t number : {a, b, c}) put(label, number);
  EVP_KDF* const kdf = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  EVP_KDF_CTX* const context = EVP_KDF_CTX_new(kdf);
  std::string digest = "SHA2-256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, const_cast<std::byte*>(key.data()), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, label.data(), label.size()),
      OSSL_PARAM_construct_end()};
  Key result;
  const int done =
      EVP_KDF_derive(context, reinterpret_cast<unsigned char*>(result.data()), result.size(), parameters);
  EVP_KDF_CTX_free(context);
  EVP_KDF_free(kdf);
  if (done != 1) throw std::runtime_error("no HKDF");
  return result;
}

// AES-256 of one block of two numbers, each with its highest byte first; what comes out is read lowest byte
// first.
class Aes {
 public:
  explicit Aes(const Key& key) : context_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ecb(), nullptr,
                       reinterpret_cast<const unsigned char*>(key.data()), nullptr);
  }
  Block operator()(std::uint64_t high, std::uint64_t low) const {
    std::string in;
    put(in, high);
    put(in, low);
    std::array<unsigned char, 32> out{};
    int length = 0;
    EVP_EncryptUpdate(context_.get(), out.data(), &length, reinterpret_cast<const unsigned char*>(in.data()),
                      16);
    if (length != 16) throw std::runtime_error("no AES");
    Block words{};
    for (std::size_t i = 0; i < 16; ++i) words[i / 8] |= std::uint64_t{out[i]} << (8 * (i % 8));
    return words;
  }

 private:
  std::shared_ptr<EVP_CIPHER_CTX> context_;
};

// The digits of a probability: eight, then 64 at a time.
struct Bias {
  std::uint64_t first;
  std::vector<std::uint64_t> next;

  explicit Bias(const Real& value) {
    constexpr int words = 5;
    Integer digits(floor(ldexp(value, 8 + 64 * words)));
    for (int i = 0; i < words; ++i, digits >>= 64)
      next.insert(next.begin(), static_cast<std::uint64_t>(digits & ~std::uint64_t{0}));
    first = static_cast<std::uint64_t>(digits);
  }
};

// How a sample is put together, with the defaults of releases.
struct Layout {
  int low_part = 7, tail = 2, magnitude_bits = 63;
};

// What a scale needs.
struct Scale {
  Integer numerator, denominator;
  int low_bits, tail_exponent, magnitude_bits;
  std::vector<Bias> coins;  // the digits from the lowest, then the tail

  explicit Scale(double scale, const Layout& layout)
      : low_bits(std::max(0, std::ilogb(scale) - layout.low_part)),
        tail_exponent(std::max(0, std::ilogb(scale) + 1 + layout.tail)),
        magnitude_bits(layout.magnitude_bits) {
    numerator = Integer(std::ldexp(scale, 56));
    denominator = Integer(1) << 56;
    for (int i = low_bits; i < tail_exponent; ++i)
      coins.emplace_back(1 / (exp(ldexp(Real(1), i) / scale) + 1));
    coins.emplace_back(1 / exp(ldexp(Real(1), tail_exponent) / scale));
  }
  std::uint64_t words_per_group() const {
    const std::uint64_t words = 8 * coins.size() + 1 + (low_bits > 0 ? 64 : 0);
    return (words + 1) / 2 * 2;
  }
};

// A node's own words, in their order.
class Own {
 public:
  Own(const Aes& aes, std::uint64_t node) : aes_(aes), node_(node) {}
  std::uint64_t next() {
    const std::uint64_t number = used_++;
    return aes_(1 + node_, number / 2)[number % 2];
  }

 private:
  const Aes& aes_;
  std::uint64_t node_, used_ = 0;
};

// A uniform number that begins with these eight bits is below the bias.
inline bool coin(const Bias& bias, std::uint64_t eight_bits, Own& own) {
  if (eight_bits != bias.first) return eight_bits < bias.first;
  for (const std::uint64_t digits : bias.next) {
    const std::uint64_t word = own.next();
    if (word != digits) return word < digits;
  }
  throw std::runtime_error("a coin is not decided after 328 bits");
}

// A coin of bias n / d.
inline bool fraction(Integer n, const Integer& d, Own& own) {
  while (n != 0) {
    n <<= 64;
    const Integer digit = n / d, word = own.next();
    if (word != digit) return word < digit;
    n %= d;
  }
  return false;
}

// e^-(low / t); the first coin, of bias low / t, begins with these sixteen bits.
inline bool keeps(const Scale& scale, std::uint64_t low, std::uint64_t sixteen_bits, Own& own) {
  const Integer x = low * scale.denominator, shifted = x << 16;
  const Integer digit = shifted / scale.numerator;
  bool shows = sixteen_bits == digit ? fraction(shifted % scale.numerator, scale.numerator, own)
                                     : sixteen_bits < digit;
  int k = 1;
  while (shows) {
    ++k;
    shows = fraction(1, k, own) && fraction(x, scale.numerator, own);
  }
  return k % 2 == 1;
}

// What is read at once: eight bits of every coin, a sign, the word of the low part.
struct Start {
  std::vector<std::uint64_t> eight_bits;
  bool negative;
  std::uint64_t low_word;
};

// A sample, or nothing when it is rejected.
inline bool finish(const Scale& scale, const Start& start, Own& own, std::int64_t& sample) {
  const std::size_t digits = scale.coins.size() - 1;
  std::uint64_t magnitude = 0;
  for (std::size_t i = 0; i < digits; ++i)
    if (coin(scale.coins[i], start.eight_bits[i], own))
      magnitude += std::uint64_t{1} << (scale.low_bits + static_cast<int>(i));
  if (scale.low_bits > 0) {
    const std::uint64_t low = start.low_word % (std::uint64_t{1} << scale.low_bits);
    if (!keeps(scale, low, start.low_word >> 48, own)) return false;
    magnitude += low;
  }
  const Bias& tail = scale.coins.back();
  Integer sum = magnitude, largest = (Integer(1) << scale.magnitude_bits) - 1;
  for (bool more = coin(tail, start.eight_bits[digits], own); more;) {
    sum += Integer(1) << scale.tail_exponent;
    more = sum <= largest && coin(tail, own.next() % 256, own);
  }
  magnitude = static_cast<std::uint64_t>(std::min(sum, largest));
  if (magnitude == 0 && start.negative) return false;
  sample = start.negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return true;
}

inline Start restart(const Scale& scale, Own& own) {
  Start start{{}, false, 0};
  const std::size_t bytes = scale.coins.size() + 1;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i % 8 == 0) word = own.next();
    start.eight_bits.push_back(word >> (8 * (i % 8)) & 255);
  }
  start.negative = start.eight_bits.back() % 2 == 1;
  if (scale.low_bits > 0) start.low_word = own.next();
  return start;
}

}  // namespace naive

enum NaiveKind : std::uint64_t {
  first_draw = 1,
  second_draw = 2,
  of_rest = 3,
  of_neighbors = 4,
  of_artefact = 5,
  of_flips = 6,
  of_circle_degrees = 8,
  of_circle_coins = 9,
  of_circle_coarsening = 10,
  of_circle_forward = 11,
  of_circle_backward = 12,
  of_circle_leaving = 13,
  of_frontier_among = 14,
  of_frontier_into = 15,
  of_frontier_out_of = 16
};

// The noise under one key. One thread.
class IndependentNoise {
 public:
  explicit IndependentNoise(const naive::Key& key) : key_(key) {}

  IndependentNoise answer(std::uint64_t number) const {
    return IndependentNoise(naive::derived(key_, "answer 1", number, 0, 0));
  }

  std::int64_t draw(std::uint64_t kind, std::uint64_t step, std::uint64_t node, double laplace_scale,
                    const naive::Layout& layout = {}) {
    const naive::Scale& scale = scale_of(laplace_scale, layout);
    const naive::Aes& aes = aes_of(kind, step, node / 65536);
    naive::Own own(aes, node % 65536);
    std::int64_t sample = 0;
    naive::Start start = shared_start(scale, aes, node % 65536);
    while (!naive::finish(scale, start, own, sample)) start = naive::restart(scale, own);
    return sample;
  }

  std::vector<std::int64_t> draws(std::uint64_t kind, std::uint64_t step, double scale, std::size_t nodes) {
    std::vector<std::int64_t> drawn;
    for (std::size_t node = 0; node < nodes; ++node) drawn.push_back(draw(kind, step, node, scale));
    return drawn;
  }

  // What makes noise of scale `fine` into noise of scale `coarse`: nothing if the node's word, out of 64 that
  // its group shares, is below the first 64 digits of the bias; else a draw of the coarse scale.
  std::int64_t coarsening(std::uint64_t coins, std::uint64_t draws, std::uint64_t node, double fine,
                          double coarse) {
    const auto part = [](double scale) -> naive::Real {
      const naive::Real q = exp(-1 / naive::Real(scale));
      return q / ((1 - q) * (1 - q));
    };
    const naive::Integer digits(floor(ldexp(naive::Real(part(fine) / part(coarse)), 64)));
    const naive::Aes& aes = aes_of(coins, 0, node / 65536);
    const std::uint64_t word = aes(0, node % 65536 / 2)[node % 2];
    if (word == digits) throw std::runtime_error("a coin is not decided after 64 bits");
    return word < digits ? 0 : draw(draws, 0, node, coarse);
  }

  // Whether pair {u, v}, u < v, is flipped, at v (v - 1) / 2 + u. Rows v that together have at most 2^22
  // pairs, or one row that has more, are a piece; skips that are negative do not count.
  std::vector<char> flips(double skip_scale, std::size_t nodes) {
    constexpr std::size_t pairs_per_piece = 1 << 22;
    std::vector<char> flipped(nodes * (nodes - 1) / 2);
    std::size_t first = 0, piece = 0;
    for (std::size_t v = 1; v <= nodes; ++v) {
      const std::size_t end = v * (v - 1) / 2, more = v < nodes ? v : 0;
      const bool full = end - first + more > pairs_per_piece && end > first;
      if (!full && v < nodes) continue;
      flip(flipped, first, end, skip_scale, piece++);
      first = end;
    }
    return flipped;
  }

 private:
  void flip(std::vector<char>& flipped, std::size_t first, std::size_t end, double skip_scale,
            std::size_t piece) {
    std::uint64_t number = 0;
    const auto skip = [&] {
      for (;;) {
        const std::int64_t drawn = draw(of_flips, piece, number++, skip_scale);
        if (drawn >= 0) return static_cast<std::uint64_t>(drawn);
      }
    };
    for (std::uint64_t next = skip(); next < end - first; next += 1 + skip()) flipped[first + next] = 1;
  }

  // The node's bits of the words that it shares with its group.
  static naive::Start shared_start(const naive::Scale& scale, const naive::Aes& aes, std::uint64_t node) {
    const std::uint64_t group = node / 64, lane = node % 64, first = group * scale.words_per_group();
    const auto word = [&](std::uint64_t k) { return aes(0, (first + k) / 2)[(first + k) % 2]; };
    const auto bit = [&](std::uint64_t k) { return word(k) >> lane & 1; };
    naive::Start start{{}, false, 0};
    for (std::size_t i = 0; i < scale.coins.size(); ++i) {
      std::uint64_t eight_bits = 0;
      for (std::size_t plane = 0; plane < 8; ++plane) eight_bits = 2 * eight_bits + bit(8 * i + plane);
      start.eight_bits.push_back(eight_bits);
    }
    start.negative = bit(8 * scale.coins.size()) == 1;
    if (scale.low_bits > 0) start.low_word = word(8 * scale.coins.size() + 1 + lane);
    return start;
  }

  const naive::Aes& aes_of(std::uint64_t kind, std::uint64_t step, std::uint64_t piece) {
    const auto place = std::tuple(kind, step, piece);
    const auto found = aes_.find(place);
    if (found != aes_.end()) return found->second;
    return aes_.emplace(place, naive::Aes(naive::derived(key_, "noise 1", kind, step, piece))).first->second;
  }

  static const naive::Scale& scale_of(double scale, const naive::Layout& layout) {
    static std::map<std::tuple<double, int, int, int>, naive::Scale>
        scales;  // shared: digits are slow to find
    const auto place = std::tuple(scale, layout.low_part, layout.tail, layout.magnitude_bits);
    const auto found = scales.find(place);
    if (found != scales.end()) return found->second;
    return scales.emplace(place, naive::Scale(scale, layout)).first->second;
  }

  naive::Key key_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, naive::Aes> aes_;
};

}  // namespace hushwalk::testing
