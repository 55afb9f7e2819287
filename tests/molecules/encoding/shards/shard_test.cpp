#include "molecules/encoding/shards/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/encoding/shards/shard_manifest.h"
#include "support/fixtures.h"

namespace molgauge::pipeline {
namespace {

using testing::ElementsAre;

/// Records "0", "1" and so on, for the rows of an input.
MoleculeSource numbered(std::size_t count) {
  auto next = std::make_shared<std::size_t>(0);
  return [next, count]() -> std::optional<chem::MoleculeRecord> {
    if (*next == count) {
      return std::nullopt;
    }
    chem::MoleculeRecord record;
    record.row = *next;
    record.text = std::to_string((*next)++);
    return record;
  };
}

std::vector<std::string> texts(const std::vector<chem::MoleculeRecord>& records) {
  std::vector<std::string> all;
  for (const auto& record : records) {
    all.push_back(record.text);
  }
  return all;
}

TEST(Shard, ReadsItsOwnSpelling) {
  EXPECT_EQ(parse_shard("3/8"), (Shard{3, 8}));
  EXPECT_EQ(to_string(parse_shard("1000/1000")), "1000/1000");
  for (const char* wrong :
       {"", "3", "3/", "/8", "0/8", "9/8", "3/8/9", "-1/8", "3 /8", "+3/8", "1/1001", "a/b", "3.0/8"}) {
    EXPECT_THROW(parse_shard(wrong), UsageError) << wrong;
  }
}

TEST(Shard, HasAFolderOfItsOwn) {
  EXPECT_EQ(shard_folder("out", {3, 8}), "out/shard-0003-of-0008");
  EXPECT_EQ(shard_of_folder("out/shard-0003-of-0008"), (Shard{3, 8}));
  for (const char* other :
       {"out/shard-3-of-8", "out/shard-0009-of-0008", "out/shards", "out/shard-0003-of-0008.old"}) {
    EXPECT_EQ(shard_of_folder(other), std::nullopt) << other;
  }
}

TEST(Shard, TakesEveryNthRecord) {
  for (const std::size_t count : {1, 2, 3, 7, 20}) {
    for (std::size_t records = 0; records < 15; ++records) {
      std::vector<std::string> found(records);
      std::size_t sum = 0;
      for (Shard shard{1, count}; shard.number <= count; ++shard.number) {
        ShardRecords reader(numbered(records), shard);
        const auto part = reader.next_part(100, 100);
        EXPECT_EQ(part.size(), shard.share_of(records));
        sum += part.size();
        for (std::size_t i = 0; i < part.size(); ++i) {
          EXPECT_EQ(part[i].row, i);
          found.at(shard.row(i)) = part[i].text;
          EXPECT_EQ(part[i].text, std::to_string(shard.row(i)));
        }
      }
      EXPECT_EQ(sum, records);
    }
  }
}

TEST(Shard, PartsEndAtTheirRowsOrTheirText) {
  ShardRecords reader(numbered(40), {2, 3});  // 1, 4, 7, 10, ...
  EXPECT_THAT(texts(reader.next_part(2, 100)), ElementsAre("1", "4"));
  reader.skip(1);
  EXPECT_THAT(texts(reader.next_part(100, 4)), ElementsAre("10", "13"));
  EXPECT_THAT(texts(reader.next_part(100, 0)), ElementsAre("16"));
  reader.skip(6);
  EXPECT_THAT(texts(reader.next_part(100, 100)), ElementsAre("37"));
  EXPECT_TRUE(reader.next_part(100, 100).empty());
  EXPECT_TRUE(reader.next_part(100, 100).empty());
}

TEST(ShardManifest, IsReadAsItWasWritten) {
  const molgauge::test::TemporaryFolder folder;
  EXPECT_FALSE(read_manifest(folder.path()));
  ShardManifest manifest;
  manifest.work = {.shard = {3, 8},
                   .part_rows = 10,
                   .number_type = io::DataType::float16,
                   .space = {"minimol", "abc", "precision=fp32", 512},
                   .random_weights = "",
                   .input = "a.smi",
                   .input_bytes = 99,
                   .input_checksum = "def",
                   .smiles_column = "smiles"};
  manifest.parts = {{10, 0, "1", ""}, {4, 2, "2", "3"}};
  manifest.is_complete = true;
  write_manifest(folder.path(), manifest);
  const auto read = read_manifest(folder.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->work.difference(manifest.work), "");
  EXPECT_EQ(read->work.shard, manifest.work.shard);
  EXPECT_EQ(read->rows(), 14U);
  EXPECT_EQ(read->failed(), 2U);
  EXPECT_TRUE(read->is_complete);
  EXPECT_EQ(read->parts[1].failures_checksum, "3");
}

}  // namespace
}  // namespace molgauge::pipeline
