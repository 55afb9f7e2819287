#include "encoding/session/chemprop_models.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "data/store/weights/model_files.h"
#include "data/store/weights/sha256.h"
#include "models/encoders/chemprop/chemprop_encoder.h"
#include "runtime/folders.h"

namespace headroom::session {
namespace {

bool has_checkpoints(const std::filesystem::path& folder) {
  const std::filesystem::recursive_directory_iterator entries(folder);
  return std::any_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.is_regular_file() && entry.path().extension() == ".pt";
  });
}

}  // namespace

bool is_chemprop(const std::string& model) {
  const std::filesystem::path path = model;
  if (std::filesystem::is_directory(path)) {
    return !std::filesystem::exists(path / "config.json") && has_checkpoints(path);
  }
  return path.extension() == ".pt" || path.extension() == ".ckpt" ||
         store::find_published_models(model) != nullptr;
}

std::filesystem::path chemprop_path(const std::string& model, const std::string& weights) {
  if (std::filesystem::exists(model) || store::find_published_models(model) == nullptr) {
    return model;
  }
  const std::filesystem::path folder = weights_folder(weights);
  if (!store::require_intact_weights(folder, model)) {
    throw InputError(
        fmt::format("{}: these models are not installed in {}. Install them with: headroom weights "
                    "install {}",
                    model, folder.string(), model));
  }
  return store::models_folder(folder, model);
}

std::string sha256_of(const encoders::chemprop::ModelSet& set) {
  std::string hashes;
  for (const std::filesystem::path& file : set.files) {
    hashes += store::sha256_of_file(file);
  }
  return store::sha256(std::as_bytes(std::span(hashes)));
}

std::unique_ptr<encoders::Encoder> make_chemprop_encoder(const std::filesystem::path& path,
                                                         const ComputeOptions& compute) {
  const auto refuse = [&](const std::string& option, const char* reason) {
    throw UsageError(fmt::format("{} has no effect on the model {}, because {}. Leave it out", option,
                                 path.string(), reason));
  };
  if (!compute.precision.empty()) {
    refuse("--precision " + compute.precision, "it runs in 32-bit floating point");
  }
  if (compute.random_weights) {
    refuse("--random-weights", "its weights are in its file");
  }
  if (compute.device != "auto" && compute.device != "cpu") {
    refuse("--device " + compute.device, "it runs on the CPU");
  }
  const encoders::chemprop::ModelSet set = encoders::chemprop::read_models(path);
  return std::make_unique<encoders::chemprop::ChempropEncoder>(
      set, encoders::chemprop::RowContent::fingerprints, sha256_of(set));
}

}  // namespace headroom::session
