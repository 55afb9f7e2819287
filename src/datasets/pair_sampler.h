#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/python_random.h"

namespace headroom::datasets {

/// Rows of the two training sides that meet in one batch: the loss uses every ID row with every OOD row.
struct PairBatch {
  std::vector<std::size_t> id, ood;  ///< of equal length
};

/// Draws training pairs as the published program does: one OOD row, then one ID row, both uniform and with
/// replacement, from Python's random.Random(seed). A row may come twice in an epoch or not at all.
class PairSampler {
 public:
  /// Throws InputError when either side is empty.
  PairSampler(std::size_t id_count, std::size_t ood_count, std::uint64_t seed);

  /// Pairs that make one epoch: as many as the smaller side has rows.
  std::size_t epoch_length() const;
  PairBatch draw(std::size_t pairs);

  /// For checkpoints: a sampler of the same sizes goes on exactly where state() was taken. restore() throws
  /// InputError on text that state() did not give.
  std::string state() const { return random_.state(); }
  void restore(const std::string& state) { random_.restore(state); }

 private:
  std::size_t id_count_, ood_count_;
  PythonRandom random_;
};

}  // namespace headroom::datasets
