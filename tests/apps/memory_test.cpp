#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "browser.h"
#include "command.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

std::string example() { return own_data("allocator/pocket-epoch-5.trace.gz").string(); }

TEST(MemorySimulate, RunsATraceUnderSeveralSettings) {
  const Outcome outcome =
      molgauge({"memory", "simulate", example(), "--setting", "", "--setting", "expandable_segments:True"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("defaults"));
  EXPECT_THAT(outcome.out, HasSubstr("epoch 5"));
  EXPECT_THAT(outcome.out, HasSubstr("fits"));
}

TEST(MemorySimulate, PrintsJson) {
  const Outcome outcome = molgauge({"memory", "simulate", example(), "--capacity", "24GiB", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json.at("capacity_bytes"), std::uint64_t{24} << 30);
  EXPECT_EQ(json.at("runs").at(0).at("fits"), true);
}

TEST(MemoryPlan, PlansAnEncodingWithoutTensors) {
  const TemporaryFolder folder;
  const std::string molecules = (folder / "three.smi").string();
  replace_file(molecules, "CCO\nc1ccccc1\nnot-a-molecule\n");
  const Outcome outcome = molgauge({"memory", "plan", "encode", molecules, "--encoder", "ecfp",
                                    "--memory-budget", "2GiB", "--threads", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("encode with ecfp: 3 molecules"));
  EXPECT_THAT(outcome.out, HasSubstr("limited by"));
  EXPECT_THAT(outcome.out, HasSubstr("no tensors"));

  const Outcome json = molgauge({"memory", "plan", "encode", molecules, "--encoder", "ecfp", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at(0).at("work"), "encode with ecfp");
}

/// The plan accepts the options of the verb, and refuses the values that the verb refuses on a CPU.
TEST(MemoryPlan, RefusesWhatHasNoEffectOnACpu) {
  Workplace place;
  const std::string benchmark = place.path("b.json");
  ASSERT_EQ(place.split(place.nci_molecules(600), benchmark).exit_code, 0);
  const auto plan = [&](const std::string& type) {
    return molgauge({"memory", "plan", "train", benchmark, "--encoder", "ecfp", "--autocast", type,
                     "--eval-batch-size", "100"});
  };
  EXPECT_EQ(plan("bf16").exit_code, 0);
  const Outcome refused = plan("fp16");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("autocast"));
}

TEST(MemoryExplain, NamesTheCureAndWritesAPage) {
  const TemporaryFolder folder;
  const std::string page = (folder / "page.html").string();
  const Outcome outcome = molgauge({"memory", "explain", example(), "--page", page});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Memory is fragmented"));
  EXPECT_THAT(outcome.out,
              HasSubstr("Fix, verified by simulation: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"));
  EXPECT_THAT(read_file(page), HasSubstr("<svg"));
}

TEST(MemoryExplain, ThePageWorksInABrowser) {
  if (!has_browser()) {
    GTEST_SKIP() << "Chromium is not installed (scripts/setup --developer)";
  }
  const TemporaryFolder folder;
  const Outcome outcome =
      molgauge({"memory", "explain", example(), "--page", (folder / "explained.html").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(browser_verdict(MOLGAUGE_MEMORY_CHECK, folder.path()), "looked at 2 widths\n");
}

TEST(MemoryExplainParity, PagesOfOthersSnapshotsWorkInABrowser) {
  REQUIRE_REFERENCE("snapshots/facts.json");
  if (!has_browser()) {
    GTEST_SKIP() << "Chromium is not installed (scripts/setup --developer)";
  }
  for (const char* name : {"01_oom_expandable_4gpu.pickle", "03_cs336_medium1024_training_usermeta.pickle",
                           "09_no_time_us_4gpu.pickle"}) {
    REQUIRE_REFERENCE(std::string("snapshots/") + name);
    const TemporaryFolder folder;
    const Outcome outcome =
        molgauge({"memory", "explain", reference_data(std::string("snapshots/") + name).string(), "--device",
                  "all", "--page", (folder / "explained.html").string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(browser_verdict(MOLGAUGE_MEMORY_CHECK, folder.path()), "looked at 2 widths\n") << name;
  }
}

TEST(MemoryExplain, ExplainsTheTextOfAnErrorAlone) {
  const TemporaryFolder folder;
  const std::string log = (folder / "train.log").string();
  const std::string text =
      "step 12\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total "
      "capacity "
      "of 79.15 GiB of which 1.71 GiB is free. Of the allocated memory 60.02 GiB is allocated by PyTorch, "
      "and 16.21 "
      "GiB is reserved by PyTorch but unallocated.\n";
  replace_file(log, text);
  CommandOptions with_text;
  with_text.stdin_text = text;
  for (const Outcome& outcome : {molgauge({"memory", "explain", "--message", log}),
                                 molgauge({"memory", "explain", "--message", "-"}, with_text),
                                 molgauge({"memory", "explain", "-"}, with_text)}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Memory was fragmented: 16.2 GiB"));
    EXPECT_THAT(outcome.out, HasSubstr("likely    PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"));
  }
  const Outcome json = molgauge({"memory", "explain", "--message", log, "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("verdict"), "fragmented");
  EXPECT_EQ(molgauge({"memory", "explain"}).exit_code, 2);
  EXPECT_EQ(molgauge({"memory", "explain", "--message", log, "--capacity", "8GiB"}).exit_code, 2);
  replace_file(log, "KeyError");
  EXPECT_EQ(molgauge({"memory", "explain", "--message", log}).exit_code, 3);
}

TEST(MemoryExplain, ReadsSnapshotsOfPyTorch) {
  const Outcome outcome =
      molgauge({"memory", "explain", own_data("allocator/protocol5.pickle").string(), "--json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("format"), "PyTorch snapshot");
}

TEST(MemoryExplain, ExplainsAllDevicesAndSeveralRanks) {
  const std::string snapshot = own_data("allocator/protocol5.pickle").string();
  const Outcome all = molgauge({"memory", "explain", snapshot, "--device", "all"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(molgauge({"memory", "explain", snapshot, "--device", "5"}).exit_code, 2);
  EXPECT_EQ(molgauge({"memory", "explain", snapshot, "--device", "some"}).exit_code, 2);
  const Outcome ranks =
      molgauge({"memory", "explain", snapshot, own_data("allocator/protocol4.pickle").string(), "--json"});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_EQ(nlohmann::json::parse(ranks.out).at("devices").size(), 2U);
  const Outcome twice = molgauge({"memory", "explain", snapshot, snapshot});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("is named twice"));
}

TEST(MemoryDiff, ShowsWhatGrew) {
  const std::string snapshot = own_data("allocator/protocol5.pickle").string();
  const Outcome outcome = molgauge({"memory", "diff", snapshot, example()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("In use at the peak"));
  const Outcome json = molgauge({"memory", "diff", snapshot, snapshot, "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("kind"), "difference");
  EXPECT_TRUE(nlohmann::json::parse(json.out).at("at_peak").empty());
  EXPECT_THAT(molgauge({"memory", "diff", snapshot, snapshot}).out, HasSubstr("no stack changed"));
  EXPECT_EQ(molgauge({"memory", "diff", snapshot, "/no/such/file"}).exit_code, 3);
}

TEST(MemoryExplain, RefusesOtherFilesAndWrongSettings) {
  EXPECT_EQ(molgauge({"memory", "explain", "/no/such/file"}).exit_code, 3);
  EXPECT_EQ(molgauge({"memory", "explain", example(), "--setting", "nonsense:1"}).exit_code, 2);
  EXPECT_EQ(molgauge({"memory", "simulate", example(), "--device", "1"}).exit_code, 2);
  EXPECT_EQ(molgauge({"memory", "simulate", example(), "--capacity", "24GB"}).exit_code, 2);
}

}  // namespace
}  // namespace molgauge::test
