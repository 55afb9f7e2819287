#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/methods.h"

namespace molgauge::baselines {

/// Returns the path of METHOD_detector.safetensors in a run folder. The file contains the fitted state of the
/// detector, and the scores of the calibration molecules. These scores determine thresholds. Calibration
/// molecules are in-distribution and were not used for training. For knn and lof, the file contains the
/// hidden features of the training molecules.
std::filesystem::path detector_file(const std::filesystem::path& folder, const std::string& method);

/// Replaces the file atomically. `kind`: kind of the labels of the classifier.
void write_detector(const std::filesystem::path& folder, const std::string& method, const Detector& detector,
                    LabelKind kind, const std::vector<float>& held_out);

struct StoredDetector {
  std::unique_ptr<Detector> detector;
  std::int64_t feature_width = 0;
  std::vector<float> held_out;  ///< scores of held-out in-distribution molecules
};

/// Reads the detector of a finished method. Its scores are bit-identical to the scores of the detector that
/// was written. Throws InputError naming the file and the fix if the detector or its classifier is missing or
/// damaged.
StoredDetector read_detector(const std::filesystem::path& folder, const std::string& method,
                             const MethodOptions& options);

}  // namespace molgauge::baselines
