#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ood/metrics/score_calibration.h"

namespace headroom::ood {

/// What the finished model of a run gives the molecules that it was not trained on: where thresholds and
/// probabilities of new molecules come from.
struct ValidationScores {
  std::vector<float> id, ood;  ///< of val_id and val_ood, in their order
  PlattScaling platt;          ///< fitted to them
};

/// Fits the scaling. Throws as fit_platt() does.
ValidationScores calibrate(std::vector<float> id, std::vector<float> ood);

/// validation_scores.safetensors of a run folder (docs/formats.md), replaced atomically. `model`: what
/// identifies the model that gave the scores.
void write_validation_scores(const std::filesystem::path& run, const ValidationScores& scores,
                             const std::string& model);

/// Removes that file: it is of another model.
void remove_validation_scores(const std::filesystem::path& run);

/// Those of a run folder. None, and why, where it has no such file (a run of an earlier version), or one of
/// another model than `model` (a training that went on and has not ended). Throws InputError naming the file
/// when it is damaged.
struct FoundValidationScores {
  std::optional<ValidationScores> scores;
  std::string why_none;  ///< a sentence without its end
};
FoundValidationScores find_validation_scores(const std::filesystem::path& run, const std::string& model);

/// What identifies the best model of a run folder: XXH3 of its file, 16 hexadecimal digits.
std::string identity_of_best_model(const std::filesystem::path& run);

}  // namespace headroom::ood
