#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/ood/metrics/score_calibration.h"

namespace headroom::ood {

/// The scores of the final model of a run for molecules that were not used for training. Thresholds and
/// probabilities of new molecules come from them.
struct ValidationScores {
  std::vector<float> id, ood;  ///< of val_id and val_ood, in their order
  PlattScaling platt;          ///< fitted to them
};

/// Fits the scaling. Throws the errors of fit_platt().
ValidationScores calibrate(std::vector<float> id, std::vector<float> ood);

/// Writes validation_scores.safetensors of a run folder (docs/reference/formats.md), atomically. `model`:
/// identity of the model that gave the scores.
void write_validation_scores(const std::filesystem::path& run, const ValidationScores& scores,
                             const std::string& model);

/// Removes that file, which belongs to another model.
void remove_validation_scores(const std::filesystem::path& run);

/// The scores in a run folder. Absent, with a reason, if the folder has no such file (a run of an earlier
/// version) or the file belongs to another model than `model` (a continued training that has not ended).
/// Throws InputError naming the file when it is damaged.
struct FoundValidationScores {
  std::optional<ValidationScores> scores;
  std::string why_none;  ///< a sentence without its end
};
FoundValidationScores find_validation_scores(const std::filesystem::path& run, const std::string& model);

/// Identity of the best model of a run folder: XXH3 of its file, 16 hexadecimal digits.
std::string identity_of_best_model(const std::filesystem::path& run);

}  // namespace headroom::ood
