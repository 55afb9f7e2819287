#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace molgauge::test {

/// The number of tensors that `work` allocates on the CPU.
std::uint64_t count_allocations(const std::function<void()>& work);

/// Runs work() for up to `spread` numbers k, which are spread evenly over 1 .. `allocations`, and refuses the
/// k-th tensor allocation. If $MOLGAUGE_EVERY_ALLOCATION is set, tests every k. After each run, expects that
/// exactly one allocation was refused and that the allocated memory is unchanged.
void refuse_each(std::uint64_t allocations, std::size_t spread,
                 const std::function<void(std::uint64_t k)>& work);

}  // namespace molgauge::test
