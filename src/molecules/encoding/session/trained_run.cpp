#include "molecules/encoding/session/trained_run.h"

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/session/log.h"
#include "molecules/ood/run/run_results.h"

namespace molgauge::session {
namespace {

ood::RunConfig config_of(const std::filesystem::path& run, const std::optional<ood::PythonRun>& python) {
  if (!python) {
    return ood::read_run_config(run);
  }
  ood::RunConfig config;
  config.request = python->request;
  return config;
}

/// Returns the requested value, or the value of the run if no value was requested. Throws UsageError if the
/// values contradict each other.
std::string agreed(const char* option, const std::string& asked, const std::string& of_run) {
  if (!asked.empty() && !of_run.empty() && asked != of_run) {
    throw UsageError(std::string(option) + " " + asked + ": the run was trained with " + of_run +
                     ". Leave the option out");
  }
  return asked.empty() ? of_run : asked;
}

/// Returns the features of a run. For a Python run, `features` is empty. The run may have been trained on
/// features that were imported into Molgauge, and its files do not record this.
RunFeatures features_of(const TrainRequest& run, const std::filesystem::path& folder, bool python) {
  RunFeatures features = features_of_run(run, folder);
  if (python) {
    features.features = "";
  }
  return features;
}

}  // namespace

RunFeatures features_of_run(const TrainRequest& request, const std::filesystem::path& folder) {
  RunFeatures features{.encoder = request.encoder,
                       .features = request.features,
                       .precision = request.compute.precision,
                       .placement = request.placement};
  if (request.finetune_encoder) {
    features.tuned = ood::best_model_file(folder);
  }
  return features;
}

EncodingSettings settings_of_run(const ModelChoice& choice, const RunFeatures& run, bool strict,
                                 const ComputeOptions& compute) {
  EncodingSettings settings;
  settings.encoder = agreed("--encoder", choice.encoder, run.encoder);
  if (settings.encoder.empty()) {
    throw UsageError(choice.run + ": does not name the encoder of its training. Add --encoder minimol");
  }
  settings.features = agreed("--features", choice.features, run.features);
  if (settings.features.empty()) {
    settings.features = "native";
    log_warning(
        "{}: was trained by the Python project, whose fingerprints differ slightly from Molgauge's "
        "(docs/how-to/migrate-from-python.md). To use the original fingerprints, add --features "
        "imported:NAME",
        choice.run);
  }
  settings.store = choice.store;
  settings.weights = choice.weights;
  settings.strict = strict;
  settings.for_a_head = true;
  settings.tuned = run.tuned;
  settings.placement = run.placement;
  settings.placement.conformer_deadline = choice.conformer_deadline;
  settings.compute = compute;
  settings.compute.precision =
      agreed("--precision", resolve_precision(compute, settings.encoder), run.precision);
  return settings;
}

std::string encoder_identity(const encoders::Encoder& encoder) {
  return store::database_name(pipeline::feature_space(encoder));
}

TrainedRun::TrainedRun(const ModelChoice& choice, bool strict, const ComputeOptions& compute,
                       runtime::BudgetScope& memory, EncoderCache* kept)
    : run_(choice.run),
      python_(ood::find_python_run(run_)),
      config_(config_of(run_, python_)),
      session_(open_session(
          kept, settings_of_run(choice, features_of(config_.request, run_, is_python()), strict, compute),
          memory)) {
  if (is_python()) {
    return;
  }
  note_missing_checksums(run_);
  const encoders::Encoder& encoder = session_.encoder();
  ood::require_encoder(run_, config_, encoder.identity().encoder, encoder_identity(encoder), encoder.width());
}

ood::HeadWeights TrainedRun::head() const {
  ood::HeadWeights head =
      is_python() ? ood::load_python_head(python_->model) : ood::load_best_model(run_, config_.feature_width);
  const auto width = static_cast<std::int64_t>(session_.encoder().width());
  if (head.feature_width() != width) {
    throw InputError(run_.string() + ": its head reads " + std::to_string(head.feature_width()) +
                     " features, the encoder gives " + std::to_string(width));
  }
  return head;
}

}  // namespace molgauge::session
