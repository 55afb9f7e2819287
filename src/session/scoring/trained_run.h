#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "headroom/evaluate.h"
#include "ood/head/head_weights.h"
#include "ood/run/python_run.h"
#include "ood/run/run_config.h"
#include "session/encoding/encoding_session.h"

namespace headroom::session {

/// What identifies the features a run was trained on: encoder, weights and options as in the feature store.
std::string encoder_identity(const encoders::Encoder& encoder);

/// What a finished run was made with; empty where its files do not say.
struct RunFeatures {
  std::string encoder, features, precision;
};

/// The features that the run is applied with: its own; `choice` may not contradict them. Throws UsageError
/// where it does, or the encoder is named nowhere.
EncodingSettings settings_of_run(const ModelChoice& choice, const RunFeatures& run, bool strict,
                                 const ComputeOptions& compute);

/// A finished training, ready to be applied with the encoder it was trained on.
class TrainedRun {
 public:
  /// Throws InputError when there is no run, or the encoder's weights are not those the run was trained with;
  /// UsageError when an encoder or features are asked for that are not the run's.
  TrainedRun(const ModelChoice& choice, bool strict, const ComputeOptions& compute, MemorySession& memory);

  const TrainRequest& request() const { return config_.request; }
  /// Of the benchmark that it was trained on; empty when unknown.
  const std::string& benchmark_checksum() const { return config_.benchmark_checksum; }
  /// Was it trained by the Python project?
  bool is_python() const { return python_.has_value(); }
  /// Where a Python run's data lay; empty when unknown.
  const std::string& data_path() const { return python_->data_path; }
  EncodingSession& session() { return session_; }

  /// The numbers of the best head.
  ood::HeadWeights head() const;

 private:
  std::filesystem::path run_;
  std::optional<ood::PythonRun> python_;
  ood::RunConfig config_;
  EncodingSession session_;
};

}  // namespace headroom::session
