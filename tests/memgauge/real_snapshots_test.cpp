// Compares snapshots of published programs, and the sentences that explain them, with facts that were counted
// independently (snapshots/facts.json).

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/lifetimes.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/recordings/recording_file.h"
#include "memgauge/verbs/requested_recordings.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Skips the test if one of the snapshots is absent.
#define REQUIRE_SNAPSHOTS(...)                                 \
  if (!are_there({__VA_ARGS__})) {                             \
    GTEST_SKIP() << "snapshots " #__VA_ARGS__ " are not here"; \
  }                                                            \
  static_assert(true, "")

class RealSnapshotsParity : public testing::Test {
 protected:
  void SetUp() override { REQUIRE_REFERENCE("snapshots/facts.json"); }

  static nlohmann::json facts() {
    return nlohmann::json::parse(read_file(molgauge::test::reference_data("snapshots/facts.json")));
  }
  /// The file that tests refer to by this number. Other sets of snapshots may have other files.
  static std::filesystem::path file(const std::string& number) {
    static const std::map<std::string, std::string> names = {
        {"01", "01_oom_expandable_4gpu.pickle"},
        {"03", "03_cs336_medium1024_training_usermeta.pickle"},
        {"09", "09_no_time_us_4gpu.pickle"},
        {"10", "10_segment_churn_4gpu.pickle"},
        {"11", "11_torch2.0_block_history.pickle"},
        {"12", "12_private_pools_no_trace.pickle"},
        {"13", "13_list_toplevel.pkl"},
        {"14", "14_expandable_maxsplit_no_trace.pickle"}};
    return molgauge::test::reference_data("snapshots/" + names.at(number));
  }
  static bool are_there(std::initializer_list<const char*> numbers) {
    return std::ranges::all_of(numbers,
                               [](const char* number) { return std::filesystem::exists(file(number)); });
  }
  static MemoryExplanation explained(const std::string& number, ExplainMemoryRequest request = {}) {
    request.file = file(number).string();
    return explain(recordings_of(request), request).front().explanation;
  }
};

TEST_F(RealSnapshotsParity, HoldWhatWasCountedIndependently) {
  const auto all = facts();
  for (const auto& [name, about] : all.items()) {
    SCOPED_TRACE(name);
    const auto recordings = read_recordings(molgauge::test::reference_data("snapshots/" + name).string());
    std::uint64_t segments = 0, blocks = 0;
    for (const auto& recording : recordings) {
      const std::string device = std::to_string(recording.device);
      std::uint64_t reserved = 0, in_use = 0;
      for (const auto& segment : recording.recorded_segments) {
        ++segments;
        blocks += segment.blocks.size();
        reserved += segment.reserved;
        for (const auto& block : segment.blocks) {
          in_use += block.state == BlockState::allocated ? block.bytes : 0;
        }
      }
      EXPECT_EQ(reserved, about["reserved_bytes_per_device"].value(device, std::uint64_t{0}));
      EXPECT_EQ(in_use, about["allocated_bytes_per_device"].value(device, std::uint64_t{0}));
      const auto& live = about["trace_live_per_device"];
      if (live.size() > recording.device && live[recording.device].is_object() && recording.has_history()) {
        const auto& there = live[recording.device];
        EXPECT_EQ(live_peak(recording, lifetimes_of(recording)).bytes, there["anchored_peak_bytes"]);
        std::uint64_t residents = 0;
        for (std::size_t i = 0; i < recording.residents; ++i) {
          residents += recording.events[i].bytes;
        }
        EXPECT_EQ(residents, there["implied_start_bytes_A"]);
      }
    }
    EXPECT_EQ(segments, about["segments"]);
    EXPECT_EQ(blocks, about["blocks"]);
  }
}

/// Replays the snapshots from the start, and also from the middle with a state that is reconstructed from the
/// end. Checks reserved memory after every event, and all blocks at the end.
TEST_F(RealSnapshotsParity, AreReplayedEventByEvent) {
  std::size_t replayed = 0;
  const auto all = facts();
  for (const auto& [name, about] : all.items()) {
    SCOPED_TRACE(name);
    for (const auto& recording :
         read_recordings(molgauge::test::reference_data("snapshots/" + name).string())) {
      if (!recording.has_history()) {
        continue;
      }
      ++replayed;
      const auto report = simulate(recording, {});
      ASSERT_TRUE(report.agreement.has_value());
      EXPECT_GT(report.agreement->compared_events, 0U);
      EXPECT_EQ(report.agreement->different_events, 0U);
      EXPECT_EQ(report.agreement->simulated_peak_bytes, report.agreement->recorded_peak_bytes);
    }
  }
  EXPECT_GT(replayed, 0U);
}

