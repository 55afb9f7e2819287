#include "base/core/hash.h"

#define XXH_INLINE_ALL
#include <cstring>

#include <xxhash.h>

namespace molgauge {
namespace {

Hash128 canonical(XXH128_hash_t value) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, value);
  Hash128 hash;
  std::memcpy(hash.data(), canonical.digest, hash.size());
  return hash;
}

}  // namespace

Hash128 hash128(std::string_view text) { return canonical(XXH3_128bits(text.data(), text.size())); }

std::uint64_t checksum64(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

struct GrowingHash128::State {
  XXH3_state_t sums;
};

GrowingHash128::GrowingHash128() : state_(new State) { XXH3_128bits_reset(&state_->sums); }

GrowingHash128::~GrowingHash128() = default;

void GrowingHash128::append(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->sums, bytes.data(), bytes.size());
}

Hash128 GrowingHash128::value() const { return canonical(XXH3_128bits_digest(&state_->sums)); }

}  // namespace molgauge
