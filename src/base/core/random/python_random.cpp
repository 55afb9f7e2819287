#include "base/core/random/python_random.h"

#include <bit>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <unordered_set>

#include "base/core/error.h"

namespace molgauge {

PythonRandom::PythonRandom(std::uint64_t seed) {
  std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(seed)};
  if (seed >> 32 != 0) {
    key.push_back(static_cast<std::uint32_t>(seed >> 32));
  }
  words_[0] = 19650218U;
  for (std::uint32_t i = 1; i < kWords; ++i) {
    words_[i] = 1812433253U * (words_[i - 1] ^ (words_[i - 1] >> 30)) + i;
  }
  std::size_t i = 1;
  const auto advance = [&] {
    if (++i >= kWords) {
      words_[0] = words_[kWords - 1];
      i = 1;
    }
  };
  for (std::size_t k = 0; k < kWords; ++k) {
    const auto j = static_cast<std::uint32_t>(k % key.size());
    words_[i] = (words_[i] ^ ((words_[i - 1] ^ (words_[i - 1] >> 30)) * 1664525U)) + key[j] + j;
    advance();
  }
  for (std::size_t k = 0; k + 1 < kWords; ++k) {
    words_[i] =
        (words_[i] ^ ((words_[i - 1] ^ (words_[i - 1] >> 30)) * 1566083941U)) - static_cast<std::uint32_t>(i);
    advance();
  }
  words_[0] = 0x80000000U;
}

std::uint32_t PythonRandom::next() {
  if (position_ >= kWords) {
    constexpr std::size_t kShift = 397;
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint32_t mixed = (words_[i] & 0x80000000U) | (words_[(i + 1) % kWords] & 0x7fffffffU);
      words_[i] = words_[(i + kShift) % kWords] ^ (mixed >> 1) ^ ((mixed & 1U) * 0x9908b0dfU);
    }
    position_ = 0;
  }
  std::uint32_t word = words_[position_++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680U;
  word ^= (word << 15) & 0xefc60000U;
  return word ^ (word >> 18);
}

std::uint64_t PythonRandom::bits(int count) {
  if (count <= 32) {
    return next() >> (32 - count);
  }
  const std::uint64_t low = next();
  return low | static_cast<std::uint64_t>(next() >> (64 - count)) << 32;
}

double PythonRandom::uniform() {
  const std::uint32_t high = next() >> 5;
  const std::uint32_t low = next() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

std::uint64_t PythonRandom::below(std::uint64_t bound) {
  const auto width = static_cast<int>(std::bit_width(bound));
  std::uint64_t draw = bits(width);
  while (draw >= bound) {
    draw = bits(width);
  }
  return draw;
}

std::vector<std::size_t> PythonRandom::sample(std::size_t population, std::size_t count) {
  if (count > population) {
    throw std::invalid_argument("PythonRandom::sample: more wanted than there is");
  }
  // As in Python, a small population is copied to a list, from which chosen items are removed. For a large
  // population, a set of the chosen items takes less memory than the list.
  std::size_t set_size = 21;
  if (count > 5) {
    std::size_t power = 1;
    while (power < 3 * count) {
      power *= 4;
    }
    set_size += power;
  }
  std::vector<std::size_t> picked;
  picked.reserve(count);
  if (population <= set_size) {
    std::vector<std::size_t> pool(population);
    std::iota(pool.begin(), pool.end(), std::size_t{0});
    for (std::size_t left = population; picked.size() < count; --left) {
      const std::size_t position = below(left);
      picked.push_back(pool[position]);
      pool[position] = pool[left - 1];
    }
    return picked;
  }
  std::unordered_set<std::size_t> taken;
  while (picked.size() < count) {
    const std::size_t position = below(population);
    if (taken.insert(position).second) {
      picked.push_back(position);
    }
  }
  return picked;
}

std::string PythonRandom::state() const {
  std::ostringstream text;
  text << position_;
  for (const auto word : words_) {
    text << ' ' << word;
  }
  return std::move(text).str();
}

void PythonRandom::restore(const std::string& state) {
  std::istringstream text(state);
  PythonRandom restored(0);
  text >> restored.position_;
  for (auto& word : restored.words_) {
    text >> word;
  }
  if (!text || restored.position_ > kWords || restored.state() != state) {
    throw InputError("the saved random state is damaged");
  }
  *this = restored;
}

}  // namespace molgauge
