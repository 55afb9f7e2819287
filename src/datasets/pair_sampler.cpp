#include "datasets/pair_sampler.h"

#include <algorithm>

#include "core/error.h"

namespace headroom::datasets {

PairSampler::PairSampler(std::size_t id_count, std::size_t ood_count, std::uint64_t seed)
    : id_count_(id_count), ood_count_(ood_count), random_(seed) {
  if (id_count == 0 || ood_count == 0) {
    throw InputError(std::string("no training molecules on the ") +
                     (id_count == 0 ? "in-distribution" : "out-of-distribution") +
                     " side; pairs need at least one on each");
  }
}

std::size_t PairSampler::epoch_length() const { return std::min(id_count_, ood_count_); }

PairBatch PairSampler::draw(std::size_t pairs) {
  PairBatch batch;
  batch.id.reserve(pairs);
  batch.ood.reserve(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    batch.ood.push_back(random_.below(ood_count_));
    batch.id.push_back(random_.below(id_count_));
  }
  return batch;
}

}  // namespace headroom::datasets
