#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

inline constexpr std::size_t kRoles = 9;

/// The purposes of the allocations of a recording, by allocation.
struct Roles {
  std::vector<MemoryRole> of;
  std::vector<RoleCertainty> certainty;
};

/// Finds the role of each allocation from five kinds of evidence:
///   frames      constructors, modules, the optimizer, autograd nodes, autocast, workspaces of libraries
///   lifetimes   parameters, gradients and optimizer state live on after the pass that made them
///   sizes       a gradient is as large as a parameter, and a bf16 copy half as large
///   repetition  a copy of a weight comes back in each iteration, as often as there are weights of its size
///   replacement a tensor made in a step that takes the place of another has the role of the other
/// If the evidence is weak or ambiguous, the role is unknown. Without frames, phases and lifetimes decide.
///
/// `horizon`: the event after which the program only freed memory, because a request failed.
Roles roles_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
               const Iterations& iterations, std::size_t horizon);

/// Whether an allocation shrinks with the batch, by allocation: inputs, activations and temporaries of the
/// backward pass. Allocations without a role do if the program frees them.
std::vector<bool> follows_batch(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                const std::vector<MemoryRole>& roles);

/// "activations", "optimiser state".
const char* name_of(MemoryRole role);
const char* name_of(RoleCertainty certainty);

/// Requested bytes that are live after `event`, by role.
std::array<std::uint64_t, kRoles> live_by_role(const std::vector<Lifetime>& lifetimes,
                                               const std::vector<MemoryRole>& roles, std::size_t event);

}  // namespace headroom::allocator
