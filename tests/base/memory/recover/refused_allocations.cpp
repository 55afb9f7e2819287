#include "refused_allocations.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/numerics/torch/cpu_tensor_memory.h"

namespace molgauge::test {

std::uint64_t count_allocations(const std::function<void()>& work) {
  const memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t before = meter.allocations();
  work();
  return meter.allocations() - before;
}

void refuse_each(std::uint64_t allocations, std::size_t spread,
                 const std::function<void(std::uint64_t k)>& work) {
  ASSERT_GT(allocations, 0U);
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const bool all = std::getenv("MOLGAUGE_EVERY_ALLOCATION") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  const std::uint64_t runs = all ? allocations : std::min<std::uint64_t>(spread, allocations);
  for (std::uint64_t run = 0; run < runs && !testing::Test::HasFailure(); ++run) {
    const std::uint64_t k = runs == 1 ? 1 : 1 + run * (allocations - 1) / (runs - 1);
    SCOPED_TRACE("allocation " + std::to_string(k) + " of " + std::to_string(allocations));
    const std::uint64_t allocated = meter.allocated_bytes(), refusals = meter.refusals();
    meter.refuse_from_now(k);
    work(k);
    meter.refuse_from_now(memory::AllocationMeter::kNever);
    EXPECT_EQ(meter.refusals() - refusals, 1U);
    EXPECT_EQ(meter.allocated_bytes(), allocated) << "bytes are left behind";
  }
}

}  // namespace molgauge::test
