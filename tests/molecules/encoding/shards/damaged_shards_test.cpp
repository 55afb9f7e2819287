// Tests that missing, truncated and changed files of shards are detected, reported and created again.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "sharded_workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// Overwrites a file without updating its checksum, as a broken disk would.
void overwrite(const std::string& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

class DamagedShards : public testing::Test {
 protected:
  void SetUp() override { place_.encode_all(); }

  std::string file(const std::string& name) const { return place_.shard_folder(2) + "/" + name; }

  /// Expects that both verbs name the damaged file. Then encodes the shard again. This must repair the file
  /// and give the same result as an undamaged shard.
  void expect_found_and_mended(const std::string& name) {
    const Outcome verified = place_.verify();
    EXPECT_EQ(verified.exit_code, 3) << name;
    EXPECT_THAT(verified.out, HasSubstr(name));
    const Outcome joined = place_.join(place_.path("joined.npy"));
    EXPECT_EQ(joined.exit_code, 3) << name;
    EXPECT_THAT(joined.err, HasSubstr(name));
    EXPECT_FALSE(std::filesystem::exists(place_.path("joined.npy")));
    const Outcome again = place_.encode(2);
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("The part is created again"));
    EXPECT_THAT(again.out, HasSubstr("1 of them written now"));
    EXPECT_EQ(place_.verify().exit_code, 0);
    place_.expect_same_as_at_once();
    std::filesystem::remove(place_.path("joined.npy"));
  }

  ShardedWorkplace place_;
};

TEST_F(DamagedShards, PartsAreMadeAnew) {
  const std::string part = "part-000001.npy", content = read_file(file(part));
  std::filesystem::remove(file(part));
  expect_found_and_mended(part);
  overwrite(file(part), content.substr(0, content.size() - 1));
  expect_found_and_mended(part);
  overwrite(file(part), "");
  expect_found_and_mended(part);
  for (const std::size_t place : {std::size_t{3}, std::size_t{60}, std::size_t{200}, content.size() - 1}) {
    std::string changed = content;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    overwrite(file(part), changed);
    expect_found_and_mended(part);
  }
  EXPECT_EQ(read_file(file(part)), content);
}

TEST_F(DamagedShards, FailuresAreMadeAnew) {
  const std::string name = "part-000000.failed.csv", content = read_file(file(name));
  overwrite(file(name), content + "1,2,3,4\n");
  expect_found_and_mended(name);
  std::filesystem::remove(file(name));
  expect_found_and_mended(name);
}

TEST_F(DamagedShards, AManifestIsNotGuessed) {
  const std::string name = file("manifest.json"), content = read_file(name);
  for (const std::string& damaged : {std::string(), std::string("{"), std::string("[]"),
                                     content.substr(0, content.size() / 2), std::string(100'000, '[')}) {
    overwrite(name, damaged);
    for (const Outcome& outcome :
         {place_.verify(), place_.join(place_.path("joined.npy")), place_.encode(2)}) {
      EXPECT_EQ(outcome.exit_code, 3) << damaged.substr(0, 80);
      EXPECT_THAT(outcome.err, HasSubstr("manifest.json"));
    }
  }
}

TEST_F(DamagedShards, AManifestWithOtherNumbersIsRefused) {
  const std::string name = file("manifest.json"), content = read_file(name);
  // After the checksums of the folder are removed, only the checks of the manifest itself can find the
  // changes.
  std::filesystem::remove(file("checksums.xxh128"));
  const auto with = [&](const char* pointer, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(content);
    json[nlohmann::json::json_pointer(pointer)] = value;
    overwrite(name, json.dump());
  };
  const std::vector<std::pair<const char*, nlohmann::json>> changes = {
      {"/shard", 0},        {"/shard", 4},         {"/shard", 1},           {"/shards", "3"},
      {"/width", 0},        {"/width", 1e30},      {"/part_rows", 0},       {"/part_rows", -1},
      {"/parts/0/rows", 0}, {"/parts/0/rows", 41}, {"/parts/0/failed", 41}, {"/parts", 7},
      {"/version", 2},      {"/format", "other"},  {"/type", "int8"},       {"/parts/0/rows", 39},
      {"/complete", "yes"}, {"/encoder", nullptr}, {"/parts/0/xxh128", 1},  {"/width", 7}};
  for (const auto& [pointer, value] : changes) {
    with(pointer, value);
    const Outcome verified = place_.verify(), joined = place_.join(place_.path("joined.npy"));
    // A wrong number of rows or a wrong width may be noticed only when the parts are read.
    EXPECT_EQ(joined.exit_code, 3) << pointer << " " << value << joined.err;
    EXPECT_THAT(verified.exit_code, testing::AnyOf(0, 3)) << pointer << " " << value << verified.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("joined.npy")));
  }
}

TEST_F(DamagedShards, ARenamedShardIsFound) {
  std::filesystem::remove_all(place_.shard_folder(1));
  std::filesystem::rename(place_.shard_folder(2), place_.shard_folder(1));
  const Outcome verified = place_.verify();
  EXPECT_EQ(verified.exit_code, 3);
  EXPECT_THAT(verified.err, HasSubstr("was renamed"));
}

}  // namespace
}  // namespace molgauge::test
