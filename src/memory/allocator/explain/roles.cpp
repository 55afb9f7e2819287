#include "memory/allocator/explain/roles.h"

namespace headroom::allocator {
namespace {

/// Whether it is live after the end of the iteration that made it, or until the end of the recording.
bool outlives_its_iteration(const Lifetime& lifetime, const Iterations& iterations) {
  if (lifetime.died == Lifetime::kNever) {
    return true;
  }
  return iterations.count() > 1 && iterations.one_begins_between(lifetime.born, lifetime.died);
}

/// The events within annotated steps of the optimiser.
std::vector<bool> annotated_steps(const Recording& recording) {
  std::vector<bool> inside;
  std::size_t open = 0;
  std::vector<bool> is_step;
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::begin_phase) {
      is_step.push_back(recording.origins[event.origin].find("Optimizer.step") != std::string::npos);
      open += is_step.back() ? 1U : 0U;
    } else if (event.kind == EventKind::end_phase && !is_step.empty()) {
      open -= is_step.back() ? 1U : 0U;
      is_step.pop_back();
    }
    if (open > 0) {
      inside.resize(recording.events.size());
      inside[i] = true;
    }
  }
  return inside;
}

}  // namespace

std::vector<MemoryRole> roles_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations) {
  const std::vector<bool> steps = annotated_steps(recording);
  std::vector<MemoryRole> roles(lifetimes.size(), MemoryRole::activations);
  const std::size_t first_iteration =
      iterations.count() > 0 ? iterations.starts.front() : recording.events.size();
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime& lifetime = lifetimes[i];
    const StackSummary& stack = stack_of(recording, lifetime.origin);
    const bool lasts = outlives_its_iteration(lifetime, iterations);
    const bool in_step = stack.in_optimizer || (!steps.empty() && steps[lifetime.born]);
    if (stack.is_workspace) {
      roles[i] = MemoryRole::workspace;
    } else if (in_step) {
      roles[i] = lasts ? MemoryRole::optimizer_state : MemoryRole::other;
    } else if (stack.in_backward) {
      const bool is_gradient = stack.operation == "AccumulateGrad" || lasts;
      roles[i] = is_gradient ? MemoryRole::gradients : MemoryRole::activations;
    } else if (stack.builds_model) {
      roles[i] = lasts ? MemoryRole::parameters : MemoryRole::other;
    } else if (lifetime.resident) {
      // Of a snapshot without a trace nothing is known of lifetimes.
      const bool stays = lifetime.died == Lifetime::kNever && recording.has_history();
      roles[i] = stays ? MemoryRole::parameters : MemoryRole::other;
    } else if (lasts && lifetime.born < first_iteration && iterations.count() > 0) {
      roles[i] = MemoryRole::parameters;
    }
  }
  return roles;
}

const char* name_of(MemoryRole role) {
  switch (role) {
    case MemoryRole::parameters:
      return "parameters";
    case MemoryRole::gradients:
      return "gradients";
    case MemoryRole::optimizer_state:
      return "optimiser state";
    case MemoryRole::activations:
      return "activations";
    case MemoryRole::workspace:
      return "workspace";
    case MemoryRole::other:
      break;
  }
  return "other";
}

std::array<std::uint64_t, kRoles> live_by_role(const std::vector<Lifetime>& lifetimes,
                                               const std::vector<MemoryRole>& roles, std::size_t event) {
  std::array<std::uint64_t, kRoles> bytes{};
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    bytes.at(static_cast<std::size_t>(roles[i])) += lifetimes[i].lives_after(event) ? lifetimes[i].bytes : 0;
  }
  return bytes;
}

}  // namespace headroom::allocator
