// Training on pockets of widely varying size, tracked and planned: what runs out of memory in epoch 5 with
// batches of a fixed number of pockets does not in 300 epochs.

#include <optional>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "allocator/event_log.h"
#include "allocator/simulation.h"
#include "memory/planner.h"
#include "ops/cpu_tensor_memory.h"
#include "workloads/pocket_workload.h"

namespace headroom::workloads {
namespace {

using memory::ItemSize;

constexpr std::uint64_t kBudget = std::uint64_t{96} << 20;
constexpr std::size_t kPockets = 30, kEffectiveBatch = 15, kEpochs = 300;

struct NoMarks : memory::StepMarks {
  void allocating(memory::Contributor) override {}
};

/// Takes down what is allocated, for the simulator.
class Log final : public memory::AllocationObserver {
 public:
  Log() : origin_(log_.origin("train")) {}
  void allocated(std::uintptr_t address, std::uint64_t bytes) override {
    log_.allocate(address, bytes, 0, origin_);
  }
  void freed(std::uintptr_t address, std::uint64_t bytes) override { log_.free(address, bytes, 0); }
  void refused(std::uint64_t bytes) override { log_.out_of_memory(bytes, 0, origin_); }
  allocator::Recording finish() { return log_.finish(); }

 private:
  allocator::EventLog log_;
  std::uint32_t origin_;
};

/// Pockets of an epoch; the largest ones come in with epoch 5.
std::vector<ItemSize> pockets_of_epoch(std::size_t epoch) {
  std::vector<ItemSize> pockets;
  const std::vector<ItemSize> all = pocket_sizes(kPockets);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ItemSize& pocket = all[(i * 7 + epoch * 11) % all.size()];
    pockets.push_back(epoch < 5 && pocket.atoms > 100 ? all[0] : pocket);
  }
  return pockets;
}

class EpochFive : public testing::Test {
 protected:
  EpochFive() {
    at::set_num_threads(1);
    request_.items = pocket_sizes(kPockets);
    request_.effective_batch = kEffectiveBatch;
    request_.budget_bytes = kBudget;
    request_.outside_bytes = outside_;
  }

  std::uint64_t outside_ = ops::cpu_tensor_memory().allocated_bytes();
  memory::AllocationMeter& meter_ = ops::cpu_tensor_memory();
  PocketWorkload model_{PocketShape{}};
  memory::PlanningRequest request_;
  NoMarks marks_;
};

TEST_F(EpochFive, RunsOutWithBatchesOfAFixedSize) {
  const memory::AllocationLimit limit(meter_, outside_ + kBudget);
  std::optional<std::size_t> failed;
  for (std::size_t epoch = 1; epoch <= 8 && !failed; ++epoch) {
    const std::vector<ItemSize> pockets = pockets_of_epoch(epoch);
    for (std::size_t first = 0; first < pockets.size() && !failed; first += kEffectiveBatch) {
      try {
        model_.run(std::span(pockets).subspan(first, kEffectiveBatch), {}, marks_);
        model_.remember(kEffectiveBatch);
      } catch (const std::exception&) {
        EXPECT_TRUE(ops::is_out_of_memory(std::current_exception()));
        failed = epoch;
      }
    }
  }
  EXPECT_EQ(failed, 5U);
}

TEST_F(EpochFive, NeverFailsIn300EpochsAsPlanned) {
  const memory::StepPlan plan = plan_steps(model_, meter_, request_);
  ASSERT_TRUE(plan.report.chosen) << plan.report.text;
  printf("%s", plan.report.text.c_str());
  Log log;
  meter_.observe(&log);
  {
    const memory::AllocationLimit limit(meter_, outside_ + kBudget);
    meter_.reset_peak();
    for (std::size_t epoch = 1; epoch <= kEpochs; ++epoch) {
      const std::vector<ItemSize> pockets = pockets_of_epoch(epoch);
      for (std::size_t first = 0; first < pockets.size(); first += kEffectiveBatch) {
        const auto effective = std::span(pockets).subspan(first, kEffectiveBatch);
        model_.forget_gradients();
        for (const auto& members : plan.pack(effective)) {
          std::vector<ItemSize> batch;
          for (const std::size_t member : members) {
            batch.push_back(effective[member]);
          }
          model_.accumulate(batch, plan.settings, marks_);
          model_.remember(batch.size());
        }
        model_.optimise();
      }
    }
  }
  meter_.observe(nullptr);
  EXPECT_LE(meter_.peak_bytes() - outside_, kBudget);
  EXPECT_GE(static_cast<double>(meter_.peak_bytes() - outside_), 0.85 * kBudget);
  printf("peak %f\n", (meter_.peak_bytes() - outside_) / 1048576.0);
  const auto recording = log.finish();
  for (double card : {1.0, 1.1, 1.2, 1.3, 1.5}) {
    SimulateMemoryRequest r;
    r.settings = {"", "expandable_segments:True"};
    r.capacity_bytes = static_cast<std::uint64_t>(card * kBudget);
    const auto rep = allocator::simulate(recording, r);
    for (auto& run : rep.runs) {
      printf("card %f %s fits %d reserved %f retries %lu\n", card, run.settings.c_str(), run.fits,
             run.peak_reserved_bytes / 1048576.0, run.retries);
    }
  }
}

}  // namespace
}  // namespace headroom::workloads
