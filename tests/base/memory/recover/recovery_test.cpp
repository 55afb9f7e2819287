#include "base/memory/recover/recovery.h"

#include <atomic>
#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/threads/worker_group.h"

namespace molgauge::memory {
namespace {

using Divisible = Recovery::Divisible;

/// Counts bytes in a meter, without allocating them. The destructor subtracts them again.
class Block {
 public:
  Block(AllocationMeter& meter, std::uint64_t bytes) : meter_(meter), bytes_(bytes) {
    if (!meter.admit(bytes)) {
      throw std::bad_alloc();
    }
  }
  ~Block() { meter_.freed(0, bytes_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  AllocationMeter& meter_;
  std::uint64_t bytes_;
};

class RecoveryTest : public testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::off); }

  AllocatorAccess access() {
    AllocatorAccess access;
    access.meter = &meter_;
    access.release_cached = [this] { ++releases_; };
    return access;
  }
  Workload workload(std::size_t planned) {
    Workload workload;
    workload.name = "summing";
    workload.unit = "rows";
    workload.planned = planned;
    workload.largest_contributor = [](std::size_t units) {
      return "sums of " + std::to_string(units) + " rows";
    };
    return workload;
  }
  /// Processes `rows` rows of 10 bytes each. Returns the sizes of the portions.
  std::vector<std::size_t> work_off(Recovery& recovery, std::size_t rows) {
    std::vector<std::size_t> portions;
    while (rows > 0) {
      const std::size_t portion = std::min(rows, recovery.at_once());
      if (recovery.attempt(portion, Divisible::yes, [&] { const Block block(meter_, 10 * portion); })) {
        rows -= portion;
        portions.push_back(portion);
      }
    }
    return portions;
  }

  AllocationMeter meter_;
  int releases_ = 0;
};

TEST_F(RecoveryTest, LeavesWorkThatFitsAsItWasPlanned) {
  Recovery recovery(workload(100), access());
  EXPECT_EQ(work_off(recovery, 250), (std::vector<std::size_t>{100, 100, 50}));
  EXPECT_EQ(recovery.counts().recoveries, 0U);
  EXPECT_EQ(recovery.counts().used, 100U);
}

TEST_F(RecoveryTest, DoesTheSameWorkInPortionsThatFit) {
  meter_.set_limit(450);
  Recovery recovery(workload(100), access());
  EXPECT_EQ(work_off(recovery, 90), (std::vector<std::size_t>{40, 40, 10}));
  EXPECT_EQ(recovery.counts().recoveries, 1U);
  EXPECT_EQ(recovery.counts().planned, 100U);
  EXPECT_EQ(recovery.counts().used, 40U);
  EXPECT_EQ(releases_, 1);
  EXPECT_EQ(meter_.allocated_bytes(), 0U);
}

TEST_F(RecoveryTest, TheExceptionIsGoneBeforeAnythingIsTriedAgain) {
  struct Held : std::bad_alloc {
    explicit Held(AllocationMeter& meter) : block(std::make_shared<Block>(meter, 500)) {}
    std::shared_ptr<Block> block;
  };
  auto allocator = access();
  allocator.release_cached = [&] { EXPECT_EQ(meter_.allocated_bytes(), 0U); };
  Recovery recovery(workload(100), allocator);
  EXPECT_FALSE(recovery.attempt(100, Divisible::yes, [&] { throw Held(meter_); }));
  EXPECT_TRUE(recovery.attempt(10, Divisible::yes, [&] { EXPECT_EQ(meter_.allocated_bytes(), 0U); }));
}

TEST_F(RecoveryTest, TriesTheSmallestOnceMore) {
  Recovery recovery(workload(1), access());
  meter_.refuse_from_now(1);
  EXPECT_EQ(work_off(recovery, 1), (std::vector<std::size_t>{1}));
  EXPECT_EQ(recovery.counts().recoveries, 1U);
}

TEST_F(RecoveryTest, NamesWhatTakesMostWhenNothingHelps) {
  meter_.set_limit(5);
  Recovery recovery(workload(100), access());
  try {
    work_off(recovery, 100);
    FAIL() << "10 bytes within 5";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_THAT(error.what(), testing::HasSubstr("summing of 1 rows does not fit"));
    EXPECT_THAT(error.what(), testing::HasSubstr("sums of 1 rows"));
  }
}

TEST_F(RecoveryTest, OtherFailuresComeOut) {
  Recovery recovery(workload(100), access());
  EXPECT_THROW(
      static_cast<void>(recovery.attempt(100, Divisible::yes, [] { throw std::runtime_error("no luck"); })),
      std::runtime_error);
  EXPECT_EQ(recovery.counts().recoveries, 0U);
}

TEST_F(RecoveryTest, InsistsOnWorkThatCannotBeSmaller) {
  Recovery recovery(workload(1), access());
  int runs = 0;
  recovery.retry_until_fits("writing", [&] {
    if (++runs == 1) {
      throw std::bad_alloc();
    }
  });
  EXPECT_EQ(runs, 2);
  EXPECT_THROW(recovery.retry_until_fits("writing", [] { throw std::bad_alloc(); }), Error);
}

TEST_F(RecoveryTest, WorkersSideBySideCountWhatTheOthersHold) {
  meter_.set_limit(1000);
  Recovery recovery(workload(100), access());
  std::atomic<std::size_t> rows{0};
  parallel_for(4, 4, [&](std::size_t) {
    std::vector<std::size_t> portions = work_off(recovery, 5000);
    for (const std::size_t portion : portions) {
      rows += portion;
    }
  });
  EXPECT_EQ(rows, 20'000U);
  EXPECT_EQ(meter_.allocated_bytes(), 0U);
}

TEST_F(RecoveryTest, WhoCannotShrinkWaitsForTheOthersToFinish) {
  meter_.set_limit(15);  // the limit allows one row at a time
  Recovery recovery(workload(1), access());
  std::atomic<std::size_t> rows{0};
  parallel_for(4, 4, [&](std::size_t) { rows += work_off(recovery, 500).size(); });
  EXPECT_EQ(rows, 2000U);
}

}  // namespace
}  // namespace molgauge::memory
