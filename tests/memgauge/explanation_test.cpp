#include "memgauge/explain/explanation.h"

#include <algorithm>
#include <iterator>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/memory/trace/trace_writer.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/page/explanation_page.h"
#include "memgauge/recordings/event_log.h"
#include "memgauge/recordings/recording_file.h"
#include "pocket_workload.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using testing::HasSubstr;

/// Epochs of the pocket workload, recorded as a trace and read again.
Recording pocket_recording(std::size_t epochs) {
  const molgauge::test::TemporaryFolder folder;
  const auto path = folder / "pocket.trace";
  {
    TraceWriter writer(path, {0, test::kPocketCard, ""});
    test::run_pocket_workload(epochs,
                              {[&](auto address, auto bytes) { writer.allocate(address, bytes, 0); },
                               [&](auto address, auto bytes) { writer.free(address, bytes, 0); },
                               [&](auto name) { writer.begin_phase(name); }, [&] { writer.end_phase(); }});
  }
  return read_recording(path.string());
}

class EpochFive : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    recording_ = new Recording(pocket_recording(8));
    ExplainMemoryRequest with_page;
    with_page.page = "page.html";
    explained_ = new ExplainedMemory(explain(*recording_, with_page));
  }
  static void TearDownTestSuite() {
    delete explained_;
    delete recording_;
  }
  static const MemoryExplanation& explanation() { return explained_->explanation; }

  inline static Recording* recording_ = nullptr;
  inline static ExplainedMemory* explained_ = nullptr;
};

TEST_F(EpochFive, RunsOutByFragmentation) {
  EXPECT_EQ(explanation().verdict, MemoryVerdict::fragmented);
  EXPECT_THAT(explanation().moment.phase, HasSubstr("epoch 5"));
  EXPECT_LE(explanation().moment.allocated_bytes + explanation().moment.requested_bytes, test::kPocketCard);
  EXPECT_LT(explanation().moment.largest_free_block_bytes, explanation().moment.requested_bytes);
  EXPECT_THAT(explanation().text, HasSubstr("Memory is fragmented"));
}

