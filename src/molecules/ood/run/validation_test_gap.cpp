#include "molecules/ood/run/validation_test_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "molecules/judging/clustered_estimates.h"
#include "molecules/ood/run/gap_json.h"
#include "molecules/ood/run/run_results.h"

namespace molgauge::ood {
namespace {

using nlohmann::ordered_json;

constexpr double kTwoSided = 1.959963984540054;
constexpr const char* kGapRemedy = "Train again with --restart, or run 'molgauge evaluate' again";

using Classified = std::vector<domain::ClassifiedMolecule>;

/// Each molecule is a separate cluster. The variance is then the variance of DeLong.
Classified classified(std::span<const float> id, std::span<const float> ood) {
  Classified molecules;
  for (const float score : id) {
    molecules.push_back({score, false, molecules.size()});
  }
  for (const float score : ood) {
    molecules.push_back({score, true, molecules.size()});
  }
  return molecules;
}

/// Returns the JSON object in a results file, or nothing if the file does not exist.
std::optional<ordered_json> results_in(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) {
    return std::nullopt;
  }
  require_intact(file, kGapRemedy);
  auto fields = parse_json_or_nothing<ordered_json>(read_file(file));
  if (!fields.is_object()) {
    throw InputError(fmt::format("{}: is not a JSON object. {}", file.string(), kGapRemedy));
  }
  return fields;
}

std::optional<ValidationTestGap> gap_in(const std::filesystem::path& file) {
  const auto fields = results_in(file);
  if (!fields || !fields->contains(kGapKey) || fields->at(kGapKey).is_null()) {
    return std::nullopt;
  }
  try {
    const ordered_json& gap = fields->at(kGapKey);
    const auto number = [&](const char* key) {
      return gap.at(key).is_null() ? std::numeric_limits<double>::quiet_NaN() : checked<double>(gap.at(key));
    };
    return ValidationTestGap{number("validation_auroc"), number("test_auroc"), number("difference_low"),
                             number("difference_high"), checked<bool>(gap.at("is_large"))};
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(
        fmt::format("{}: {}: {}. {}", file.string(), kGapKey, json_problem(problem), kGapRemedy));
  }
}

}  // namespace

ValidationTestGap gap_between(const ValidationScores& validation, std::span<const float> test_id,
                              std::span<const float> test_ood) {
  const Classified known = classified(validation.id, validation.ood), unseen = classified(test_id, test_ood);
  const double of_validation = domain::clustered_auroc(known).value,
               of_test = domain::clustered_auroc(unseen).value, difference = of_validation - of_test;
  const double reach =
      kTwoSided * std::sqrt(domain::variance_of_auroc(known) + domain::variance_of_auroc(unseen));
  return {of_validation, of_test, difference - reach, difference + reach,
          difference > kLargeGap && difference - reach > 0};
}

std::optional<ValidationTestGap> find_gap(const std::filesystem::path& run, std::span<const float> test_id,
                                          std::span<const float> test_ood) {
  if (!std::filesystem::is_regular_file(best_model_file(run))) {
    return std::nullopt;
  }
  const auto found = find_validation_scores(run, identity_of_best_model(run));
  return found.scores ? std::optional(gap_between(*found.scores, test_id, test_ood)) : std::nullopt;
}

std::string gap_warning(const ValidationTestGap& gap) {
  if (!gap.is_large) {
    return "";
  }
  const std::string interval =
      std::isnan(gap.difference_low)
          ? ""
          : fmt::format(" (difference {:.2f}, 95 % interval {:.2f} to {:.2f})",
                        gap.validation_auroc - gap.test_auroc, gap.difference_low, gap.difference_high);
  return fmt::format(
      "the AUROC on all validation molecules is {:.2f}, but the test AUROC is {:.2f}{}. The head recognises "
      "OOD "
      "molecules that resemble its training OOD molecules better than others. Compare its verdicts on new "
      "chemistry with 'molgauge domain'",
      gap.validation_auroc, gap.test_auroc, interval);
}

void add_gap_to_training_stats(const std::filesystem::path& run, const ValidationTestGap& gap) {
  const std::filesystem::path file = training_stats_file(run);
  auto fields = results_in(file);
  if (!fields) {
    return;
  }
  (*fields)[kGapKey] = gap_json(gap);
  replace_file(file, json_text(*fields));
}

std::optional<ValidationTestGap> stored_gap(const std::filesystem::path& run) {
  const auto of_training = gap_in(training_stats_file(run)), of_evaluation = gap_in(evaluation_file(run));
  if (of_training && of_evaluation) {
    return of_evaluation->is_large ? of_evaluation : of_training;
  }
  return of_training ? of_training : of_evaluation;
}

std::optional<ValidationTestGap> mean_gap(std::span<const ValidationTestGap> gaps) {
  if (gaps.empty()) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(gaps.size());
  ValidationTestGap mean;
  std::size_t large = 0;
  for (const ValidationTestGap& own : gaps) {
    mean.validation_auroc += own.validation_auroc / count;
    mean.test_auroc += own.test_auroc / count;
    large += own.is_large ? 1 : 0;
  }
  mean.difference_low = mean.difference_high = std::numeric_limits<double>::quiet_NaN();
  mean.is_large = 2 * large > gaps.size();
  return mean;
}

}  // namespace molgauge::ood
