#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/io/tensors/safetensors.h"
#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/predictions/second_opinion.h"

namespace molgauge::domain {

/// The numbers of a saved domain: n training molecules, and their calibration.
struct DomainTensors {
  Molecules training;
  Calibration calibration;
  Reference::Scales scales;    ///< without the bandwidth
  std::vector<double> values;  ///< n values of the label column, or empty
};

/// Returns the tensors that domain_tensors_from() reads. `values` is empty without a label column.
io::TensorMap tensors_of(const CalibratedDomain& domain, std::span<const double> values);

/// Reverses tensors_of(). Throws InputError if a tensor is missing, or if the tensors do not fit each other.
DomainTensors domain_tensors_from(const io::TensorMap& tensors);

/// Adds the tensors that opinion_from() reads.
void add_opinion(const SecondOpinion& opinion, io::TensorMap& tensors);

/// Reverses add_opinion(). Returns null if there are no such tensors. Throws InputError if a tensor is
/// missing or if the tensors do not fit the training molecules.
std::shared_ptr<const SecondOpinion> opinion_from(const io::TensorMap& tensors,
                                                  const SecondOpinion::Training& training);

}  // namespace molgauge::domain
