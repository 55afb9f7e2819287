#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

inline constexpr std::size_t kRoles = 6;

/// The role of each allocation, by allocation. Concluded from frames (backward pass, optimiser, libraries'
/// workspaces, constructors) and from lifetimes: parameters, gradients and optimiser state outlive an
/// iteration, activations do not. Without frames, from lifetimes only.
std::vector<MemoryRole> roles_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations);

/// "activations", "optimiser state".
const char* name_of(MemoryRole role);

/// Requested bytes that are live after `event`, by role.
std::array<std::uint64_t, kRoles> live_by_role(const std::vector<Lifetime>& lifetimes,
                                               const std::vector<MemoryRole>& roles, std::size_t event);

}  // namespace headroom::allocator
