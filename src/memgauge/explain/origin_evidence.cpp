#include "memgauge/explain/origin_evidence.h"

#include <algorithm>
#include <string_view>

namespace molgauge::allocator {
namespace {

bool has_word(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

OriginEvidence of_phase(std::string_view name) {
  OriginEvidence evidence;
  evidence.region = has_word(name, "backward")                             ? Region::backward
                    : has_word(name, "optimi")                             ? Region::optimizer
                    : has_word(name, "forward") || has_word(name, "encod") ? Region::forward
                                                                           : Region::unknown;
  return evidence;
}

bool copies(std::string_view operation) {
  return operation == "aten::to" || operation == "aten::_to_copy" || operation == "aten::copy_";
}

OriginEvidence of_stack(const StackSummary& stack) {
  OriginEvidence evidence;
  evidence.is_certain = true;
  evidence.is_cast = stack.is_cast;
  evidence.is_copy = copies(stack.operation);
  evidence.builds_in_torch = stack.builds_in_torch;
  evidence.accumulates = stack.operation == "AccumulateGrad";
  evidence.region = stack.is_workspace   ? Region::workspace
                    : stack.in_optimizer ? Region::optimizer
                    : stack.in_backward  ? Region::backward
                    : stack.in_forward   ? Region::forward
                    : stack.builds_model ? Region::building
                    : stack.has_frames   ? Region::outside
                                         : Region::unknown;
  return evidence;
}

}  // namespace

std::vector<OriginEvidence> evidence_by_origin(const Recording& recording) {
  std::vector<OriginEvidence> evidence(recording.origins.size());
  if (recording.stacks.empty()) {
    std::transform(recording.origins.begin(), recording.origins.end(), evidence.begin(),
                   [](const std::string& name) { return of_phase(name); });
    return evidence;
  }
  const auto any = [&](auto has) {
    return std::any_of(recording.stacks.begin(), recording.stacks.end(), has);
  };
  const bool trains = any([](const StackSummary& stack) { return stack.in_optimizer; });
  const bool has_native_frames = any([](const StackSummary& stack) { return !stack.operation.empty(); });
  for (std::size_t origin = 0; origin < evidence.size(); ++origin) {
    const StackSummary& stack = recording.stacks[origin];
    evidence[origin] = of_stack(stack);
    if (!stack.has_frames && recording.origins[origin] == kNoStack && trains && !has_native_frames) {
      evidence[origin] = {.region = Region::backward};
    }
  }
  return evidence;
}

bool has_backward_pass(const std::vector<OriginEvidence>& evidence, const std::vector<Lifetime>& lifetimes) {
  return std::any_of(lifetimes.begin(), lifetimes.end(), [&](const Lifetime& one) {
    return !one.resident && one.bytes > 0 && evidence[one.origin].region == Region::backward;
  });
}

}  // namespace molgauge::allocator
