#include "base/memory/plan/step_model.h"

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
  switch (contributor) {
    case AllocationTag::parameters:
      return "parameters";
    case AllocationTag::optimizer_state:
      return "optimizer state";
    case AllocationTag::gradients:
      return "gradients";
    case AllocationTag::activations:
      return "activations";
    case AllocationTag::workspace:
      return "workspace";
    case AllocationTag::kept:
      break;
  }
  return "kept between steps";
}

}  // namespace molgauge::memory
