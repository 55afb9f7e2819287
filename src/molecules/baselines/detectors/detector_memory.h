#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "molecules/baselines/classifier/classifier.h"
#include "molecules/baselines/detectors/methods.h"
#include "molecules/baselines/detectors/row_batches.h"

namespace molgauge::baselines {

/// Peak bytes for fitting a detector to `training` molecules and for scoring with it, excluding the features
/// and the classifier. Measured on two small sets of synthetic molecules, because the bytes grow linearly
/// with the number of molecules. A batch counts once for each thread. Other threads must not create tensors
/// at the same time.
std::uint64_t detector_bytes(const std::string& method, const MethodOptions& options,
                             const ClassifierShape& shape, std::size_t training, const RowBatches& batches);

}  // namespace molgauge::baselines