TEST_F(EpochFive, NamesExpandableSegmentsAsTheCure) {
  ASSERT_FALSE(explanation().cures.empty());
  const MemoryCure& best = explanation().cures.front();
  EXPECT_TRUE(best.is_cure);
  EXPECT_EQ(best.change, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
  EXPECT_THAT(explanation().text, HasSubstr("Fix, verified by simulation: " + best.change));
}

/// If the explanation calls a setting a cure, memory does not run out in the simulation with this setting.
/// Otherwise, memory runs out.
TEST_F(EpochFive, CuresHoldWhatTheyPromise) {
  for (const auto& cure : explanation().cures) {
    if (!cure.is_setting) {
      continue;
    }
    SimulateMemoryRequest request;
    request.settings = {cure.settings};
    const SimulatedMemory run = simulate(*recording_, request).runs.at(0);
    EXPECT_EQ(run.fits, cure.is_cure) << cure.change;
    EXPECT_EQ(run.peak_reserved_bytes, cure.peak_reserved_bytes) << cure.change;
  }
}

TEST_F(EpochFive, FollowsTheLargestFreeBlockOverTheEpochs) {
  ASSERT_EQ(explanation().stretches.size(), 5U);
  EXPECT_EQ(explanation().stretches[0].name, "epoch 1");
  EXPECT_GT(explanation().stretches[1].point.largest_free_block_bytes, 0U);
}

TEST_F(EpochFive, NamesWhoHeldMemory) {
  ASSERT_GE(explanation().holders.size(), 2U);
  std::uint64_t sum = 0;
  for (const auto& holder : explanation().holders) {
    sum += holder.bytes;
  }
  EXPECT_EQ(sum, explanation().moment.allocated_bytes);
  EXPECT_THAT(explanation().text, HasSubstr("train / model"));
}

TEST_F(EpochFive, ThreeHundredEpochsFitWithTheCure) {
  const Recording long_run = pocket_recording(300);
  SimulateMemoryRequest request;
  request.settings = {"", "expandable_segments:True"};
  const SimulateMemoryReport report = simulate(long_run, request);
  EXPECT_FALSE(report.runs.at(0).fits);
  EXPECT_TRUE(report.runs.at(1).fits);
}

TEST_F(EpochFive, PageIsWholeAndStandsAlone) {
  const std::string page = explanation_page(*explained_);
  EXPECT_THAT(page, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, testing::EndsWith("</html>\n"));
  for (const char* part :
       {"Timeline", "Fragmentation", "Segments at any moment", "epoch 5", "expandable_segments:True"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_THAT(page, testing::Not(HasSubstr("http")));
  EXPECT_THAT(page, testing::Not(HasSubstr("nan")));
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_EQ(explained_->history.states.size(), 48U);
  EXPECT_EQ(explained_->history.states.back().event, explanation().moment.event) << "where memory ran out";
  ASSERT_EQ(explained_->history.cured_states.size(), 48U);
  EXPECT_EQ(explained_->history.cured_states.back().event, explanation().moment.event);
  std::uint64_t drawn = 0;
  for (const auto& group : explained_->history.states.front().groups) {
    drawn += group.segment_bytes * group.count;
  }
  EXPECT_GT(drawn, 0U);
}

TEST_F(EpochFive, JsonSaysTheSame) {
  const auto json = nlohmann::json::parse(explanation().json);
  EXPECT_EQ(json.at("verdict"), "fragmented");
  EXPECT_EQ(json.at("capacity_bytes"), test::kPocketCard);
  EXPECT_EQ(json.at("moment").at("requested_bytes"), explanation().moment.requested_bytes);
  EXPECT_EQ(json.at("cures").size(), explanation().cures.size());
  EXPECT_EQ(json.at("timeline").size(), explanation().timeline.size());
}

TEST(Explanation, TooMuchIsNotCalledFragmentation) {
  EventLog log;
  const std::uint32_t model = log.origin("model"), batch = log.origin("batch");
  log.allocate(1, 60 * kMebibyte, 0, model);
  for (std::uint64_t i = 2; i < 6; ++i) {
    log.allocate(i, 20 * kMebibyte, 0, batch);
  }
  for (std::uint64_t i = 2; i < 6; ++i) {
    log.free(i, 20 * kMebibyte, 0);
  }
  ExplainMemoryRequest request;
  request.capacity_bytes = 100 * kMebibyte;
  const auto explanation = explain(log.finish(), request).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::too_much);
  EXPECT_FALSE(explanation.allowed_bytes.has_value());
  ASSERT_FALSE(explanation.cures.empty());
  EXPECT_EQ(explanation.cures.front().change, "batches of 50 % of the size");
  EXPECT_EQ(explanation.holders.front().origin, "model");
}

/// With per_process_memory_fraction, the process cannot use all memory of the card. The explanation therefore
/// compares the requests with the allowed memory only.
TEST(Explanation, ComparesWithWhatTheProcessMayUse) {
  EventLog log;
  log.allocate(1, 30 * kMebibyte, 0, log.origin("model"));
  log.allocate(2, 30 * kMebibyte, 0, log.origin("batch"));
  ExplainMemoryRequest request;
  request.capacity_bytes = 100 * kMebibyte;
  request.settings = "per_process_memory_fraction:0.5,max_split_size_mb:64";
  const auto explanation = explain(log.finish(), request).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::too_much);
  EXPECT_EQ(explanation.allowed_bytes, 50 * kMebibyte);
  EXPECT_THAT(explanation.text,
              HasSubstr("exceed the 50.0 MiB of the card that per_process_memory_fraction allows"));
  EXPECT_EQ(nlohmann::json::parse(explanation.json).at("allowed_bytes"), 50 * kMebibyte);
  const auto expandable = std::find_if(
      explanation.cures.begin(), explanation.cures.end(),
      [](const MemoryCure& cure) { return cure.change.find("expandable_segments") != std::string::npos; });
  ASSERT_NE(expandable, explanation.cures.end());
  EXPECT_EQ(expandable->change,
            "PYTORCH_CUDA_ALLOC_CONF=per_process_memory_fraction:0.5,expandable_segments:True");
  EXPECT_FALSE(expandable->is_cure);
}

TEST(Explanation, TriesNoSettingsThatPyTorchRefuses) {
  EventLog log;
  log.allocate(1, 90 * kMebibyte, 0, 0);
  log.allocate(2, 90 * kMebibyte, 0, 0);
  ExplainMemoryRequest request;
  request.capacity_bytes = 100 * kMebibyte;
  request.settings = "large_segment_size_mb:100";
  for (const auto& cure : explain(log.finish(), request).explanation.cures) {
    EXPECT_THAT(cure.change, testing::Not(HasSubstr("max_split_size_mb:64")));
  }
}

TEST(Explanation, FindsWasteWhereNothingRanOut) {
  EventLog log;
  for (std::uint64_t i = 1; i < 20; ++i) {
    log.allocate(i, (100 + i * 10) * kMebibyte, 0, 0);
    log.free(i, 0, 0);
  }
  const auto explanation = explain(log.finish(), {}).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::wasteful);
  EXPECT_TRUE(explanation.cures.front().is_cure);
  EXPECT_THAT(explanation.text, HasSubstr("size not recorded"));
}

