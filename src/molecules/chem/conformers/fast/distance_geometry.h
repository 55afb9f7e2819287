#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "molecules/chem/conformers/fast/terms.h"

namespace molgauge::chem::fast {

/// The generator of random numbers of RDKit (minstd_rand of Park, Miller and Stockmeyer).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint32_t seed) : state_(seed) {}
  /// Returns a number in [0, 1).
  double next() {
    constexpr std::uint64_t kModulus = 2147483647, kMultiplier = 48271;
    state_ = static_cast<std::uint32_t>(kMultiplier * state_ % kModulus);
    return static_cast<double>(state_ - 1) / static_cast<double>(kModulus - 2);
  }

 private:
  std::uint32_t state_;
};

/// Embeds one connected molecule as ETKDG does: random distances between the limits, coordinates from the
/// metric matrix, minimisation in four dimensions if there are chiral centres, and minimisation with torsion
/// preferences in three dimensions. Attempts that fail a check are repeated. After some failures, every
/// second attempt starts with random coordinates. Returns positions [3, axis], or nothing if all attempts
/// failed. `is_refined`: MMFF94 refines the positions. Torsion preferences that cannot be satisfied are then
/// ignored after some failures.
class Embedder {
 public:
  Embedder(const EmbeddingTerms& terms, std::uint32_t seed, bool is_refined);
  ~Embedder();
  Embedder(const Embedder&) = delete;
  Embedder& operator=(const Embedder&) = delete;

  /// Continues with the next attempt. Each call that returns positions returns new ones.
  std::optional<std::vector<double>> next();

 private:
  struct Tools;
  bool attempt(bool is_random, std::vector<double>& positions);

  const EmbeddingTerms& terms_;
  RandomNumbers random_;
  bool is_refined_;
  std::size_t attempts_ = 0;
  std::unique_ptr<Tools> tools_;
};

}  // namespace molgauge::chem::fast
