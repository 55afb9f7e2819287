#include "molecules/ood/run/training_pairs.h"

#include <algorithm>

#include "base/core/error.h"

namespace molgauge::ood {

TrainingPairs::TrainingPairs(std::size_t id_count, std::size_t ood_count, std::uint64_t seed)
    : id_count_(id_count), ood_count_(ood_count), random_(seed) {
  if (id_count == 0 || ood_count == 0) {
    throw InputError(std::string("no training molecules on the ") +
                     (id_count == 0 ? "in-distribution" : "out-of-distribution") +
                     " side. Pairs need at least one on each");
  }
}

std::size_t TrainingPairs::epoch_items() const { return std::min(id_count_, ood_count_); }

TrainingPairs::Batch TrainingPairs::draw(std::size_t items) {
  Batch batch;
  batch.id.reserve(items);
  batch.ood.reserve(items);
  for (std::size_t item = 0; item < items; ++item) {
    batch.ood.push_back(static_cast<std::int64_t>(random_.below(ood_count_)));
    batch.id.push_back(static_cast<std::int64_t>(random_.below(id_count_)));
  }
  return batch;
}

}  // namespace molgauge::ood