TEST(Explanation, OfWasteThatNoSettingReduces) {
  const Recording recording =
      read_recording(molgauge::test::own_data("allocator/recorded/by-hand.pickle").string());
  const auto explanation = explain(recording, {}).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::wasteful);
  EXPECT_THAT(explanation.text, HasSubstr("were in use, at event 2."));  // its stack is not recorded
  EXPECT_THAT(explanation.text, HasSubstr("None of the simulated allocator settings reliably lowers"));
}

TEST(Explanation, LeavesASoundRunAlone) {
  EventLog log;
  log.allocate(1, 100 * kMebibyte, 0, 0);
  const auto explanation = explain(log.finish(), {}).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::sound);
  EXPECT_TRUE(explanation.cures.empty());
  EXPECT_THAT(explanation.text, HasSubstr("No change is needed"));
}

TEST(Explanation, OfAnEmptyRecordingIsNoCrash) {
  const auto explained = explain(EventLog().finish(), {});
  EXPECT_EQ(explained.explanation.verdict, MemoryVerdict::sound);
  EXPECT_FALSE(explanation_page(explained).empty());
}

TEST(Explanation, ReadsSnapshotsTooAndComparesWithWhatWasRecorded) {
  const Recording recording = read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string());
  const auto explained = explain(recording, {});
  EXPECT_EQ(explained.explanation.recorded_peak_reserved_bytes, 90 * kMebibyte);
  EXPECT_THAT(explained.explanation.text, HasSubstr("forward (train.py:40)"));
  EXPECT_THAT(explained.explanation.text, HasSubstr("90.0 MiB recorded"));
}

