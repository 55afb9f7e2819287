#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/core/random/python_random.h"

namespace molgauge::ood {

/// Draws training molecules like the data set of the Python project. For every item, one OOD index and then
/// one ID index is drawn from random.Random(seed), uniformly and with replacement. An epoch has min(n_id,
/// n_ood) items. A batch of B items gives B ID and B OOD molecules, and the loss uses all B x B pairs. A
/// molecule may occur twice in an epoch or not at all.
class TrainingPairs {
 public:
  struct Batch {
    std::vector<std::int64_t> id, ood;  ///< row numbers, of equal length
  };

  /// Throws InputError if a side is empty.
  TrainingPairs(std::size_t id_count, std::size_t ood_count, std::uint64_t seed);

  std::size_t epoch_items() const;
  Batch draw(std::size_t items);

  /// Returns the state for a checkpoint. An object with the same sizes can continue from this state.
  /// restore() throws InputError if the text does not come from state().
  std::string state() const { return random_.state(); }
  void restore(const std::string& state) { random_.restore(state); }

 private:
  std::size_t id_count_, ood_count_;
  PythonRandom random_;
};

}  // namespace molgauge::ood
