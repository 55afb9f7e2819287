#pragma once

#include <cstddef>
#include <string>

#include <ATen/ATen.h>

namespace molgauge::ood {

/// Frozen features of the training and validation molecules of a head. Each tensor is [n, width] float32. All
/// tensors are on one device.
struct TrainingData {
  at::Tensor train_id, train_ood, val_id, val_ood;
};

/// Throws InputError with the name of the tensor if it is empty, has another width or type, or contains a
/// number that is not finite (a failed molecule).
void validate(const TrainingData& data);

/// Returns 16 hexadecimal digits that depend on every number of the data. A checkpoint can only be continued
/// with the same data.
std::string data_identity(const TrainingData& data);

}  // namespace molgauge::ood
