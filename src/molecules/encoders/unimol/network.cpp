#include <algorithm>
#include <stdexcept>

#include "molecules/encoders/unimol/network_definition.h"

namespace molgauge::encoders::unimol {

template class Network<PairOperators>;

Batch pack(std::span<const Inputs* const> molecules) {
  std::vector<std::int64_t> sizes;
  std::int64_t tokens = 0, pairs = 0;
  for (const Inputs* const molecule : molecules) {
    const auto size = static_cast<std::int64_t>(molecule->tokens.size());
    if (molecule->distances.size() != molecule->tokens.size() * molecule->tokens.size()) {
      throw std::invalid_argument("a molecule's distances do not fit its tokens");
    }
    sizes.push_back(size);
    tokens += size;
    pairs += size * size;
  }
  Batch batch{.tokens = ops::Integers{tokens},
              .distances = ops::Floats{pairs},
              .molecules = ops::make_segments(sizes)};
  std::int64_t* token = batch.tokens.data();
  float* distance = batch.distances.data();
  for (const Inputs* const molecule : molecules) {
    for (const std::int64_t first : molecule->tokens) {
      if (first < 0 || first >= kTokens) {
        throw std::invalid_argument("a token that is not in the dictionary");
      }
    }
    token = std::copy(molecule->tokens.begin(), molecule->tokens.end(), token);
    distance = std::copy(molecule->distances.begin(), molecule->distances.end(), distance);
  }
  return batch;
}

}  // namespace molgauge::encoders::unimol
