#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "baselines/detectors/detector.h"
#include "baselines/detectors/methods.h"

namespace headroom::baselines {

/// METHOD_detector.safetensors in a run folder: what the detector has learned, and the scores of the
/// molecules that calibrate (in distribution, not trained on), from which thresholds come. knn and lof keep
/// the hidden features of their training molecules.
std::filesystem::path detector_file(const std::filesystem::path& folder, const std::string& method);

/// Replaced atomically. `kind`: of the labels that its classifier learned.
void write_detector(const std::filesystem::path& folder, const std::string& method, const Detector& detector,
                    LabelKind kind, const std::vector<float>& held_out);

struct StoredDetector {
  std::unique_ptr<Detector> detector;
  std::int64_t feature_width = 0;
  std::vector<float> held_out;  ///< scores of held-out in-distribution molecules
};

/// The detector of a finished method, which gives the same scores, to the byte, as the one that was written.
/// Throws InputError naming the file and what to do when it, or its classifier, is missing or damaged.
StoredDetector read_detector(const std::filesystem::path& folder, const std::string& method,
                             const MethodOptions& options);

}  // namespace headroom::baselines
