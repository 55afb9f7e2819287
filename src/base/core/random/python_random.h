#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace molgauge {

/// The generator of Python's `random.Random(seed)`: MT19937 (Matsumoto and Nishimura 1998) seeded by array.
/// It draws integers and shuffles as Python does. Splits and samples therefore equal the results of Python
/// programs.
class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed);

  /// Returns a uniform number in [0, 1) with 53 random bits.
  double uniform();
  /// Returns a uniform integer in [0, bound), as Python's randrange(bound) does. `bound` must be at least 1.
  std::uint64_t below(std::uint64_t bound);

  /// Python's random.shuffle.
  template <typename Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i-- > 1;) {
      std::swap(items[i], items[below(i + 1)]);
    }
  }

  /// Returns the positions of the items that Python's random.sample(items, count) chooses, in the order of
  /// the sample. `population`: the number of items. Throws std::invalid_argument if count > population.
  std::vector<std::size_t> sample(std::size_t population, std::size_t count);

  /// State as text, for checkpoints. restore() throws InputError for a text that is not from state().
  std::string state() const;
  void restore(const std::string& state);

 private:
  static constexpr std::size_t kWords = 624;
  std::uint32_t next();
  std::uint64_t bits(int count);

  std::array<std::uint32_t, kWords> words_;
  std::size_t position_ = kWords;
};

}  // namespace molgauge
