#include "base/options/group.h"

#include <array>
#include <cstddef>

namespace molgauge::options {

std::string_view title(Group group) {
  // The headings, in the order of Group.
  static constexpr std::array<std::string_view, static_cast<std::size_t>(Group::logging) + 1> kTitles = {
      "Options",
      "Input",
      "Output",
      "Data",
      "Predictions",
      "Applicability domain",
      "Encoder",
      "Conformers",
      "Model",
      "Training",
      "Fine-tuning",
      "Detector",
      "Graphs",
      "Search",
      "GPU and allocator",
      "Server",
      "Limits",
      "Memory and speed",
      "Help and logging"};
  return kTitles.at(static_cast<std::size_t>(group));
}

}  // namespace molgauge::options
