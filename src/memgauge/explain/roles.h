#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memgauge/explain/iterations.h"
#include "memgauge/explain/lifetimes.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

inline constexpr std::size_t kRoles = 9;

/// The role of each allocation of a recording, and the certainty of the role.
struct Roles {
  std::vector<MemoryRole> of;
  std::vector<RoleCertainty> certainty;
};

/// Finds the role of each allocation from five kinds of evidence:
///   frames:      constructors, modules, the optimizer, autograd nodes, autocast, workspaces of libraries
///   lifetimes:   parameters, gradients and optimizer state outlive the pass that allocated them
///   sizes:       a gradient is as large as a parameter, and a bf16 copy half as large
///   repetition:  copies of weights recur in each iteration, as many as there are weights of that size
///   replacement: a tensor has the role of the tensor that it replaces in an optimizer step
/// If the evidence is weak or ambiguous, the role is unknown. Without frames, phases and lifetimes decide.
///
/// `horizon`: the failed request that ended the work, or the largest std::size_t if there is none. After the
/// failed request, the program did nothing but free memory.
Roles roles_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
               const Iterations& iterations, std::size_t horizon);

/// Element i of the result tells whether the size of allocation i depends on the batch. This is true for
/// inputs, activations and temporaries of the backward pass. It is also true for allocations without a role
/// if the program frees them.
std::vector<bool> follows_batch(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                const std::vector<MemoryRole>& roles);

/// Returns a name such as "activations" or "optimizer state".
const char* name_of(MemoryRole role);
const char* name_of(RoleCertainty certainty);

/// Requested bytes that are live after `event`, by role.
std::array<std::uint64_t, kRoles> live_by_role(const std::vector<Lifetime>& lifetimes,
                                               const std::vector<MemoryRole>& roles, std::size_t event);

}  // namespace molgauge::allocator
