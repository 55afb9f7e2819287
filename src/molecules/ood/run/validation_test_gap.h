#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "molecules/ood/run/validation_scores.h"
#include "molgauge/validation_test_gap.h"

namespace molgauge::ood {

/// A gap is large if the validation AUROC exceeds the test AUROC by more than this, and the 95 % interval of
/// the difference excludes 0.
inline constexpr double kLargeGap = 0.1;

/// Compares the AUROC of the validation scores with the AUROC of the test scores. No list may be empty.
ValidationTestGap gap_between(const ValidationScores& validation, std::span<const float> test_id,
                              std::span<const float> test_ood);

/// Returns the gap between the validation and the test AUROC of the best model of a run folder. Returns
/// nothing if the folder has no validation scores of this model (find_validation_scores()).
std::optional<ValidationTestGap> find_gap(const std::filesystem::path& run, std::span<const float> test_id,
                                          std::span<const float> test_ood);

/// Returns a warning for users, or an empty text if the gap is not large. It does not name the run.
std::string gap_warning(const ValidationTestGap& gap);

/// Adds the key "validation_test_gap" to training_stats.json of a run folder, atomically. Throws InputError
/// if the file is damaged.
void add_gap_to_training_stats(const std::filesystem::path& run, const ValidationTestGap& gap);

/// Returns the gap in training_stats.json or in ood_evaluation_results.json. If both files have a gap, a
/// large gap has priority. If neither file has a gap, returns nothing. Throws InputError with the file if a
/// file is damaged.
std::optional<ValidationTestGap> stored_gap(const std::filesystem::path& run);

/// Returns the gap between the mean AUROCs of several runs, or nothing if there are no runs. It counts as
/// large if most of the runs have a large gap.
std::optional<ValidationTestGap> mean_gap(std::span<const ValidationTestGap> gaps);

}  // namespace molgauge::ood
