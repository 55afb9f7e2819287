#include "molecules/judging/predictions/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "molecules/judging/clustered_estimates.h"
#include "molecules/judging/predictions/class_calibration.h"
#include "molecules/judging/predictions/correlation.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kBinsOfDistance = 5, kMinInBinOfDistance = 10;

double size_of(const CrossValidated& result, bool is_classification) {
  return is_classification ? static_cast<double>(result.classes) : result.upper - result.lower;
}

template <typename Takes>
Share covered(std::span<const CrossValidated> results, double other_design_effect, const Takes& takes) {
  std::vector<bool> holds;
  std::vector<std::string> clusters;
  for (const CrossValidated& result : results) {
    if (takes(*result.molecule)) {
      holds.push_back(result.is_covered);
      clusters.push_back(result.molecule->scaffold);
    }
  }
  return share_with_interval(holds, clusters, other_design_effect);
}

bool takes_all(const CalibrationMolecule&) { return true; }

/// A number of each molecule, clustered by scaffold.
template <typename Number>
std::vector<ClusteredValue> by_scaffold(std::span<const CrossValidated> results, const Number& number) {
  std::map<std::string_view, std::size_t> clusters;
  std::vector<ClusteredValue> values;
  for (const CrossValidated& result : results) {
    const std::size_t cluster =
        clusters.try_emplace(result.molecule->scaffold, clusters.size()).first->second;
    values.push_back({number(result), cluster});
  }
  return values;
}

CalibrationReport::Bin bin_of(std::span<const CrossValidated> results, bool is_classification,
                              double design) {
  CalibrationReport::Bin bin;
  bin.low = results.front().molecule->place.distance;
  bin.high = results.back().molecule->place.distance;
  bin.coverage = covered(results, design, takes_all);
  const Estimate error =
      clustered_mean(by_scaffold(results, [](const CrossValidated& own) { return error_of(*own.molecule); }));
  bin.error = error.value;
  bin.error_low = std::isnan(error.low) ? error.low : std::max(0.0, error.low);
  bin.error_high = error.high;
  for (const CrossValidated& result : results) {
    bin.width += size_of(result, is_classification) / static_cast<double>(results.size());
  }
  return bin;
}

/// Spearman's correlation of expected and true errors, or the AUROC of the expected error for wrong classes.
double order_of_errors(std::span<const CrossValidated> results, bool is_classification) {
  std::vector<double> expected, errors;
  std::vector<ClassifiedMolecule> classified;
  for (const CrossValidated& result : results) {
    const CalibrationMolecule& own = *result.molecule;
    if (std::isfinite(result.expected_error)) {
      expected.push_back(result.expected_error);
      errors.push_back(error_of(own));
      classified.push_back(
          {result.expected_error, predicts_one(own.predicted.value) != (own.measured == 1), expected.size()});
    }
  }
  return is_classification ? clustered_auroc(classified).value : spearman_correlation(expected, errors);
}

}  // namespace

void summarise(std::span<const CrossValidated> results, bool is_classification, CalibrationReport& report) {
  const double design = design_effect(
      by_scaffold(results, [](const CrossValidated& own) { return own.is_covered ? 1.0 : 0.0; }));
  report.coverage = covered(results, design, takes_all);
  for (std::size_t verdict = 0; verdict < report.by_verdict.size(); ++verdict) {
    report.by_verdict[verdict] = covered(
        results, design, [&](const CalibrationMolecule& own) { return own.place.verdict == verdict; });
    double sum = 0;
    std::size_t molecules = 0;
    for (const CrossValidated& result : results) {
      if (result.molecule->place.verdict == verdict) {
        sum += error_of(*result.molecule);
        ++molecules;
      }
    }
    report.error_by_verdict[verdict] = molecules == 0 ? kNoNumber : sum / static_cast<double>(molecules);
  }
  for (std::size_t label = 0; is_classification && label < report.by_class.size(); ++label) {
    report.by_class[label] = covered(results, design, [&](const CalibrationMolecule& own) {
      return own.measured == static_cast<double>(label);
    });
  }
  std::vector<CrossValidated> sorted(results.begin(), results.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const CrossValidated& one, const CrossValidated& other) {
    return one.molecule->place.distance < other.molecule->place.distance;
  });
  const std::size_t bins = std::min(kBinsOfDistance, sorted.size() / kMinInBinOfDistance);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = bin * sorted.size() / bins, end = (bin + 1) * sorted.size() / bins;
    report.by_distance.push_back(
        bin_of(std::span(sorted).subspan(first, end - first), is_classification, design));
  }
  report.order_of_errors = order_of_errors(results, is_classification);
  const auto count = static_cast<double>(results.size());
  std::vector<double> predicted, calibrated;
  std::vector<bool> labels;
  std::vector<std::string> clusters;
  for (const CrossValidated& result : results) {
    report.width += size_of(result, is_classification) / count;
    report.winkler += result.winkler / count;
    if (is_classification && std::isfinite(result.probability)) {
      predicted.push_back(result.molecule->predicted.value);
      calibrated.push_back(result.probability);
      labels.push_back(result.molecule->measured == 1);
      clusters.push_back(result.molecule->scaffold);
    }
  }
  report.predicted = reliability(predicted, labels, clusters);
  report.calibrated = reliability(calibrated, labels, clusters);
}

}  // namespace molgauge::domain
