// Tests simulations of changed programs. A simulation begins with the memory at the start of the recording.
// An explanation makes a claim only if a simulation without changes agrees with the recording.

#include <random>

#include <gmock/gmock.h>

#include "base/memory/trace/settings_text.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/setting_candidates.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/recordings/replay.h"
#include "recorded_program.h"

namespace molgauge::allocator {
namespace {

using test::RecordedProgram;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNoOp = "max_split_size_mb:1000000";

const test::Stack kForward = {{"forward", "/home/user/model.py", 12}, {"main", "/home/user/train.py", 30}};

MemoryExplanation explained(const RecordedProgram& program, ExplainMemoryRequest request = {}) {
  return explain(program.recording(), request).explanation;
}

/// A random program whose second half is recorded. Sizes are multiples of 2 MiB, so the events determine the
/// size of every block.
Recording begun_in_the_middle(std::uint32_t seed) {
  RecordedProgram program;
  std::mt19937 bits(seed);
  std::vector<std::size_t> live;
  const auto step = [&](std::uint64_t most) {
    if (!live.empty() && bits() % 100 < 52) {
      const std::size_t place = bits() % live.size();
      program.free(live[place]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      const std::uint64_t bytes =
          bits() % 3 == 0 ? 1 + bits() % 900'000 : (2 + bits() % most * 2) * kMebibyte;
      live.push_back(program.alloc(bytes, kForward));
    }
  };
  for (int i = 0; i < 200; ++i) {
    step(60);  // a large cache, which the recorded part does not need
  }
  program.begin_recording();
  for (int i = 0; i < 200; ++i) {
    step(10);
  }
  return program.recording();
}

TEST(WhatIf, ANoOpSettingReproducesFiftyRecordingsThatBeginInTheMiddle) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    const Recording recording = begun_in_the_middle(seed);
    ASSERT_EQ(recording.start_unknown, "");
    SimulateMemoryRequest request;
    request.settings = {"", kNoOp};
    const auto report = simulate(recording, request);
    ASSERT_TRUE(report.begins_in_the_middle);
    EXPECT_EQ(report.agreement->different_events, 0U);
    for (const auto& run : report.runs) {
      EXPECT_EQ(run.peak_reserved_bytes, recording.recorded_reserve->peak_bytes) << run.settings;
    }
    const auto explanation = explain(recording, {}).explanation;
    ASSERT_TRUE(explanation.baseline && explanation.baseline->reproduces);
    for (const auto& cure : explanation.cures) {
      // A cache that existed before the recording counts in the peak of every simulation.
      EXPECT_FALSE(cure.is_cure && cure.is_setting &&
                   cure.peak_reserved_bytes < explanation.reserved_before_bytes)
          << cure.change;
      EXPECT_FALSE(cure.is_cure &&
                   cure.peak_reserved_bytes * 100 > explanation.baseline->peak_reserved_bytes * 95)
          << cure.change;
    }
  }
}

/// If a cache existed before the recording, no setting removes it, but empty_cache() does.
TEST(WhatIf, MemoryCachedBeforeTheRecordingStays) {
  RecordedProgram program;
  const std::size_t kept = program.alloc(100 * kMebibyte);
  program.free(program.alloc(3000 * kMebibyte));
  program.begin_recording();
  for (int i = 0; i < 20; ++i) {
    program.free(program.alloc(40 * kMebibyte, kForward));
  }
  (void)kept;
  const auto explanation = explained(program);
  EXPECT_EQ(explanation.verdict, MemoryVerdict::wasteful);
  EXPECT_EQ(explanation.baseline->peak_reserved_bytes, 3100 * kMebibyte);
  ASSERT_FALSE(explanation.cures.empty());
  for (const auto& cure : explanation.cures) {
    EXPECT_EQ(cure.is_cure, !cure.is_setting) << cure.change;
  }
  EXPECT_THAT(explanation.cures.front().change, HasSubstr("empty_cache() where the recording begins"));
  EXPECT_THAT(explanation.text, HasSubstr("were reserved when the recording began"));
}

/// If the state at the beginning is unknown, the explanation claims nothing and says why.
TEST(WhatIf, NothingIsClaimedIfTheBaselineDeviates) {
  RecordedProgram program;
  program.free(program.alloc(3000 * kMebibyte));
  program.begin_recording();
  program.event("segment_map", std::uint64_t{1} << 50,
                20 * kMebibyte);  // an expandable segment that the next event releases
  program.event("segment_unmap", std::uint64_t{1} << 50, 20 * kMebibyte);
  for (int i = 0; i < 20; ++i) {
    program.free(program.alloc(40 * kMebibyte, kForward));
  }
  const auto explanation = explained(program);
  ASSERT_TRUE(explanation.baseline.has_value());
  EXPECT_FALSE(explanation.baseline->reproduces);
  EXPECT_TRUE(explanation.cures.empty());
  EXPECT_THAT(explanation.text, HasSubstr("No change is proposed"));
  EXPECT_THAT(explanation.text, HasSubstr("the state at the beginning is unknown"));
}

TEST(WhatIf, ARecordingOfOneEventShowsOneMoment) {
  for (const bool has_phase : {false, true}) {
    RecordedProgram program;
    program.alloc(100 * kMebibyte);
    program.free(program.alloc(400 * kMebibyte));
    program.begin_recording();
    if (has_phase) {
      program.annotate("Optimizer.step#Adam.step", true);
      program.annotate("Optimizer.step#Adam.step", false);
    } else {
      program.alloc(2 * kMebibyte);
    }
    program.event("snapshot", 0, 100 * kMebibyte);
    const auto explanation = explained(program);
    EXPECT_EQ(explanation.verdict, MemoryVerdict::no_history);
    EXPECT_TRUE(explanation.cures.empty());
    EXPECT_TRUE(explanation.savings.empty());
    EXPECT_THAT(explanation.text, HasSubstr("it shows one moment"));
    EXPECT_THAT(explanation.text, HasSubstr("When the snapshot was taken"));
  }
}

/// A request of 100 MiB is retried on a full card. Only bounds on the size of the card are known.
TEST(WhatIf, ACureDoesNotRestOnAnInferredCard) {
  RecordedProgram program("", 900 * kMebibyte);
  for (int round = 0; round < 6; ++round) {
    std::vector<std::size_t> small;
    for (int i = 0; i < 6; ++i) {
      small.push_back(program.alloc(static_cast<std::uint64_t>(20 + 5 * round + i) * kMebibyte, kForward));
    }
    program.free(small);
    program.free(program.alloc(static_cast<std::uint64_t>(300 + 31 * round) * kMebibyte, kForward));
  }
  const Recording recording = program.recording();
  ASSERT_TRUE(recording.least_capacity.has_value());
  const auto explanation = explain(recording, {}).explanation;
  EXPECT_TRUE(explanation.capacity_is_inferred);
  EXPECT_THAT(explanation.text, HasSubstr("(inferred)"));
  for (const auto& cure : explanation.cures) {
    EXPECT_FALSE(cure.is_cure && cure.peak_reserved_bytes > recording.recorded_reserve->peak_bytes)
        << cure.change;
  }
}

/// The program failed because another process took memory. A simulation that ignores the other process would
/// satisfy the request.
TEST(WhatIf, AFailureIsJudgedFromTheRecordedState) {
  RecordedProgram program("", 1000 * kMebibyte);
  std::vector<std::size_t> live;
  for (int i = 0; i < 4; ++i) {
    live.push_back(program.alloc(100 * kMebibyte, kForward));
  }
  program.event("oom", 10 * kMebibyte, 300 * kMebibyte, 0, kForward);
  program.free(live);
  program.free(program.alloc(900 * kMebibyte, kForward));  // this shows that the card is larger
  const auto explanation = explained(program);
  EXPECT_TRUE(explanation.moment_is_recorded);
  EXPECT_EQ(explanation.moment.reserved_bytes, 400 * kMebibyte);
  EXPECT_EQ(explanation.moment.allocated_bytes, 400 * kMebibyte);
  EXPECT_EQ(explanation.moment.device_free_bytes, 10 * kMebibyte);
  EXPECT_EQ(explanation.verdict, MemoryVerdict::too_much);
  EXPECT_TRUE(explanation.cures.empty());
  EXPECT_THAT(explanation.text, HasSubstr("the recorded state is explained"));
}

/// The driver had 600 MiB free, but a request of 100 MiB was refused.
TEST(WhatIf, AMemoryFractionOfTheProgramIsNoFragmentation) {
  RecordedProgram program("", 400 * kMebibyte);
  for (int i = 0; i < 4; ++i) {
    program.alloc(90 * kMebibyte, kForward);
  }
  program.device_free = 600 * kMebibyte;
  EXPECT_EQ(program.alloc(100 * kMebibyte, kForward), RecordedProgram::kFailed);
  const auto explanation = explained(program);
  EXPECT_EQ(explanation.cause, MemoryCause::memory_fraction);
  EXPECT_EQ(explanation.capacity_bytes, 960 * kMebibyte);
  EXPECT_EQ(explanation.allowed_bytes, 460 * kMebibyte - 1);
  EXPECT_THAT(explanation.text, Not(HasSubstr("Memory is fragmented")));
  EXPECT_THAT(explanation.text, HasSubstr("between 360 MiB and 460 MiB"));
}

TEST(WhatIf, SegmentsThatAPrivatePoolGrowsAreKeptOnARetry) {
  CachingAllocator allocator({}, 1000 * kMebibyte);
  allocator.declare_private(1);
  allocator.free(allocator.allocate(600 * kMebibyte, 1));
  EXPECT_EQ(allocator.allocate(500 * kMebibyte, 0), nullptr) << "the pool keeps its 600 MiB";
  allocator.empty_cache();
  EXPECT_EQ(allocator.statistics().reserved.now, 600 * kMebibyte);
}

TEST(WhatIf, ARecordedPoolIsPrivateInTheSimulation) {
  RecordedProgram program("", 1000 * kMebibyte);
  program.declare_private(1);
  program.free(program.alloc(600 * kMebibyte, kForward, 1));
  program.free(program.alloc(300 * kMebibyte, kForward));
  EXPECT_EQ(program.alloc(500 * kMebibyte, kForward), RecordedProgram::kFailed);
  const auto explanation = explained(program);
  EXPECT_TRUE(explanation.baseline->reproduces) << explanation.baseline->reason;
  EXPECT_EQ(explanation.cause, MemoryCause::private_pools);
}

TEST(WhatIf, ACauseNeedsALossThatCoversTheDeficit) {
  RecordedProgram program("", 100 * kMebibyte);
  EXPECT_EQ(program.alloc(200 * kMebibyte, kForward), RecordedProgram::kFailed);
  const auto explanation = explained(program);
  EXPECT_NE(explanation.cause, MemoryCause::rounding);
  EXPECT_NE(explanation.cause, MemoryCause::private_pools);
  EXPECT_THAT(explanation.text, Not(HasSubstr("0 B of the 0 B")));
  EXPECT_THAT(explanation.text, HasSubstr("Decided by:"));
}

TEST(WhatIf, AGarbageCollectionThresholdIsAShareOfTheCard) {
  const auto settings =
      parse_allocator_settings("per_process_memory_fraction:1.0,garbage_collection_threshold:0.5");
  const auto reserved_after = [&](std::optional<std::uint64_t> card) {
    CachingAllocator allocator(settings, 1000 * kMebibyte, card);
    allocator.free(allocator.allocate(300 * kMebibyte, 0));
    allocator.allocate(310 * kMebibyte, 0);
    allocator.allocate(320 * kMebibyte, 0);
    return allocator.statistics().reserved.now;
  };
  EXPECT_GT(reserved_after(2000 * kMebibyte), reserved_after(std::nullopt));
}

std::vector<std::string> settings_of(const Recording& recording, const std::string& own) {
  std::vector<std::string> all;
  for (const auto& candidate : setting_candidates(recording, own)) {
    all.push_back(candidate.settings);
  }
  return all;
}

TEST(WhatIf, SettingsAreReplacedAndNotAppended) {
  using testing::Contains;
  const Recording recording;
  EXPECT_THAT(settings_of(recording, "expandable_segments:False"), Contains("expandable_segments:True"));
  const auto with_threshold =
      settings_of(recording, "garbage_collection_threshold:0.6,per_process_memory_fraction:0.9");
  EXPECT_THAT(with_threshold, Contains("garbage_collection_threshold:0.8,per_process_memory_fraction:0.9"));
  for (const auto& settings : with_threshold) {
    EXPECT_EQ(settings.find("garbage_collection_threshold"), settings.rfind("garbage_collection_threshold"));
  }
  for (const auto& settings : settings_of(recording, "expandable_segments:True")) {
    EXPECT_THAT(settings, testing::AllOf(Not(HasSubstr("max_split")), Not(HasSubstr("garbage"))));
  }
  EXPECT_THAT(settings_of(recording, "max_split_size_mb:128"),
              testing::AllOf(Contains("max_split_size_mb:64"), Not(Contains("max_split_size_mb:128"))));
}

TEST(WhatIf, SettingsSuitThePlatformAndNameTheirVersion) {
  Recording windows;
  windows.on_windows = true;
  EXPECT_THAT(settings_of(windows, ""), Not(testing::Contains(HasSubstr("expandable"))));
  EXPECT_THAT(settings_left_out(windows), HasSubstr("Windows"));
  Recording rocm;
  rocm.platform = Platform::rocm;
  EXPECT_THAT(setting_candidates(rocm, "").front().change, HasSubstr("PYTORCH_HIP_ALLOC_CONF="));
  Recording xpu;
  xpu.platform = Platform::xpu;
  EXPECT_TRUE(setting_candidates(xpu, "").empty());
  const Recording cuda;
  EXPECT_THAT(setting_candidates(cuda, "").front().remark, HasSubstr("from PyTorch 2.1"));
  const auto last = setting_candidates(cuda, "").back();
  EXPECT_THAT(last.change, HasSubstr("set_per_process_memory_fraction(1.0)"));
  EXPECT_THAT(last.change, Not(HasSubstr("per_process_memory_fraction:")));
}

TEST(WhatIf, EffectiveSettingsCountMoreThanTheText) {
  RecordedProgram program;
  program.alloc(10 * kMebibyte);
  program.settings_text = "expandable_segments:True,max_split_size_mb:64,garbage_collection_threshold:0.9";
  test::PickleText text;
  const std::size_t start = text.so_far().size();
  text.text("expandable_segments").raw("\x89").field("max_split_size", 256 * kMebibyte);
  text.text("garbage_collection_threshold").raw("G").raw(std::string(8, '\0'));
  program.more_settings = text.so_far().substr(start);
  EXPECT_EQ(program.recording().settings, "expandable_segments:False,max_split_size_mb:256");
}

/// Older versions of PyTorch use the divisions after ">" for the last boundary as well. The list of effective
/// divisions shows this.
TEST(WhatIf, EffectiveDivisionsCountMoreThanTheList) {
  RecordedProgram program;
  program.alloc(10 * kMebibyte);
  program.settings_text = "roundup_power2_divisions:[256:1,512:2,>:4]";
  test::PickleText text;
  const std::size_t start = text.so_far().size();
  text.text("roundup_power2_divisions").raw("}(");
  for (std::uint64_t i = 0; i < 16; ++i) {
    text.field(std::to_string(std::uint64_t{1} << i), std::uint64_t{i <= 8 ? 1U : 4U});
  }
  program.more_settings = text.raw("u").so_far().substr(start);
  const auto settings = parse_allocator_settings(program.recording().settings);
  EXPECT_EQ(settings.roundup_divisions[8], 1U);
  EXPECT_EQ(settings.roundup_divisions[9], 4U);
  SimulateMemoryRequest request;
  request.settings = {"roundup_power2_divisions:[256:1,512:2,>:4]"};
  EXPECT_THAT(simulate(program.recording(), request).notes,
              testing::Contains(HasSubstr("older versions of PyTorch use the 4 divisions")));
}

TEST(WhatIf, NewContentIsReadOrCounted) {
  RecordedProgram program;
  program.note("step 3");
  program.alloc(10 * kMebibyte, kForward);
  program.event("segment_export", 4096, 512);
  program.alloc(10 * kMebibyte, kForward);
  test::PickleText text;
  const std::size_t start = text.so_far().size();
  text.text("host_segments").raw("](}(").field("address", 4096).field("total_size", 8 * kMebibyte);
  text.field("segment_type", "pinned").raw("ue");
  program.more = text.so_far().substr(start);
  const auto explanation = explained(program);
  EXPECT_THAT(explanation.text, HasSubstr("1 events of the file have an unknown action"));
  EXPECT_THAT(explanation.text, HasSubstr("'segment_export'"));
  EXPECT_THAT(explanation.text, HasSubstr("1 segment of pinned host memory with 8.00 MiB"));
  EXPECT_THAT(explanation.text, HasSubstr("[step 3] forward (model.py:12)"));
}

TEST(WhatIf, WordsFitTheRecording) {
  RecordedProgram program;
  program.alloc(100 * kMebibyte);
  program.begin_recording();
  for (int i = 0; i < 4; ++i) {
    program.free(program.alloc(40 * kMebibyte, kForward));
  }
  const auto explanation = explained(program);
  EXPECT_THAT(explanation.text, HasSubstr("8 events after 1 block from before"));
  EXPECT_THAT(explanation.text, HasSubstr("card: size not recorded"));
  EXPECT_THAT(explanation.text, Not(HasSubstr("without limit")));
  EXPECT_THAT(explanation.text, Not(HasSubstr("This one needs no change")));
  RecordedProgram only_before;
  only_before.free(only_before.alloc(500 * kMebibyte));
  const std::size_t last = only_before.alloc(100 * kMebibyte);
  only_before.begin_recording();
  only_before.free(last);
  only_before.free(only_before.alloc(2 * kMebibyte, kForward));
  EXPECT_THAT(explained(only_before).text, HasSubstr("when the recording began"));
}

}  // namespace
}  // namespace molgauge::allocator
