// `molgauge weights install|list|verify`, and the list of encoders.

#include <utility>

#include "base/core/error.h"
#include "base/options/report_fields.h"
#include "base/options/verb.h"
#include "base/runtime/folders.h"
#include "molecules/encoders/registry.h"
#include "molecules/store/weights/model_files.h"
#include "molecules/store/weights/weight_store.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

WeightsInfo describe(const store::InstalledWeights& installed) {
  const auto& manifest = installed.manifest;
  return {.encoder = manifest.encoder,
          .source = manifest.source,
          .version = manifest.version,
          .sha256 = manifest.sha256,
          .folder = installed.folder.string(),
          .tensors = manifest.tensors,
          .numbers = manifest.numbers,
          .problem = store::find_problem(installed)};
}

}  // namespace

std::vector<EncoderInfo> list_encoders(const ListEncodersRequest& /*request*/) {
  std::vector<EncoderInfo> infos;
  for (const encoders::EncoderDescriptor& encoder : encoders::all_encoders()) {
    EncoderInfo info{.name = encoder.name,
                     .summary = encoder.summary,
                     .width = encoder.width,
                     .runs_on_gpu = encoder.runs_on_gpu,
                     .precisions = {},
                     .needs_weights = encoder.weights.has_value(),
                     .needs_weights_file = encoder.weights && encoder.weights->package.empty()};
    for (const ops::Precision precision : encoder.precisions) {
      info.precisions.emplace_back(ops::to_string(precision));
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

WeightsInfo install_weights(const InstallWeightsRequest& request) {
  if (const store::PublishedModels* const models = store::find_published_models(request.encoder)) {
    if (!request.variant.empty()) {
      throw UsageError("--variant: the models of " + request.encoder +
                       " have no variants. Leave --variant out");
    }
    return describe(store::install_models(*models, request.from, runtime::weights_folder(request.weights)));
  }
  const encoders::EncoderDescriptor& encoder = encoders::require_encoder(request.encoder);
  if (!encoder.weights) {
    throw UsageError("the encoder " + encoder.name + " has no weights to install");
  }
  return describe(store::install_weights(*encoder.weights, request.from,
                                         runtime::weights_folder(request.weights), encoder.select_weights,
                                         request.variant));
}

WeightsInfo init_weights(const InitWeightsRequest& request) {
  const encoders::EncoderDescriptor& encoder = encoders::require_encoder(request.encoder);
  if (encoder.make_random_weights == nullptr) {
    throw UsageError(encoder.name + ": Molgauge makes random weights for unimol only");
  }
  const auto size = [](const std::optional<std::size_t>& wanted) {
    return static_cast<std::int64_t>(wanted.value_or(0));
  };
  const encoders::NetworkSizes sizes{.layers = size(request.layers),
                                     .width = size(request.width),
                                     .hidden = size(request.hidden),
                                     .heads = size(request.heads),
                                     .kernels = size(request.kernels)};
  return describe(store::install_random_weights(*encoder.weights, request.seed, request.variant,
                                                encoder.make_random_weights(sizes, request.seed),
                                                runtime::weights_folder(request.weights)));
}

std::vector<WeightsInfo> list_weights(const WeightsRequest& request) {
  std::vector<WeightsInfo> found;
  for (const auto& installed : store::list_weights(runtime::weights_folder(request.weights))) {
    found.push_back(describe(installed));
  }
  return found;
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(EncoderInfo, name, summary, width, runs_on_gpu, precisions, needs_weights,
                       needs_weights_file)
MOLGAUGE_REPORT_FIELDS(WeightsInfo, encoder, source, version, sha256, folder, tensors, numbers, problem)

template <>
verbs::Verb verbs::verb<InstallWeightsRequest>() {
  return row<InstallWeightsRequest>("weights_install", install_weights);
}

template <>
verbs::Verb verbs::verb<InitWeightsRequest>() {
  return row<InitWeightsRequest>("weights_init", init_weights);
}

template <>
verbs::Verb verbs::verb<WeightsRequest>() {
  return row<WeightsRequest>("weights_list", list_weights);
}

template <>
verbs::Verb verbs::verb<ListEncodersRequest>() {
  Verb verb = without_options<ListEncodersRequest>(
      "encoders", without_caches<ListEncodersRequest>(list_encoders), Verb::Caches::kept);
  verb.run_json = [](Engine& engine, const nlohmann::json& request) -> nlohmann::json {
    if (!request.empty()) {
      throw UsageError("the verb encoders takes no options");
    }
    return engine.run(ListEncodersRequest{});
  };
  return verb;
}

}  // namespace molgauge
