// Tests the comparison of the snapshots of several ranks in a folder.

#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "memgauge/verbs/verbs.h"
#include "recorded_program.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A rank that holds a model of 10 MiB, and a batch that depends on the rank.
std::string snapshot_of(std::uint64_t batch, std::uint64_t capacity = DeviceMemory::kUnlimited) {
  test::RecordedProgram program("", capacity);
  program.alloc(10 * kMebibyte, {{"build", "/home/user/train.py", 5}});
  const std::size_t x = program.alloc(batch, {{"load", "/home/user/train.py", 9}});
  if (x != test::RecordedProgram::kFailed) {
    program.free(x);
  }
  return program.pickle();
}

class Ranks : public testing::Test {
 protected:
  MemoryExplanation explained() const {
    ExplainMemoryRequest request;
    request.file = folder.path().string();
    return explain_memory(request);
  }
  void write(const std::string& name, const std::string& content) const {
    replace_file((folder / name).string(), content);
  }

  molgauge::test::TemporaryFolder folder;
};

TEST_F(Ranks, OfAFolderAreComparedInTheOrderOfTheirNumbers) {
  write("rank10.pickle", snapshot_of(40 * kMebibyte));
  write("rank2.pickle", snapshot_of(4 * kMebibyte));
  write("rank0.pickle", snapshot_of(8 * kMebibyte));
  write("notes.txt", "not a snapshot");
  const auto explanation = explained();
  EXPECT_THAT(explanation.text,
              HasSubstr("Ranks, with their highest memory in use:\n    18.0 MiB  rank0.pickle\n    "
                        "14.0 MiB  rank2.pickle\n    50.0 MiB  rank10.pickle\n"));
  EXPECT_THAT(
      explanation.text,
      HasSubstr("Largest differences at the peak, rank10.pickle compared with rank2.pickle:\n    40.0 MiB "
                "instead of   4.00 MiB  load (train.py:9)"));
  EXPECT_THAT(explanation.text, testing::Not(HasSubstr("instead of   10.0 MiB")));
  const json ranks = json::parse(explanation.json)["ranks"];
  EXPECT_EQ(ranks["ranks"].size(), 3U);
  EXPECT_EQ(ranks["ranks"][2]["peak_bytes"], 50 * kMebibyte);
  EXPECT_THAT(ranks["least"].get<std::string>(), HasSubstr("rank2.pickle"));
  EXPECT_THAT(ranks["most"].get<std::string>(), HasSubstr("rank10.pickle"));
}

TEST_F(Ranks, TheRankThatRanOutIsExplained) {
  write("rank0.pickle", snapshot_of(8 * kMebibyte));
  write("rank1.pickle", snapshot_of(64 * kMebibyte, 40 * kMebibyte));
  const auto explanation = explained();
  EXPECT_THAT(explanation.source, HasSubstr("rank1.pickle"));
  EXPECT_THAT(explanation.text, HasSubstr("rank1.pickle, memory ran out"));
}

TEST_F(Ranks, WithEqualMemoryDoNotDiffer) {
  write("rank0.pickle", snapshot_of(8 * kMebibyte));
  write("rank1.pickle", snapshot_of(8 * kMebibyte));
  EXPECT_THAT(explained().text, HasSubstr("No line of code holds a different amount of memory"));
}

TEST_F(Ranks, AFolderWithoutSnapshotsAndAFolderWithFilesAreRefused) {
  EXPECT_THROW(explained(), InputError);
  write("rank0.pickle", snapshot_of(8 * kMebibyte));
  EXPECT_EQ(json::parse(explained().json).contains("ranks"), false);
  ExplainMemoryRequest request;
  request.file = folder.path().string();
  request.other_ranks = {(folder / "rank0.pickle").string()};
  EXPECT_THROW(explain_memory(request), UsageError);
}

}  // namespace
}  // namespace molgauge::allocator
