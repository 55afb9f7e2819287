#include "engine/trained_run.h"

#include "ood/run_results.h"

namespace headroom::verbs {
namespace {

EncodingSettings with_encoder(EncodingSettings settings, const std::string& encoder) {
  settings.encoder = encoder;
  return settings;
}

}  // namespace

std::string encoder_identity(const encoders::Encoder& encoder) {
  return store::database_name(pipeline::feature_space(encoder));
}

TrainedRun::TrainedRun(const std::filesystem::path& run, EncodingSettings settings,
                       memory::PhaseRecorder& recorder)
    : run_(run),
      config_(ood::read_run_config(run)),
      session_(with_encoder(std::move(settings), config_.request.encoder), recorder) {
  const encoders::Encoder& encoder = session_.encoder();
  ood::require_encoder(run_, config_, encoder.identity().encoder, encoder_identity(encoder), encoder.width());
}

ood::EnergyHead TrainedRun::head(c10::Device device) const {
  ood::EnergyHead head = ood::load_best_model(run_, config_.feature_width);
  head.to(device);
  return head;
}

}  // namespace headroom::verbs
