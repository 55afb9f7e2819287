#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/python_random.h"

namespace headroom::ood {

/// Draws training molecules as the Python project's data set does (data/ood, section 8): every item is one
/// OOD index, then one ID index, uniform and with replacement, from random.Random(seed). An epoch has
/// min(n_id, n_ood) items; a batch of B items gives B ID and B OOD molecules, and the loss uses all B x B
/// pairs.
class TrainingPairs {
 public:
  struct Batch {
    std::vector<std::int64_t> id, ood;
  };

  TrainingPairs(std::size_t id_count, std::size_t ood_count, std::uint64_t seed)
      : id_count_(id_count), ood_count_(ood_count), random_(seed) {}

  Batch draw(std::size_t items) {
    Batch batch;
    for (std::size_t i = 0; i < items; ++i) {
      batch.ood.push_back(static_cast<std::int64_t>(random_.below(ood_count_)));
      batch.id.push_back(static_cast<std::int64_t>(random_.below(id_count_)));
    }
    return batch;
  }

  std::string state() const { return random_.state(); }
  void restore(const std::string& state) { random_.restore(state); }

 private:
  std::size_t id_count_, ood_count_;
  PythonRandom random_;
};

}  // namespace headroom::ood
