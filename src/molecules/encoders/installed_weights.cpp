#include "molecules/encoders/installed_weights.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/home.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/sealed_json.h"
#include "base/io/tensors/safetensors.h"

namespace molgauge::encoders {
namespace {

std::string how_to_install(const EncoderDescriptor& encoder) {
  return encoder.weights->package.empty()
             ? fmt::format("{}. Install such a file with `molgauge weights install {} --from FILE`",
                           encoder.weights->where, encoder.name)
             : fmt::format("Install them with `molgauge weights install {}`", encoder.name);
}

/// Fills in the facts from the manifest.
void read_manifest(const EncoderDescriptor& encoder, const std::filesystem::path& manifest,
                   InstalledWeights& weights) {
  const nlohmann::json json = parse_json_or_nothing(read_file(manifest));
  const auto refuse = [&](const std::string& problem) {
    throw InputError(fmt::format("{}: {}. The weights must be installed again. {}", manifest.string(),
                                 problem, how_to_install(encoder)));
  };
  if (!json.is_object() || !json.contains("sha256") || !json["sha256"].is_string()) {
    refuse("no \"sha256\" of the weights in it");
  }
  try {
    check_seal(json);
  } catch (const InputError& damage) {
    refuse(damage.what());
  }
  weights.sha256 = json["sha256"];
  const std::vector<std::string>& variants = encoder.weights->variants;
  if (!variants.empty()) {
    if (json.contains("variant") && json["variant"].is_string()) {
      weights.variant = json["variant"];
    }
    if (std::find(variants.begin(), variants.end(), weights.variant) == variants.end()) {
      refuse(fmt::format("its \"variant\" is not one of {}", fmt::join(variants, ", ")));
    }
  }
  if (json.contains("random_seed")) {
    if (!json["random_seed"].is_number_unsigned()) {
      refuse("its \"random_seed\" is not a seed");
    }
    weights.random_seed = json["random_seed"].get<std::uint64_t>();
  }
}

}  // namespace

InstalledWeights read_installed_weights(const EncoderDescriptor& encoder,
                                        const std::filesystem::path& weights) {
  const std::filesystem::path folder = (weights.empty() ? home_folder() / "weights" : weights) / encoder.name;
  const std::filesystem::path tensors = folder / (encoder.name + ".safetensors");
  const std::filesystem::path manifest = folder / "manifest.json";
  for (const std::filesystem::path& file : {tensors, manifest}) {
    if (!std::filesystem::exists(file)) {
      throw Error(fmt::format("{}: the weights of {} are not installed here. {}", file.string(), encoder.name,
                              how_to_install(encoder)));
    }
  }
  InstalledWeights installed;
  read_manifest(encoder, manifest, installed);
  installed.tensors = encoder.select_weights(io::read_safetensors(tensors).tensors, tensors);
  return installed;
}

}  // namespace molgauge::encoders