/// The allocator of a CPU has no cache. The explanation counts only live blocks, and proposes no setting.
TEST(Explanation, OfACpuSpeaksOfWhatLivedAlone) {
  const molgauge::test::TemporaryFolder folder;
  const auto path = folder / "cpu.trace";
  {
    TraceWriter writer(path, {0, 0, ""});
    writer.begin_phase("train");
    writer.allocate(1, 30 * kMebibyte, 0);
    writer.allocate(2, 1000, 0);
    writer.free(1, 30 * kMebibyte, 0);
    writer.allocate(3, 5 * kMebibyte, 0);
    writer.end_phase();
  }
  const Recording recording = read_recording(path.string());
  const auto explanation = explain(recording, {}).explanation;
  EXPECT_TRUE(explanation.on_cpu);
  EXPECT_EQ(explanation.verdict, MemoryVerdict::sound);
  constexpr std::uint64_t kPeak = 30 * kMebibyte + 1000;
  EXPECT_EQ(explanation.moment.allocated_bytes, kPeak);
  EXPECT_EQ(explanation.moment.reserved_bytes, kPeak);
  EXPECT_EQ(explanation.peak_in_use_bytes, kPeak);
  EXPECT_EQ(explanation.peak_reserved_bytes, kPeak);
  ASSERT_EQ(explanation.timeline.size(), 6U);  // one point for each event, including the bounds of the phase
  EXPECT_EQ(explanation.timeline[2].allocated_bytes, kPeak);
  EXPECT_EQ(explanation.timeline[3].reserved_bytes, 1000U);
  EXPECT_EQ(explanation.timeline[4].allocated_bytes, 5 * kMebibyte + 1000);
  EXPECT_TRUE(explanation.cures.empty());
  EXPECT_THAT(explanation.text, HasSubstr("recorded on a CPU"));
  for (const char* const of_a_gpu : {"CUDA", "cuda", "stranded", "card:"}) {
    EXPECT_THAT(explanation.text, testing::Not(HasSubstr(of_a_gpu)));
  }
  ExplainMemoryRequest with_page;
  with_page.page = "page.html";
  const std::string page = explanation_page(explain(recording, with_page));
  EXPECT_THAT(page, HasSubstr("Requested memory in use"));
  for (const char* const of_a_gpu : {"Fragmentation", "reserved memory", "memory of the GPU"}) {
    EXPECT_THAT(page, testing::Not(HasSubstr(of_a_gpu)));
  }

  EXPECT_THAT(explanation.text, HasSubstr("At the peak, in train (event 2), tensors used 30.0 MiB."));
  // The recording has no iterations, so the role of the memory is unknown.
  EXPECT_THAT(explanation.text, testing::Not(HasSubstr("activations")));

  ExplainMemoryRequest on_a_card;
  on_a_card.capacity_bytes = 32 * kMebibyte;
  EXPECT_FALSE(explain(recording, on_a_card).explanation.on_cpu);
}

/// A verb such as `encode --encoder ecfp` allocates no tensors.
TEST(Explanation, OfACpuWithoutTensorsNamesNoHolder) {
  const molgauge::test::TemporaryFolder folder;
  const auto path = folder / "cpu.trace";
  {
    TraceWriter writer(path, {0, 0, ""});
    writer.begin_phase("encoding");
    writer.end_phase();
  }
  const auto explanation = explain(read_recording(path.string()), {}).explanation;
  EXPECT_TRUE(explanation.holders.empty());
  EXPECT_THAT(explanation.text, HasSubstr("tensors used 0 B."));
  EXPECT_THAT(explanation.text, testing::Not(HasSubstr("Kept from the previous iteration")));
}

/// A snapshot that is dumped when memory has run out ends with the request that failed.
TEST(Explanation, ExplainsTheRequestThatFailedWhenItWasRecorded) {
  const Recording recording = read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string());
  const auto explanation = explain(recording, {}).explanation;
  EXPECT_EQ(explanation.verdict, MemoryVerdict::too_much);
  EXPECT_EQ(explanation.moment.requested_bytes, 100 * kMebibyte);
  EXPECT_EQ(explanation.capacity_bytes, 90 * kMebibyte);
  EXPECT_TRUE(explanation.ends_with_failure);
  EXPECT_THAT(explanation.text, HasSubstr("in optimizer, forward (train.py:40)"));
  EXPECT_THAT(explanation.text, testing::Not(HasSubstr("verified by simulation")));
}

