#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/ood/head/head_weights.h"
#include "molecules/ood/run/python_run.h"
#include "molecules/ood/run/run_config.h"
#include "molgauge/evaluate.h"

namespace molgauge::session {

/// The identity of the features that a run was trained on: encoder, weights and options as in the store.
std::string encoder_identity(const encoders::Encoder& encoder);

/// The settings of the features of a finished run. A field is empty if the files of the run do not contain
/// its value.
struct RunFeatures {
  std::string encoder, features, precision;
  std::filesystem::path tuned = {};  ///< fine-tuned model, as in EncodingSettings
  PlacementOptions placement = {};   ///< options that affect the results, so the deadline is not set
};

/// Returns the features of a run of `molgauge train` in `folder`. `request` is the request of the run.
RunFeatures features_of_run(const TrainRequest& request, const std::filesystem::path& folder);

/// Returns the encoding settings of a run. Throws UsageError if `choice` contradicts `run`, or if neither of
/// them names the encoder.
EncodingSettings settings_of_run(const ModelChoice& choice, const RunFeatures& run, bool strict,
                                 const ComputeOptions& compute);

/// A finished training, ready for use with the encoder it was trained on.
class TrainedRun {
 public:
  /// Throws InputError if there is no run, or if the weights of the encoder have changed since the training.
  /// Throws UsageError if the request names another encoder or other features than the run. `kept`: the
  /// cache, as in open_session().
  TrainedRun(const ModelChoice& choice, bool strict, const ComputeOptions& compute,
             runtime::BudgetScope& memory, EncoderCache* kept = nullptr);

  const TrainRequest& request() const { return config_.request; }
  /// The content of config.json.
  const ood::RunConfig& config() const { return config_; }
  /// Whether the Python project trained it.
  bool is_python() const { return python_.has_value(); }
  /// Returns the data folder of a Python run, or an empty text if it is unknown. Call it only if is_python()
  /// is true.
  const std::string& data_path() const { return python_->data_path; }
  EncodingSession& session() { return session_; }

  /// The weights of the best head.
  ood::HeadWeights head() const;

 private:
  std::filesystem::path run_;
  std::optional<ood::PythonRun> python_;
  ood::RunConfig config_;
  EncodingSession session_;
};

}  // namespace molgauge::session
