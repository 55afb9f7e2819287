#pragma once

#include <memory>

#include "base/io/tensors/safetensors.h"
#include "molecules/judging/predictions/second_opinion.h"

namespace molgauge::domain {

/// Adds the tensors that opinion_from() reads.
void add_opinion(const SecondOpinion& opinion, io::TensorMap& tensors);

/// Reverses add_opinion(). Returns null if there are no such tensors. Throws InputError if a tensor is
/// missing or if the tensors do not fit the training molecules.
std::shared_ptr<const SecondOpinion> opinion_from(const io::TensorMap& tensors,
                                                  const SecondOpinion::Training& training);

}  // namespace molgauge::domain
