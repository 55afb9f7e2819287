#include "base/memory/plan/planner.h"

#include <list>
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/memory/plan/step_prober.h"

namespace molgauge::memory {
namespace {

using testing::HasSubstr;

/// A program that reports allocations to a meter, but allocates no memory.
class MadeUpProgram : public StepModel {
 public:
  explicit MadeUpProgram(AllocationMeter& meter) : meter_(meter) { allocate(kParameters); }
  ~MadeUpProgram() override { free_all(); }

  std::string name() const override { return "train a made-up model"; }
  std::vector<StepSettings> variants() const override { return {{}, {.checkpointing = true}}; }
  bool can_accumulate() const override { return can_accumulate_; }
  bool has_static_allocations(const StepSettings& /*settings*/) const override { return !shards_; }
  std::vector<MemoryContribution> resident(const StepSettings&) const override {
    return {{"parameters", kParameters}};
  }
  double relative_time(const Cost& cost, const StepSettings& settings) const override {
    return 10 + static_cast<double>(cost.tokens) * (settings.checkpointing ? 1.3 : 1.0);
  }
  void run(std::span<const ItemSize> batch, const StepSettings& settings, AllocationTagger& marks) override {
    const std::size_t kept = blocks_.size();
    const Cost cost = this->cost(batch);
    try {
      marks.allocating(AllocationTag::activations);
      allocate(100 * cost.tokens + 16 * cost.pairs);
      if (!settings.checkpointing) {
        allocate(900 * cost.tokens + 8);
      }
      marks.allocating(AllocationTag::workspace);
      // There is one tensor for each shard of 64 items, so the sequence of allocations depends on the batch.
      for (std::size_t i = 0; shards_ && i < cost.items / 64; ++i) {
        allocate(20'000);
      }
      allocate(30'000);
    } catch (...) {
      free_down_to(kept);
      throw;
    }
    free_down_to(kept);
  }

  static constexpr std::uint64_t kParameters = 100'000;
  bool can_accumulate_ = true, shards_ = false;

 private:
  void allocate(std::uint64_t bytes) {
    if (!meter_.admit(bytes)) {
      throw std::runtime_error("out of made-up memory");
    }
    blocks_.emplace_back(next_address_, bytes);
    meter_.placed(next_address_++, bytes);
  }
  void free_down_to(std::size_t count) {
    while (blocks_.size() > count) {
      meter_.freed(blocks_.back().first, blocks_.back().second);
      blocks_.pop_back();
    }
  }
  void free_all() { free_down_to(0); }

  AllocationMeter& meter_;
  std::uintptr_t next_address_ = 1;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> blocks_;
};

std::vector<ItemSize> made_up_items(std::size_t count) {
  std::vector<ItemSize> items;
  for (std::size_t i = 0; i < count; ++i) {
    items.push_back({10 + i * 7 % 31, 20 + i * 11 % 53});
  }
  return items;
}

class Planner : public testing::Test {
 protected:
  Planner() {
    request_.items = made_up_items(600);
    request_.effective_batch = 200;
    request_.budget_bytes = 2'000'000;
  }
  PlannedSteps plan() { return plan_steps(program_, meter_, request_); }
  /// The true peak of a batch.
  std::uint64_t peak_of(std::span<const ItemSize> batch, const StepSettings& settings) {
    struct NoMarks : AllocationTagger {
      void allocating(AllocationTag) override {}
    } marks;
    meter_.reset_peak();
    program_.run(batch, settings, marks);
    return meter_.peak_bytes();
  }

  AllocationMeter meter_;
  MadeUpProgram program_{meter_};
  PlanningRequest request_;
};

TEST_F(Planner, ProjectsTheTruePeakAndKeepsToTheBudget) {
  const PlannedSteps planned = plan();
  ASSERT_TRUE(planned.report.chosen);
  EXPECT_TRUE(planned.report.is_exact);
  EXPECT_TRUE(planned.plan->settings.accumulating) << "200 items at once need 5 MB";
  EXPECT_FALSE(planned.plan->settings.checkpointing) << "slower, and not needed";
  EXPECT_EQ(planned.plan->peak_bytes(planned.plan->worst_batch),
            peak_of(planned.plan->worst_batch, planned.plan->settings));
  EXPECT_LE(planned.report.alternatives[*planned.report.chosen].projected_bytes, request_.budget_bytes);
  EXPECT_GE(planned.report.used_share, 0.85);
  EXPECT_EQ(planned.report.limited_by, "the budget");
}

TEST_F(Planner, PacksEveryItemOnceWithinTheBudget) {
  const PlannedSteps planned = plan();
  const auto window = std::span<const ItemSize>(request_.items).first(200);
  std::vector<int> seen(window.size());
  for (const auto& batch : planned.plan->pack(window)) {
    std::vector<ItemSize> sizes;
    for (const std::size_t index : batch) {
      ++seen[index];
      sizes.push_back(window[index]);
    }
    EXPECT_LE(peak_of(sizes, planned.plan->settings), request_.budget_bytes);
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 200);
}

TEST_F(Planner, NamesTheEffectiveBatchAsTheLimitWhereItFits) {
  request_.budget_bytes = 50'000'000;
  const PlannedSteps planned = plan();
  EXPECT_FALSE(planned.plan->settings.accumulating);
  EXPECT_EQ(planned.report.alternatives[*planned.report.chosen].batch_items, 200U);
  EXPECT_EQ(planned.report.limited_by, "the effective batch of 200, as requested");
}

TEST_F(Planner, TakesCheckpointingWhereABatchCannotBeCut) {
  program_.can_accumulate_ = false;
  const PlannedSteps planned = plan();
  ASSERT_TRUE(planned.report.chosen);
  EXPECT_TRUE(planned.plan->settings.checkpointing);
  EXPECT_EQ(planned.report.alternatives[*planned.report.chosen].batch_items, 200U);
}

TEST_F(Planner, ObeysWhatIsForced) {
  request_.checkpointing = true;
  request_.budget_bytes = 50'000'000;
  EXPECT_TRUE(plan().plan->settings.checkpointing);
  request_.effective_batch = 0;
  request_.most_items = 7;
  const PlannedSteps planned = plan();
  EXPECT_EQ(planned.report.alternatives[*planned.report.chosen].batch_items, 7U);
  EXPECT_EQ(planned.report.limited_by, "batches of 7, as requested");
}

TEST_F(Planner, SaysWhatWouldDoWhereNothingFits) {
  request_.budget_bytes = 130'000;
  const PlannedSteps planned = plan();
  EXPECT_FALSE(planned.report.chosen);
  EXPECT_FALSE(planned.plan) << "there is none that could be carried out";
  const std::uint64_t smallest = planned.report.smallest_budget_bytes;
  EXPECT_THAT(planned.report.text, HasSubstr("nothing fits"));
  try {
    require_fit(planned.report);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_THAT(error.what(), HasSubstr("parameters (97.7 KiB)"));
  }
  request_.budget_bytes = smallest;
  const PlannedSteps fitting = plan();
  ASSERT_TRUE(fitting.report.chosen) << smallest;
  EXPECT_EQ(peak_of(fitting.plan->worst_batch, fitting.plan->settings), smallest);
  request_.budget_bytes = smallest - 1;
  EXPECT_FALSE(plan().report.chosen);
}

TEST_F(Planner, CutsWindowsByThemselvesAndKeepsToALimitOfAtoms) {
  request_.effective_batch = 0;
  request_.checkpointing = false;
  request_.windows = {100, 400, 100};
  request_.most_tokens = TokenLimit{500, "five hundred, as asked"};
  const PlannedSteps planned = plan();
  ASSERT_TRUE(planned.report.chosen);
  const PlannedAlternative& strategy = planned.report.alternatives[*planned.report.chosen];
  EXPECT_LE(strategy.batch_atoms, 500U);
  EXPECT_EQ(planned.report.limited_by, "five hundred, as asked");
  std::size_t batches = 0;
  std::span<const ItemSize> rest(request_.items);
  for (const std::size_t count : request_.windows) {
    batches += planned.plan->pack(rest.first(count)).size();
    rest = rest.subspan(count);
  }
  EXPECT_EQ(strategy.batches, batches);
}

TEST_F(Planner, MeasuresAnExactModelOnce) {
  StepProber prober(program_, meter_, 0, request_.budget_bytes, request_.items);
  const auto projection = prober.project({});
  const std::size_t probes = prober.probes();
  EXPECT_GT(probes, 0U);
  EXPECT_EQ(prober.project({})->peak_bytes({10, 20, 30, 0}), projection->peak_bytes({10, 20, 30, 0}));
  EXPECT_EQ(prober.probes(), probes);
}

/// While steps are probed, other code may free memory that the meter has counted.
TEST_F(Planner, MemoryThatOthersHaveFreedMakesNoPeakWrap) {
  constexpr std::uint64_t kFreedMeanwhile = std::uint64_t{1} << 40;
  StepProber prober(program_, meter_, kFreedMeanwhile, request_.budget_bytes, request_.items);
  const auto projection = prober.project({});
  if (projection) {
    EXPECT_LT(projection->peak_bytes({10, 20, 30, 0}), kFreedMeanwhile);
  }
}

TEST_F(Planner, LetsOthersListenWhileItProbes) {
  struct Listener : AllocationObserver {
    void allocated(std::uintptr_t, std::uint64_t) override { ++allocations; }
    void freed(std::uintptr_t, std::uint64_t) override { ++frees; }
    void refused(std::uint64_t) override {}
    std::size_t allocations = 0, frees = 0;
  } listener;
  meter_.observe(&listener);
  plan();
  EXPECT_GT(listener.allocations, 0U);
  EXPECT_EQ(listener.allocations, listener.frees);
  EXPECT_EQ(meter_.observe(nullptr), &listener);
}

TEST_F(Planner, FitsPeaksWhereTheCourseIsNotFixed) {
  program_.shards_ = true;
  request_.effective_batch = 0;
  const PlannedSteps planned = plan();
  ASSERT_TRUE(planned.report.chosen);
  EXPECT_FALSE(planned.report.is_exact);
  const auto projected = static_cast<double>(planned.plan->peak_bytes(planned.plan->worst_batch));
  const auto true_peak = static_cast<double>(peak_of(planned.plan->worst_batch, planned.plan->settings));
  EXPECT_GE(projected, 0.97 * true_peak);
  EXPECT_LE(projected, 1.05 * true_peak);
  EXPECT_LE(true_peak, static_cast<double>(request_.budget_bytes));
}

TEST_F(Planner, GivesTheSamePlanAgain) { EXPECT_EQ(plan().plan->worst_batch, plan().plan->worst_batch); }

TEST_F(Planner, PrintsLineByLineAndAsJson) {
  const MemoryPlan report = plan().report;
  for (const char* text :
       {"budget          1.91 MiB for tensors", "free for a step", "saved", "chosen: the fastest",
        "limited by", "projected time", "smallest budget", "checkpointing"}) {
    EXPECT_THAT(report.text, HasSubstr(text));
  }
  const auto json = nlohmann::json::parse(report.json);
  EXPECT_EQ(json.at("budget_bytes"), 2'000'000);
  EXPECT_EQ(json.at("alternatives").at(json.at("chosen").get<std::size_t>()).at("accumulating"), true);
  EXPECT_EQ(json.at("contributions").at("parameters"), 100'000);
}

TEST(Plannable, WhatIsFarBeyondTheBudgetIsNotTriedOut) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  EXPECT_NO_THROW(require_plannable("training", 300 * kMiB, 400 * kMiB));
  EXPECT_NO_THROW(require_plannable("training", 300 * kMiB, 50 * kMiB))
      << "the plan measures the smallest steps to name a sufficient budget";
  try {
    require_plannable("training", 1024 * kMiB, 600 * kMiB);
    FAIL();
  } catch (const Error& refused) {
    EXPECT_EQ(refused.code(), ExitCode::over_budget);
    EXPECT_THAT(refused.what(), testing::HasSubstr("1.00 GiB"));
  }
}

TEST_F(Planner, RefusesToPlanForNothing) {
  request_.items.clear();
  EXPECT_THROW(plan(), InputError);
}

}  // namespace
}  // namespace molgauge::memory