TEST_F(RealSnapshotsParity, ALongHistoryBeginsAtTheStartOrInTheMiddle) {
  REQUIRE_SNAPSHOTS("01", "03", "09", "10");
  for (const char* number : {"01", "03", "09", "10"}) {
    SCOPED_TRACE(number);
    for (const auto& recording : read_recordings(file(number).string())) {
      const auto report = simulate(recording, {});
      EXPECT_GT(report.agreement.value().compared_events, 300U);
      EXPECT_EQ(report.begins_in_the_middle, std::string(number) != "01");
    }
  }
}

TEST_F(RealSnapshotsParity, TheDeviceThatRanOutIsExplained) {
  REQUIRE_SNAPSHOTS("01");
  const auto explanation = explained("01");
  const auto all_facts = facts();
  const auto& there = all_facts["01_oom_expandable_4gpu.pickle"]["trace_live_per_device"][1]["ooms"][0];
  EXPECT_EQ(explanation.device, 1U);
  EXPECT_EQ(explanation.moment.requested_bytes, there["size"]);
  EXPECT_EQ(explanation.moment.device_free_bytes, there["device_free"]);
  EXPECT_EQ(explanation.requested_live_bytes, there["anchored_live_bytes"]);
  EXPECT_THAT(explanation.text, HasSubstr("Memory ran out on GPU 1"));
  EXPECT_THAT(explanation.text, Not(HasSubstr("No change is needed")));
  ASSERT_EQ(explanation.devices.size(), 3U);
  EXPECT_THAT(explanation.text, HasSubstr("> GPU 1: 78.4 GiB reserved at the peak"));
  ExplainMemoryRequest unknown;
  unknown.device = "7";
  EXPECT_THROW(explained("01", unknown), UsageError);
  ExplainMemoryRequest all;
  all.device = "all";
  EXPECT_EQ(explain(read_recordings(file("01").string()), all).size(), 3U);
}

TEST_F(RealSnapshotsParity, AnImbalanceIsNamedAndNoFalseCure) {
  REQUIRE_SNAPSHOTS("01");
  const auto explanation = explained("01");
  EXPECT_EQ(explanation.cause, MemoryCause::imbalance);
  ASSERT_TRUE(explanation.imbalance && explanation.extrapolation);
  EXPECT_EQ(explanation.imbalance->most, "GPU 1");
  EXPECT_EQ(explanation.imbalance->least, "GPU 2");
  EXPECT_NEAR(explanation.imbalance->ratio, 9.46, 0.01);
  EXPECT_TRUE(explanation.ends_with_failure);
  EXPECT_THAT(explanation.text, HasSubstr("at most 41 % of it fits"));
  EXPECT_THAT(explanation.text, HasSubstr("GPU 1 had tensors 9.46 times as large as those of GPU 2"));
  EXPECT_THAT(explanation.text, Not(HasSubstr("verified by simulation")));
  EXPECT_THAT(explanation.text, Not(HasSubstr("90 %")));
}

TEST_F(RealSnapshotsParity, RetriesAndEmptiedCachesAreToldApart) {
  REQUIRE_SNAPSHOTS("09", "10");
  const auto retried = explained("09");
  EXPECT_EQ(retried.retries, 39U);
  EXPECT_EQ(retried.empty_cache_calls, 0U);
  EXPECT_THAT(retried.text, HasSubstr("inferred from 39 retries"));
  EXPECT_THAT(retried.text, HasSubstr("But the card was full: 39 requests found no memory"));
  EXPECT_THAT(retried.text, Not(HasSubstr("No change is needed")));
  const auto emptied = explained("10");
  EXPECT_EQ(emptied.retries, 0U);
  EXPECT_EQ(emptied.empty_cache_calls, 28U);
  EXPECT_THAT(emptied.text, HasSubstr("empty_cache() returned memory to the driver 28 times"));
}

TEST_F(RealSnapshotsParity, WhoHoldsItIsNamedByTheUsersFrames) {
  const auto all = facts();
  for (const auto& [name, about] : all.items()) {
    SCOPED_TRACE(name);
    ExplainMemoryRequest request;
    request.file = molgauge::test::reference_data("snapshots/" + name).string();
    const auto explanation = explain(recordings_of(request), request).front().explanation;
    for (const auto& holder : explanation.holders) {
      EXPECT_THAT(holder.origin, Not(HasSubstr("unwind")));
      EXPECT_THAT(holder.origin, Not(HasSubstr("CapturedTraceback")));
      EXPECT_LE(holder.frames.size(), 5U);
    }
    for (const char* broken : {"in at the end", "out in ", "0 B were requested"}) {
      EXPECT_THAT(explanation.text, Not(HasSubstr(broken)));
    }
  }
}

TEST_F(RealSnapshotsParity, FramesOfOldAndNewSnapshotsAreNamed) {
  REQUIRE_SNAPSHOTS("03", "11");
  const auto old = explained("11");
  EXPECT_THAT(old.holders.front().origin, HasSubstr("allocate (pytorch_backend.py:190)"));
  EXPECT_GE(old.holders.front().frames.size(), 3U);
  const auto usual = explained("03");
  EXPECT_THAT(usual.text, HasSubstr("(model.py:"));
  EXPECT_THAT(usual.text, HasSubstr("aten::"));
}

