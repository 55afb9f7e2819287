#include "ood/run/random_rounding.h"

namespace headroom::ood {
namespace {

// Odd 32-bit multipliers of a mixing function (Wellons, "lowbias32"); products stay below 2^63.
constexpr std::int64_t kFirstMultiplier = 0x21f0aaad, kSecondMultiplier = 0x735a2d97;
constexpr std::int64_t kWord = 0xffffffff;
/// The bits of a float32 that bfloat16 has not.
constexpr std::int64_t kDropped = 0xffff;

/// [count], int64, each uniform in [0, 2^16).
at::Tensor noise(std::int64_t count, std::uint64_t key, at::Device device) {
  const auto start = static_cast<std::int64_t>(key * 0x9e3779b1U & 0x3fffffffU);
  at::Tensor word = at::arange(count, at::TensorOptions(at::kLong).device(device)).add_(start);
  const auto mix = [&](std::int64_t multiplier, std::int64_t shift) {
    word.bitwise_xor_(at::bitwise_right_shift(word, shift)).mul_(multiplier).bitwise_and_(kWord);
  };
  mix(kFirstMultiplier, 16);
  mix(kSecondMultiplier, 15);
  return at::bitwise_right_shift(word, 15).bitwise_and_(kDropped);
}

}  // namespace

at::Tensor round_at_random(const at::Tensor& numbers, std::uint64_t key) {
  const at::Tensor bits = numbers.contiguous().view(at::kInt).flatten().to(at::kLong);
  const at::Tensor rounded =
      bits.add(noise(bits.numel(), key, bits.device())).bitwise_and_(~kDropped).to(at::kInt);
  const at::Tensor result = rounded.view(at::kFloat).view(numbers.sizes());
  // Infinity and NaN are no numbers that could be rounded.
  return at::where(at::isfinite(numbers), result, numbers).to(at::kBFloat16);
}

}  // namespace headroom::ood
