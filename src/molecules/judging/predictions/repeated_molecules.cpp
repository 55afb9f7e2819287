#include "molecules/judging/predictions/repeated_molecules.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace molgauge::domain {
namespace {

CalibrationMolecule mean_measurement(const std::vector<const CalibrationMolecule*>& measurements) {
  CalibrationMolecule mean = *measurements.front();
  if (measurements.size() == 1) {
    return mean;
  }
  mean.measurements = measurements.size();
  const auto average = [&](double& to, const auto& part) {
    double sum = 0;
    for (const CalibrationMolecule* const own : measurements) {
      sum += part(*own);
    }
    to = sum / static_cast<double>(measurements.size());
  };
  average(mean.measured, [](const CalibrationMolecule& own) { return own.measured; });
  average(mean.simple_prediction, [](const CalibrationMolecule& own) { return own.simple_prediction; });
  average(mean.predicted.value, [](const CalibrationMolecule& own) { return own.predicted.value; });
  average(mean.predicted.uncertainty,
          [](const CalibrationMolecule& own) { return own.predicted.uncertainty; });
  average(mean.predicted.lower, [](const CalibrationMolecule& own) { return own.predicted.lower; });
  average(mean.predicted.upper, [](const CalibrationMolecule& own) { return own.predicted.upper; });
  return mean;
}

}  // namespace

MergedCalibration merge_repeated(const std::vector<CalibrationMolecule>& molecules, bool are_classes) {
  std::vector<std::vector<const CalibrationMolecule*>> groups;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const CalibrationMolecule& own : molecules) {
    const auto [known, is_new] =
        own.smiles.empty() ? std::pair(places.end(), true) : places.try_emplace(own.smiles, groups.size());
    if (is_new) {
      groups.push_back({&own});
    } else {
      groups[known->second].push_back(&own);
    }
  }
  MergedCalibration result;
  for (const auto& group : groups) {
    CalibrationMolecule mean = mean_measurement(group);
    if (are_classes && mean.measured == 0.5) {
      ++result.undecided;
      continue;
    }
    if (are_classes) {
      mean.measured = mean.measured > 0.5 ? 1 : 0;
    }
    result.molecules.push_back(std::move(mean));
  }
  std::stable_sort(result.molecules.begin(), result.molecules.end(),
                   [](const CalibrationMolecule& one, const CalibrationMolecule& other) {
                     return one.smiles < other.smiles;
                   });
  return result;
}

}  // namespace molgauge::domain
