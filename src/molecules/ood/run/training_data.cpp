#include "molecules/ood/run/training_data.h"

#include <array>
#include <sstream>
#include <utility>

#include "base/core/error.h"
#include "base/core/hash.h"

namespace molgauge::ood {
namespace {

using Part = std::pair<const char*, const at::Tensor*>;

std::array<Part, 4> parts(const TrainingData& data) {
  return {{{"train_id", &data.train_id},
           {"train_ood", &data.train_ood},
           {"val_id", &data.val_id},
           {"val_ood", &data.val_ood}}};
}

}  // namespace

void validate(const TrainingData& data) {
  for (const auto& [name, tensor] : parts(data)) {
    const auto refuse = [part = name](const std::string& reason) {
      throw InputError(std::string("features of ") + part + ": " + reason);
    };
    if (!tensor->defined() || tensor->dim() != 2 || tensor->size(0) == 0) {
      refuse(
          "no molecules. Training needs at least one ID and one OOD molecule each for training and "
          "validation");
    }
    if (tensor->scalar_type() != at::kFloat || tensor->size(1) != data.train_id.size(1) ||
        tensor->device() != data.train_id.device()) {
      refuse("not float32 of the same width and device as the other parts");
    }
    // The minimum and the maximum need no memory. A mask of all numbers would need as much memory as the
    // features.
    if (!at::isfinite(tensor->amin() + 0 * tensor->amax()).item<bool>()) {
      refuse("a number is not finite. Leave out the molecules that failed");
    }
  }
}

std::string data_identity(const TrainingData& data) {
  std::ostringstream shapes_and_sums;
  for (const auto& [name, tensor] : parts(data)) {
    const at::Tensor local = tensor->to(at::kCPU).contiguous();
    const std::span<const float> numbers(local.data_ptr<float>(), static_cast<std::size_t>(local.numel()));
    shapes_and_sums << name << local.sizes() << checksum64(std::as_bytes(numbers)) << ';';
  }
  std::ostringstream hexadecimal;
  const std::string text = shapes_and_sums.str();
  hexadecimal << std::hex << checksum64(std::as_bytes(std::span(text.data(), text.size())));
  return hexadecimal.str();
}

}  // namespace molgauge::ood
