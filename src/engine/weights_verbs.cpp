// `headroom weights install|list|verify`.

#include "core/error.h"
#include "encoders/minimol/parameters.h"
#include "engine/folders.h"
#include "engine/verbs.h"
#include "store/weight_store.h"

namespace headroom::verbs {
namespace {

const store::PublishedWeights kMinimol = {
    .encoder = "minimol",
    .package = "minimol",
    .version = "1.3.5",
    .member = "minimol/ckpts/minimol_v1/state_dict.pth",
    .checkpoint_sha256 = "a3061e1cdbbd5e544168fbf8c1e01836c8c19ac030891d495a2ae9f29cfe97a7",
};

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

WeightsInfo install_weights(const InstallWeightsRequest& request) {
  if (request.encoder != kMinimol.encoder) {
    throw UsageError(request.encoder + ": only minimol has weights to install");
  }
  return describe(store::install_weights(kMinimol, request.from, weights_folder(request.weights),
                                         encoders::minimol::select_tensors));
}

std::vector<WeightsInfo> list_weights(const std::string& weights) {
  std::vector<WeightsInfo> found;
  for (const auto& installed : store::list_weights(weights_folder(weights))) {
    found.push_back(describe(installed));
  }
  return found;
}

}  // namespace headroom::verbs
