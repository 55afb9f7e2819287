#include "models/domain/predictions/calibration_report.h"

#include <algorithm>
#include <cmath>

namespace headroom::domain {
namespace {

constexpr std::size_t kBinsOfDistance = 5, kMinInBinOfDistance = 10;

double size_of(const CrossValidated& result, bool is_classification) {
  return is_classification ? static_cast<double>(result.classes) : result.upper - result.lower;
}

template <typename Takes>
Share covered(std::span<const CrossValidated> results, const Takes& takes) {
  std::vector<bool> holds;
  std::vector<std::string> clusters;
  for (const CrossValidated& result : results) {
    if (takes(*result.molecule)) {
      holds.push_back(result.is_covered);
      clusters.push_back(result.molecule->scaffold);
    }
  }
  return share_with_interval(holds, clusters);
}

CalibrationReport::Bin bin_of(std::span<const CrossValidated> results, bool is_classification) {
  CalibrationReport::Bin bin;
  bin.low = results.front().molecule->place.distance;
  bin.high = results.back().molecule->place.distance;
  bin.coverage = covered(results, [](const CalibrationMolecule&) { return true; });
  const auto count = static_cast<double>(results.size());
  double squares = 0;
  for (const CrossValidated& result : results) {
    const double error = std::abs(result.molecule->measured - result.molecule->predicted.value);
    bin.error += error / count;
    squares += error * error / count;
    bin.width += size_of(result, is_classification) / count;
  }
  const double reach =
      1.96 * std::sqrt(std::max(0.0, squares - bin.error * bin.error) / std::max(1.0, count - 1));
  bin.error_low = std::max(0.0, bin.error - reach);
  bin.error_high = bin.error + reach;
  return bin;
}

}  // namespace

void summarise(std::span<const CrossValidated> results, bool is_classification, CalibrationReport& report) {
  report.coverage = covered(results, [](const CalibrationMolecule&) { return true; });
  for (std::size_t verdict = 0; verdict < report.by_verdict.size(); ++verdict) {
    report.by_verdict[verdict] =
        covered(results, [&](const CalibrationMolecule& own) { return own.place.verdict == verdict; });
  }
  for (std::size_t label = 0; is_classification && label < report.by_class.size(); ++label) {
    report.by_class[label] = covered(
        results, [&](const CalibrationMolecule& own) { return own.measured == static_cast<double>(label); });
  }
  std::vector<CrossValidated> sorted(results.begin(), results.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const CrossValidated& one, const CrossValidated& other) {
    return one.molecule->place.distance < other.molecule->place.distance;
  });
  const std::size_t bins = std::min(kBinsOfDistance, sorted.size() / kMinInBinOfDistance);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = bin * sorted.size() / bins, end = (bin + 1) * sorted.size() / bins;
    report.by_distance.push_back(bin_of(std::span(sorted).subspan(first, end - first), is_classification));
  }
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

}  // namespace headroom::domain
