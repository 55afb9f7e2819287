#pragma once

#include <filesystem>
#include <string>

#include "engine/encoding_session.h"
#include "ood/energy_head.h"
#include "ood/run_config.h"

namespace headroom::verbs {

/// What identifies the features a run was trained on: encoder, weights and options as in the feature store.
std::string encoder_identity(const encoders::Encoder& encoder);

/// A finished training, ready to be applied with the encoder it was trained on.
class TrainedRun {
 public:
  /// Throws InputError when the folder holds no run, or the encoder's weights are not those the run was
  /// trained with. `settings.encoder` is left to the run.
  TrainedRun(const std::filesystem::path& run, EncodingSettings settings, memory::PhaseRecorder& recorder);

  const TrainRequest& request() const { return config_.request; }
  EncodingSession& session() { return session_; }

  /// The best head, on the device.
  ood::EnergyHead head(c10::Device device) const;

 private:
  std::filesystem::path run_;
  ood::RunConfig config_;
  EncodingSession session_;
};

}  // namespace headroom::verbs
