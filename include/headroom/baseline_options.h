#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom {

/// An option of `headroom baseline` that not every method looks at.
struct PartialOption {
  std::string_view name;     ///< on the command line, without dashes; the same in specifications
  std::string_view methods;  ///< the names of the methods in question begin with this
  bool is_theirs = true;     ///< they alone look at it; false: all others do
  std::string_view remark;   ///< what to do, for messages
};

/// The one list, for the command line and for specifications of matrices.
inline constexpr std::array kPartialOptions = {
    PartialOption{"odin-temperature", "odin", true, "it belongs to odin"},
    PartialOption{"odin-noise", "odin", true, "it belongs to odin"},
    PartialOption{"knn-k", "knn", true, "it belongs to knn"},
    PartialOption{"lof-neighbors", "lof", true, "it belongs to lof"},
    PartialOption{"mc-dropout-samples", "mc_dropout", true, "it belongs to mc_dropout"},
    PartialOption{"mc-dropout-metric", "mc_dropout", true, "it belongs to mc_dropout"},
    PartialOption{"dam-lr", "dam_", true, "it belongs to dam_msp and dam_energy"},
    PartialOption{"dam-margin", "dam_", true, "it belongs to dam_msp and dam_energy"},
    PartialOption{"lr", "dam_", false, "the learning rate of dam_msp and dam_energy is dam-lr"},
};

/// Why the option changes nothing for the method ("all": every one); empty where it does.
constexpr std::string_view why_without_effect(std::string_view option, std::string_view method) {
  const auto* const found = std::find_if(kPartialOptions.begin(), kPartialOptions.end(),
                                         [&](const PartialOption& known) { return known.name == option; });
  if (method == "all" || found == kPartialOptions.end()) {
    return {};
  }
  return method.starts_with(found->methods) == found->is_theirs ? std::string_view{} : found->remark;
}

}  // namespace headroom
