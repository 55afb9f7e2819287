#include "core_peak.h"

namespace molgauge {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kSums = 12;
using Lanes = float __attribute__((vector_size(4 * kLanes)));

/// Each lane begins with a different sum. Otherwise the compiler would compute equal sums only once.
Lanes begin(int sum) {
  Lanes lanes = static_cast<float>(sum) - Lanes{};
#if defined(__x86_64__)
  __asm__ volatile("" : "+x"(lanes));
#else
  __asm__ volatile("" : "+m"(lanes));
#endif
  return lanes;
}

}  // namespace

std::int64_t operations_in_a_round() { return std::int64_t{2} * kSums * kLanes; }

float multiply_and_add(std::int64_t rounds) {
  Lanes sums[kSums];
  for (int i = 0; i < kSums; ++i) {
    sums[i] = begin(i);
  }
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (Lanes& sum : sums) {
      sum = sum * 0.999F + 0.5F;
    }
  }
  Lanes all = sums[0];
  for (int i = 1; i < kSums; ++i) {
    all += sums[i];
  }
  return all[0];
}

}  // namespace molgauge
