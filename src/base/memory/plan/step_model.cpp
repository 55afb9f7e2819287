#include "base/memory/plan/step_model.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace molgauge::memory {

std::string to_string(const StepSettings& settings) {
  std::string text;
  const auto add = [&](bool is_on, const char* word) {
    if (is_on) {
      text += (text.empty() ? "" : ", ") + std::string(word);
    }
  };
  add(settings.accumulating, "accumulation");
  add(settings.checkpointing, "checkpointing");
  if (settings.parts_at_once > 0) {
    text +=
        fmt::format(", {} part{} at once", settings.parts_at_once, settings.parts_at_once == 1 ? "" : "s");
  }
  add(settings.precision == Precision::bf16, "bf16");
  return text.empty() ? "plain" : text;
}

const char* to_string(AllocationTag contributor) {
  // In the order of the enum.
  static constexpr std::array<const char*, 6> kNames = {
      "parameters", "optimizer state", "gradients", "activations", "workspace", "kept between steps"};
  return kNames.at(static_cast<std::size_t>(contributor));
}

}  // namespace molgauge::memory
