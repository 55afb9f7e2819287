#pragma once

#include <cstddef>
#include <filesystem>

#include "ood/training_data.h"

namespace headroom::session {

/// Scores the validation molecules with the best model of a run folder and keeps them there
/// (ood/validation_scores.h), for the thresholds and probabilities of new molecules. The training has ended,
/// and the data are on its device.
void keep_validation_scores(const std::filesystem::path& run, const ood::TrainingData& data,
                            std::size_t batch_size);

}  // namespace headroom::session
