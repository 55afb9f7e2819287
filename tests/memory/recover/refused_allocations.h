#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::test {

/// Tensors that `work` allocates on the CPU.
std::uint64_t count_allocations(const std::function<void()>& work);

/// Runs work() once for each of up to `spread` numbers k, spread evenly over 1 .. `allocations`. Refuses the
/// k-th tensor allocation. Tests every k if $HEADROOM_EVERY_ALLOCATION is set. Expects as much allocated
/// memory afterwards as before, and exactly one refused allocation each time.
void refuse_each(std::uint64_t allocations, std::size_t spread,
                 const std::function<void(std::uint64_t k)>& work);

}  // namespace headroom::test
