#include "encoders/installed_weights.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/home.h"
#include "core/json_reader.h"
#include "io/tensors/safetensors.h"

namespace headroom::encoders {
namespace {

std::string how_to_install(const EncoderDescriptor& encoder) {
  return fmt::format("install them with `headroom weights install {}`", encoder.name);
}

std::string read_sha256(const EncoderDescriptor& encoder, const std::filesystem::path& manifest) {
  const nlohmann::json json = parse_json_or_nothing(read_file(manifest));
  if (!json.is_object() || !json.contains("sha256") || !json["sha256"].is_string()) {
    throw InputError(fmt::format("{}: no \"sha256\" of the weights in it; {} again", manifest.string(),
                                 how_to_install(encoder)));
  }
  return json["sha256"];
}

}  // namespace

InstalledWeights read_installed_weights(const EncoderDescriptor& encoder,
                                        const std::filesystem::path& weights) {
  const std::filesystem::path folder = (weights.empty() ? home_folder() / "weights" : weights) / encoder.name;
  const std::filesystem::path tensors = folder / (encoder.name + ".safetensors");
  const std::filesystem::path manifest = folder / "manifest.json";
  for (const std::filesystem::path& file : {tensors, manifest}) {
    if (!std::filesystem::exists(file)) {
      throw Error(fmt::format("{}: the weights of {} are not installed here; {}", file.string(), encoder.name,
                              how_to_install(encoder)));
    }
  }
  return {.tensors = encoder.select_weights(io::read_safetensors(tensors).tensors, tensors),
          .sha256 = read_sha256(encoder, manifest)};
}

}  // namespace headroom::encoders