/// The layers of a forward pass keep their outputs until the backward pass. These outputs are not leaks.
TEST_F(RealSnapshotsParity, ActivationsAreNoLeaks) {
  REQUIRE_SNAPSHOTS("01", "03", "09", "10");
  ExplainMemoryRequest all;
  all.device = "all";
  for (const char* number : {"01", "03", "09", "10"}) {
    SCOPED_TRACE(number);
    for (const auto& explained : explain(read_recordings(file(number).string()), all)) {
      EXPECT_TRUE(explained.explanation.leaks.empty()) << explained.explanation.text;
    }
  }
  ExplainMemoryRequest small_card;
  small_card.capacity_bytes = std::uint64_t{20} << 30;
  const auto explanation = explained("03", small_card);
  EXPECT_EQ(explanation.cause, MemoryCause::batch_too_large) << explanation.text;
  EXPECT_TRUE(explanation.leaks.empty());
}

/// Inference keeps no activations for a backward pass, so checkpointing would save nothing.
TEST_F(RealSnapshotsParity, SavingsSuitTheWork) {
  REQUIRE_SNAPSHOTS("01", "03", "09", "10");
  const auto checkpointing = [](const MemoryExplanation& explanation) {
    return std::any_of(
        explanation.savings.begin(), explanation.savings.end(),
        [](const MemorySaving& saving) { return saving.change == "activation checkpointing"; });
  };
  EXPECT_TRUE(checkpointing(explained("01")));
  EXPECT_TRUE(checkpointing(explained("03")));
  EXPECT_FALSE(checkpointing(explained("09")));
  EXPECT_FALSE(checkpointing(explained("10")));
}

TEST_F(RealSnapshotsParity, AnnotationsArePhases) {
  REQUIRE_SNAPSHOTS("03");
  const Recording recording = read_recording(file("03").string());
  EXPECT_THAT(recording.origins, testing::Contains("Optimizer.step#AdamW.step"));
  EXPECT_GT(recording.times.size(), 100U);
}

TEST_F(RealSnapshotsParity, FilesWithoutATraceShowTheirSegments) {
  REQUIRE_SNAPSHOTS("11", "12", "13", "14");
  for (const char* number : {"11", "12", "13", "14"}) {
    SCOPED_TRACE(number);
    const auto explanation = explained(number);
    EXPECT_EQ(explanation.verdict, MemoryVerdict::no_history);
    EXPECT_THAT(explanation.text, HasSubstr("When the snapshot was taken"));
    EXPECT_TRUE(explanation.cures.empty());
  }
  const auto list = facts()["13_list_toplevel.pkl"];
  const auto explanation = explained("13");
  EXPECT_EQ(explanation.device, 1U);
  EXPECT_EQ(explanation.moment.reserved_bytes, list["reserved_bytes"]);
  EXPECT_EQ(explanation.requested_live_bytes, list["allocated_requested_bytes"]);
}

TEST_F(RealSnapshotsParity, PoolsAndPendingFreesAreNamed) {
  REQUIRE_SNAPSHOTS("12");
  const auto explanation = explained("12");
  const auto about = facts()["12_private_pools_no_trace.pickle"];
  EXPECT_EQ(explanation.pools.size(), 2U);
  EXPECT_EQ(explanation.moment.pending_bytes, about["block_state_bytes"]["active_pending_free"]);
  EXPECT_EQ(explanation.requested_live_bytes, about["allocated_requested_bytes"]);
  EXPECT_THAT(explanation.text, HasSubstr("Private pool (0, 1)"));
  EXPECT_THAT(explanation.text, HasSubstr("another stream may still use"));
}

/// The verdict is `wasteful` if the highest memory in use is below 80 % of the highest reserved memory.
TEST_F(RealSnapshotsParity, VerdictsFollowFromWhatWasRecorded) {
  REQUIRE_SNAPSHOTS("03", "09", "10");
  for (const char* number : {"03", "09", "10"}) {
    SCOPED_TRACE(number);
    const auto explanation = explained(number);
    const double used = static_cast<double>(explanation.peak_in_use_bytes) /
                        static_cast<double>(explanation.peak_reserved_bytes);
    EXPECT_EQ(explanation.verdict, used < 0.8 ? MemoryVerdict::wasteful : MemoryVerdict::sound);
    EXPECT_EQ(explanation.peak_reserved_bytes, explanation.recorded_peak_reserved_bytes);
    for (const auto& cure : explanation.cures) {
      EXPECT_THAT(cure.change, Not(HasSubstr("batches of")));
    }
  }
}

}  // namespace
}  // namespace molgauge::allocator
