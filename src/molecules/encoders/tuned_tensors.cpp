#include "molecules/encoders/tuned_tensors.h"

#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/hash.h"
#include "base/io/tensors/safetensors.h"

namespace molgauge::encoders {
namespace {

constexpr const char* kRemedy = "Train again with --restart, or into another folder";

bool is_tuned(std::string_view name) { return name.starts_with(kTunedPrefix); }

}  // namespace

std::string fingerprint_of_tuned(const io::TensorMap& tensors) {
  std::string text;
  for (const auto& [name, tensor] : tensors) {
    if (is_tuned(name)) {
      text += fmt::format("{} {:016x};", name, checksum64(tensor.bytes));
    }
  }
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(text))));
}

std::string replace_by_tuned(io::TensorMap& tensors, const std::filesystem::path& file) {
  require_intact(file, kRemedy);
  const io::TensorMap found = io::read_safetensors(file).tensors;
  bool has_any = false;
  for (const auto& [name, tensor] : found) {
    if (!is_tuned(name)) {
      continue;
    }
    const auto own = tensors.find(name.substr(std::string_view(kTunedPrefix).size()));
    if (own == tensors.end() || own->second.shape != tensor.shape) {
      throw InputError(
          fmt::format("{}: its tensor '{}' does not belong to the encoder, or has another shape. Use the "
                      "weights with which the training began",
                      file.string(), name));
    }
    own->second = tensor;
    has_any = true;
  }
  if (!has_any) {
    throw InputError(
        fmt::format("{}: holds no layers of an encoder, although its config.json says that they "
                    "were trained. {}",
                    file.string(), kRemedy));
  }
  return fingerprint_of_tuned(found);
}

}  // namespace molgauge::encoders