TEST(Explanation, OfASnapshotWithoutATraceShowsItsSegments) {
  EXPECT_THROW(read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string(), 1),
               UsageError);
  Recording recording = read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string());
  recording.events.resize(recording.residents);
  const auto explained = explain(recording, {});
  EXPECT_EQ(explained.explanation.moment.reserved_bytes, 50 * kMebibyte);
  EXPECT_EQ(explained.explanation.moment.allocated_bytes, 34 * kMebibyte);
  EXPECT_EQ(explained.explanation.moment.stranded_bytes, 14 * kMebibyte);
  EXPECT_EQ(explained.explanation.verdict, MemoryVerdict::no_history);
  EXPECT_TRUE(explained.explanation.cures.empty());
  EXPECT_THAT(explained.explanation.text, HasSubstr("has no trace"));
  EXPECT_THAT(explained.explanation.text, HasSubstr("When the snapshot was taken"));
  EXPECT_EQ(explained.explanation.moment.pending_bytes, 2 * kMebibyte);
  EXPECT_THAT(explained.explanation.text, HasSubstr("100 B lost to rounding"));
}

TEST(Explanation, OfASnapshotWithoutATraceRefusesSettingsThatWouldDoNothing) {
  Recording recording = read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string());
  recording.events.resize(recording.residents);
  ExplainMemoryRequest card, settings;
  card.capacity_bytes = kMebibyte;
  settings.settings = "expandable_segments:True";
  EXPECT_THROW(explain(recording, card), UsageError);
  EXPECT_THROW(explain(recording, settings), UsageError);
}

/// If a recording ends with a failure, the events after the failure are unknown. Even if memory would run out
/// earlier on a smaller card, the explanation does not claim that a cure helps until the end of the program.
TEST(Explanation, VerifiesNoCureBeyondARecordedFailure) {
  ExplainMemoryRequest smaller;
  smaller.capacity_bytes = 60 * kMebibyte;
  const auto explanation =
      explain(read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string()), smaller)
          .explanation;
  EXPECT_LT(explanation.moment.requested_bytes, 100 * kMebibyte) << "an earlier request";
  EXPECT_TRUE(explanation.ends_with_failure);
  for (const auto& cure : explanation.cures) {
    EXPECT_FALSE(cure.tried_to_the_end) << cure.change;
  }
  EXPECT_THAT(explanation.text, testing::Not(HasSubstr("verified by simulation")));
}

/// tests/fixtures/allocator/pocket-epoch-5.trace.gz is this workload, compressed.
TEST(ExampleTrace, IsThePocketWorkload) {
  const Recording example =
      read_recording(molgauge::test::own_data("allocator/pocket-epoch-5.trace.gz").string());
  const Recording made = pocket_recording(8);
  ASSERT_EQ(example.events.size(), made.events.size());
  for (std::size_t i = 0; i < made.events.size(); ++i) {
    ASSERT_EQ(example.events[i].bytes, made.events[i].bytes) << i;
    ASSERT_EQ(example.events[i].allocation, made.events[i].allocation) << i;
  }
}

std::string page_of_an_origin(const std::string& name) {
  EventLog log;
  log.allocate(1, 100 * kMebibyte, 0, log.origin(name));
  return explanation_page(explain(log.finish(), {}));
}

/// The page contains scripts. A name must neither begin nor end a script.
TEST(Explanation, EscapesWhatARecordingNames) {
  const auto tags = [](const std::string& page) {
    const std::regex tag("</?script");
    return std::distance(std::sregex_iterator(page.begin(), page.end(), tag), std::sregex_iterator());
  };
  const std::string page = page_of_an_origin("<script>alert('x')</script>");
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert("));
  EXPECT_THAT(page, testing::Not(HasSubstr("<script>alert(")));
  EXPECT_EQ(tags(page), tags(page_of_an_origin("model.py:1")));
}

TEST(Simulation, RefusesSettingsItCannotReadButToleratesRecordedOnes) {
  EventLog log;
  log.allocate(1, 100, 0, 0);
  Recording recording = log.finish();
  SimulateMemoryRequest request;
  request.settings = {"nonsense:1"};
  EXPECT_THROW(simulate(recording, request), UsageError);
  recording.settings = "backend:cudaMallocAsync";
  const auto report = simulate(recording, {});
  EXPECT_EQ(report.runs.at(0).settings, "");
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("cannot be simulated")));
}

}  // namespace
}  // namespace molgauge::allocator
