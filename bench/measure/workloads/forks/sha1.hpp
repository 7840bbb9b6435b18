// SHA-1 (FIPS 180-1) of messages that are whole words and fit one block: the splittable random
// numbers of uts.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace bench {

using Sha1Digest = std::array<std::uint32_t, 5>;
using Sha1Block = std::array<std::uint32_t, 16>;

/// The digest of a message of one block, padding and length included.
constexpr Sha1Digest sha1_of_block(const Sha1Block& block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = block[t];
  for (std::size_t t = 16; t < 80; ++t)
    w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

  constexpr Sha1Digest kStart{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  std::uint32_t a = kStart[0], b = kStart[1], c = kStart[2], d = kStart[3], e = kStart[4];
  const auto round = [&](std::uint32_t f, std::uint32_t constant, std::uint32_t word) {
    const std::uint32_t next = std::rotl(a, 5) + f + e + word + constant;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
  for (std::size_t t = 0; t < 20; ++t) round((b & c) | (~b & d), 0x5A827999, w[t]);
  for (std::size_t t = 20; t < 40; ++t) round(b ^ c ^ d, 0x6ED9EBA1, w[t]);
  for (std::size_t t = 40; t < 60; ++t) round((b & c) | (b & d) | (c & d), 0x8F1BBCDC, w[t]);
  for (std::size_t t = 60; t < 80; ++t) round(b ^ c ^ d, 0xCA62C1D6, w[t]);
  return {kStart[0] + a, kStart[1] + b, kStart[2] + c, kStart[3] + d, kStart[4] + e};
}

/// The digest of N words, each taken as four bytes, the highest first.
template <std::size_t N>
constexpr Sha1Digest sha1(const std::array<std::uint32_t, N>& message) {
  static_assert(N <= 13, "the padding takes a word, the length two");
  Sha1Block block{};
  for (std::size_t i = 0; i < N; ++i) block[i] = message[i];
  block[N] = 0x80000000;
  block[15] = 32 * N;
  return sha1_of_block(block);
}

// The standard's first example, "abc", as it pads it; and "test", for our own padding.
static_assert(sha1_of_block({0x61626380, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24}) ==
              Sha1Digest{0xA9993E36, 0x4706816A, 0xBA3E2571, 0x7850C26C, 0x9CD0D89D});
static_assert(sha1(std::array<std::uint32_t, 1>{0x74657374}) ==
              Sha1Digest{0xA94A8FE5, 0xCCB19BA6, 0x1C4C0873, 0xD391E987, 0x982FBBD3});

}  // namespace bench
