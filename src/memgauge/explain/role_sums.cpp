#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_set>

#include "memgauge/explain/origin_evidence.h"
#include "memgauge/explain/roles.h"

namespace molgauge::allocator {
namespace {

/// Sizes of parameters in a program without a backward pass. Its temporaries of these sizes come from the
/// update of the parameters. Empty if the program has a backward pass, or if the recording has no stacks.
std::unordered_set<std::uint64_t> sizes_of_parameters(const Recording& recording,
                                                      const std::vector<Lifetime>& lifetimes,
                                                      const std::vector<MemoryRole>& roles) {
  std::unordered_set<std::uint64_t> sizes;
  if (recording.stacks.empty() || has_backward_pass(evidence_by_origin(recording), lifetimes)) {
    return sizes;
  }
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const bool is_permanent = lifetimes[i].resident && lifetimes[i].died == Lifetime::kNever;
    if (roles[i] == MemoryRole::parameters || is_permanent) {
      sizes.insert(lifetimes[i].bytes);
    }
  }
  return sizes;
}

}  // namespace

std::vector<bool> follows_batch(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                const std::vector<MemoryRole>& roles) {
  std::vector<bool> follows(lifetimes.size(), false);
  const auto sizes = sizes_of_parameters(recording, lifetimes, roles);
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const bool is_as_large = sizes.count(lifetimes[i].bytes) > 0;
    switch (roles[i]) {
      case MemoryRole::activations:
      case MemoryRole::inputs:
        follows[i] = true;
        break;
      case MemoryRole::temporaries:
        follows[i] = !stack_of(recording, lifetimes[i].origin).in_optimizer && !is_as_large;
        break;
      case MemoryRole::unknown:
        follows[i] = lifetimes[i].died != Lifetime::kNever && !is_as_large;
        break;
      default:
        break;
    }
  }
  return follows;
}

const char* name_of(MemoryRole role) {
  switch (role) {
    case MemoryRole::parameters:
      return "parameters";
    case MemoryRole::gradients:
      return "gradients";
    case MemoryRole::optimizer_state:
      return "optimizer state";
    case MemoryRole::activations:
      return "activations";
    case MemoryRole::workspace:
      return "workspace";
    case MemoryRole::weight_copies:
      return "weight copies";
    case MemoryRole::inputs:
      return "inputs";
    case MemoryRole::temporaries:
      return "temporaries";
    case MemoryRole::unknown:
      break;
  }
  return "unknown";
}

const char* name_of(RoleCertainty certainty) {
  switch (certainty) {
    case RoleCertainty::certain:
      return "certain";
    case RoleCertainty::likely:
      return "likely";
    case RoleCertainty::unknown:
      break;
  }
  return "unknown";
}

std::array<std::uint64_t, kRoles> live_by_role(const std::vector<Lifetime>& lifetimes,
                                               const std::vector<MemoryRole>& roles, std::size_t event) {
  std::array<std::uint64_t, kRoles> bytes{};
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    bytes.at(static_cast<std::size_t>(roles[i])) += lifetimes[i].lives_after(event) ? lifetimes[i].bytes : 0;
  }
  return bytes;
}

}  // namespace molgauge::allocator
