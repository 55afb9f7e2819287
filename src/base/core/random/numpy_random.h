#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace molgauge {

/// The generator of NumPy's `numpy.random.default_rng(seed)`: PCG64 (O'Neill 2014, PCG XSL RR 128/64) seeded
/// through SeedSequence. It draws integers and chooses without replacement as NumPy does. Samples therefore
/// equal the samples of Python programs (NumPy 1.17 to 2.x).
class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint64_t seed);

  std::uint64_t next64();
  /// Returns the low half of a 64-bit draw. The next call returns the high half.
  std::uint32_t next32();
  /// Returns a uniform integer in [0, bound) for 1 <= bound <= 2^32 - 1 (Lemire 2019), as NumPy's
  /// integers(bound) does.
  std::uint32_t below(std::uint32_t bound);

  /// Does the same as NumPy's choice(population, count, replace=False): returns `count` different numbers
  /// below `population`, in random order. Throws std::invalid_argument unless count <= population < 2^32.
  std::vector<std::size_t> choose(std::size_t population, std::size_t count);

 private:
  __extension__ using Word128 = unsigned __int128;

  void step();
  /// Shuffles items[first ..]. Starting with the last item, swaps each item with a random item at or before
  /// its position.
  void shuffle_tail(std::vector<std::size_t>& items, std::size_t first);

  Word128 state_ = 0;
  Word128 increment_ = 0;
  std::uint32_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace molgauge
