#include "base/core/random/numpy_random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_set>

namespace molgauge {
namespace {

constexpr std::size_t kPoolWords = 4;

std::uint32_t fold(std::uint32_t word) { return word ^ (word >> 16); }

/// The hash of SeedSequence. Each word is hashed with the next constant of a sequence.
class HashChain {
 public:
  HashChain(std::uint32_t start, std::uint32_t factor) : constant_(start), factor_(factor) {}

  std::uint32_t operator()(std::uint32_t word) {
    word ^= constant_;
    constant_ *= factor_;
    return fold(word * constant_);
  }

 private:
  std::uint32_t constant_, factor_;
};

std::uint32_t mix(std::uint32_t into, std::uint32_t word) {
  return fold(0xca01f9ddU * into - 0x4973f715U * word);
}

/// NumPy's SeedSequence(seed).generate_state(4, uint64).
std::array<std::uint64_t, 4> seed_words(std::uint64_t seed) {
  HashChain absorb(0x43b0d7e5U, 0x931e8875U);
  std::array<std::uint32_t, kPoolWords> pool = {static_cast<std::uint32_t>(seed),
                                                static_cast<std::uint32_t>(seed >> 32), 0, 0};
  for (auto& word : pool) {
    word = absorb(word);
  }
  for (std::size_t source = 0; source < kPoolWords; ++source) {
    for (std::size_t target = 0; target < kPoolWords; ++target) {
      if (source != target) {
        pool[target] = mix(pool[target], absorb(pool[source]));
      }
    }
  }
  HashChain emit(0x8b51f9ddU, 0x58f38dedU);
  std::array<std::uint64_t, 4> words = {};
  for (std::size_t half = 0; half < 2 * words.size(); ++half) {
    words[half / 2] |= static_cast<std::uint64_t>(emit(pool[half % kPoolWords])) << (32 * (half % 2));
  }
  return words;
}

}  // namespace

NumpyRandom::NumpyRandom(std::uint64_t seed) {
  const auto words = seed_words(seed);
  const Word128 start = static_cast<Word128>(words[0]) << 64 | words[1];
  increment_ = (static_cast<Word128>(words[2]) << 64 | words[3]) << 1 | 1U;
  step();
  state_ += start;
  step();
}

void NumpyRandom::step() {
  constexpr Word128 kMultiplier = static_cast<Word128>(2549297995355413924ULL) << 64 | 4865540595714422341ULL;
  state_ = state_ * kMultiplier + increment_;
}

std::uint64_t NumpyRandom::next64() {
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64);
  return std::rotr(high ^ static_cast<std::uint64_t>(state_), static_cast<int>(high >> 58));
}

std::uint32_t NumpyRandom::next32() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const std::uint64_t word = next64();
  spare_ = static_cast<std::uint32_t>(word >> 32);
  has_spare_ = true;
  return static_cast<std::uint32_t>(word);
}

std::uint32_t NumpyRandom::below(std::uint32_t bound) {
  if (bound == 1) {
    return 0;  // like NumPy, draws nothing if only one value is possible
  }
  const std::uint32_t threshold = (std::numeric_limits<std::uint32_t>::max() - bound + 1) % bound;
  std::uint64_t product = static_cast<std::uint64_t>(next32()) * bound;
  while (static_cast<std::uint32_t>(product) < threshold) {
    product = static_cast<std::uint64_t>(next32()) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

void NumpyRandom::shuffle_tail(std::vector<std::size_t>& items, std::size_t first) {
  for (std::size_t i = items.size(); i-- > first;) {
    std::swap(items[i], items[below(static_cast<std::uint32_t>(i + 1))]);
  }
}

std::vector<std::size_t> NumpyRandom::choose(std::size_t population, std::size_t count) {
  if (count > population || population >= std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("NumpyRandom::choose: more wanted than there is, or 2^32 items and more");
  }
  // The rule of NumPy: a large sample is the shuffled tail of the population. A small sample uses the
  // algorithm of Floyd.
  constexpr std::size_t kLargePopulation = 10000, kSmallShare = 50;
  std::vector<std::size_t> chosen;
  if (population > kLargePopulation && count > population / kSmallShare) {
    chosen.resize(population);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    shuffle_tail(chosen, std::max<std::size_t>(population - count, 1));
    chosen.erase(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(count));
    return chosen;
  }
  chosen.reserve(count);
  std::unordered_set<std::size_t> taken;
  for (std::size_t last = population - count; last < population; ++last) {
    const std::size_t draw = below(static_cast<std::uint32_t>(last + 1));
    chosen.push_back(taken.contains(draw) ? last : draw);
    taken.insert(chosen.back());
  }
  shuffle_tail(chosen, 1);
  return chosen;
}

}  // namespace molgauge
