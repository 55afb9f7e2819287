#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "molecules/ood/metrics/score_calibration.h"

namespace molgauge::ood {

/// The scores that the final model of a run gives to validation molecules. They determine thresholds and
/// probabilities for new molecules.
struct ValidationScores {
  std::vector<float> id, ood;  ///< scores of val_id and val_ood, in their order
  PlattScaling platt;          ///< scaling that was fitted to these scores
};

/// Fits the scaling. Throws the errors of fit_platt().
ValidationScores calibrate(std::vector<float> id, std::vector<float> ood);

/// Writes validation_scores.safetensors of a run folder (docs/reference/formats.md) atomically. `model`:
/// identity of the model that computed the scores.
void write_validation_scores(const std::filesystem::path& run, const ValidationScores& scores,
                             const std::string& model);

/// Removes validation_scores.safetensors. Call it when the model changes.
void remove_validation_scores(const std::filesystem::path& run);

/// The result of find_validation_scores(), which reads the scores of `model` from a run folder. The scores
/// are missing if the folder comes from an earlier version. They are also missing if the file belongs to
/// another model. This is the case while a continued training has not finished. find_validation_scores()
/// throws InputError with the file if it is damaged.
struct FoundValidationScores {
  std::optional<ValidationScores> scores;
  std::string why_none;  ///< why there are no scores: a sentence without a full stop
};
FoundValidationScores find_validation_scores(const std::filesystem::path& run, const std::string& model);

/// Identity of the best model of a run folder: XXH3 of its file, 16 hexadecimal digits.
std::string identity_of_best_model(const std::filesystem::path& run);

}  // namespace molgauge::ood
