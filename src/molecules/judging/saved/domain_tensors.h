#pragma once

#include <span>
#include <vector>

#include "base/io/tensors/safetensors.h"
#include "molecules/judging/calibrated_domain.h"

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

}  // namespace molgauge::domain
