// Tests the files that `encode --shard` writes, and the reports of `shards` about these files.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npy.h"
#include "sharded_workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ShardVerbs, JoinedShardsAreTheBytesOfOneRun) {
  const ShardedWorkplace place;
  place.encode_all();
  const Outcome verified = place.verify();
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out,
              HasSubstr("3 of 3 shards complete, float32 of ecfp, 500 rows in 15 parts, 38 failed"));
  place.expect_same_as_at_once();
  EXPECT_EQ(place.scratch_files(), 0U);
}

TEST(ShardVerbs, AShardThatIsCompleteStaysAsItIs) {
  const ShardedWorkplace place;
  ASSERT_EQ(place.encode(2).exit_code, 0);
  const auto content = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(place.shard_folder(2))) {
      files[entry.path().filename().string()] =
          entry.path().filename() == ".lock" ? "" : read_file(entry.path());
    }
    return files;
  };
  const auto before = content();
  const Outcome again = place.encode(2);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("5 parts, 0 of them written now. 0 encoded now"));
  EXPECT_EQ(content(), before);
}

TEST(ShardVerbs, Float16IsTheNearestOfTheSameNumbers) {
  const ShardedWorkplace place;
  place.encode_all({"--part-type", "float16"});
  place.encode_at_once(place.path("at-once.npy"));
  const Outcome joined = place.join(place.path("joined.npy"));
  ASSERT_EQ(joined.exit_code, 0) << joined.err;
  const io::TensorData halves = io::read_npy(place.path("joined.npy"));
  EXPECT_EQ(halves.type, io::DataType::float16);
  const std::vector<float> numbers = halves.to_float32(),
                           exact = io::read_npy(place.path("at-once.npy")).to_float32();
  ASSERT_EQ(numbers.size(), exact.size());
  std::size_t missing = 0, differing = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    missing += std::isnan(numbers[i]) ? 1 : 0;
    // ECFP counts are integers.
    differing += std::isnan(exact[i]) ? (std::isnan(numbers[i]) ? 0 : 1) : (numbers[i] == exact[i] ? 0 : 1);
  }
  EXPECT_EQ(differing, 0U);
  EXPECT_EQ(missing, 38 * exact.size() / ShardedWorkplace::kRecords);
}

TEST(ShardVerbs, AShardOfFailedRecordsIsAShard) {
  const ShardedWorkplace place;
  std::string text;
  for (std::size_t row = 0; row < 9; ++row) {
    text += row % 3 == 1 ? "nonsense\n" : "CCO\n";
  }
  replace_file(place.molecules(), text);
  place.encode_all();
  place.expect_same_as_at_once();
}

TEST(ShardVerbs, MoreShardsThanRecords) {
  const ShardedWorkplace place;
  replace_file(place.molecules(), "CCO\nnonsense\n");
  place.encode_all();
  EXPECT_EQ(place.verify().exit_code, 0);
  place.expect_same_as_at_once();
}

TEST(ShardVerbs, NothingIsJoinedWithoutAMolecule) {
  const ShardedWorkplace place;
  replace_file(place.molecules(), "nonsense\nmore nonsense\n");
  place.encode_all();
  const Outcome joined = place.join(place.path("joined.npy"));
  EXPECT_EQ(joined.exit_code, 3);
  EXPECT_THAT(joined.err, HasSubstr("not one of 2 records is a valid molecule"));
}

TEST(ShardVerbs, OtherWorkIsNotContinued) {
  const ShardedWorkplace place;
  ASSERT_EQ(place.encode(1).exit_code, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> others = {
      {{"--part-rows", "41"}, "--part-rows is not the same"},
      {{"--part-type", "float16"}, "--part-type is not the same"}};
  for (const auto& [more, finding] : others) {
    const Outcome refused = place.encode(1, more);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr(finding));
  }
  replace_file(place.molecules(), read_file(place.molecules()) + "CCO\n");
  const Outcome refused = place.encode(1);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the input differs"));
  // Another shard of the changed input does not fit the existing shards.
  ASSERT_EQ(place.encode(2).exit_code, 0);
  const Outcome verified = place.verify();
  EXPECT_EQ(verified.exit_code, 3);
  EXPECT_THAT(verified.err, HasSubstr("shards 1/3 and 2/3 do not belong together"));
}

TEST(ShardVerbs, MissingAndUnfinishedShardsAreNamed) {
  const ShardedWorkplace place;
  const Outcome none = place.verify();
  EXPECT_EQ(none.exit_code, 3);
  ASSERT_EQ(place.encode(3).exit_code, 0);
  const Outcome verified = place.verify();
  EXPECT_EQ(verified.exit_code, 3);
  EXPECT_THAT(verified.out, HasSubstr("shard 1/3 is missing"));
  EXPECT_THAT(verified.out, HasSubstr("shard 2/3 is missing"));
  EXPECT_THAT(verified.out, Not(HasSubstr("shard 3/3")));
  const Outcome joined = place.join(place.path("joined.npy"));
  EXPECT_EQ(joined.exit_code, 3);
  EXPECT_THAT(joined.err, HasSubstr("cannot be joined yet: shard 1/3 is missing"));
  EXPECT_FALSE(std::filesystem::exists(place.path("joined.npy")));
}

TEST(ShardVerbs, WrongCallsAreRefused) {
  const ShardedWorkplace place;
  const auto exit_code = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"encode"});
    words.insert(words.end(), {"--encoder", "ecfp"});
    CommandOptions options;
    options.environment = {{"TMPDIR", place.path("scratch")}};
    return molgauge(words, options).exit_code;
  };
  EXPECT_EQ(exit_code({place.molecules(), "--shard", "1/2"}), 2);
  EXPECT_EQ(exit_code({place.molecules(), "--shard", "3/2", "--out", place.shards()}), 2);
  EXPECT_EQ(exit_code({place.molecules(), "--part-rows", "5", "--out", place.path("a.npy")}), 2);
  EXPECT_EQ(exit_code({place.molecules(), "--shard", "1/2", "--part-type", "int8", "--out", place.shards()}),
            2);
  EXPECT_EQ(exit_code({"-", "--shard", "1/2", "--out", place.shards()}), 2);
  EXPECT_EQ(exit_code({place.path("absent.smi"), "--shard", "1/2", "--out", place.shards()}), 3);
  EXPECT_FALSE(std::filesystem::exists(place.shards()));
}

TEST(ShardVerbs, AStoreThatIsNamedIsKept) {
  const ShardedWorkplace place;
  ASSERT_EQ(place.encode(1, {"--store", place.path("kept")}).exit_code, 0);
  const Outcome info = molgauge({"store", "info", "--store", place.path("kept")});
  EXPECT_THAT(info.out, HasSubstr("ecfp"));
}

TEST(ShardVerbs, StrictStopsAtTheFirstThatFails) {
  const ShardedWorkplace place;
  const Outcome strict = place.encode(2, {"--strict"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.err, HasSubstr("molecules.smi:8:"));
}

}  // namespace
}  // namespace molgauge::test
