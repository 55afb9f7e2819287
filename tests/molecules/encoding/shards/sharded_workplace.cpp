#include "sharded_workplace.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molecules/encoding/shards/shard.h"

namespace molgauge::test {

ShardedWorkplace::ShardedWorkplace() {
  // Rows 7, 20, 33, ... are invalid. Half of these rows contain a text that must be quoted in CSV. The same
  // texts occur in several rows.
  std::istringstream lines(read_file(place_.nci_molecules(200)));
  std::vector<std::string> known;
  for (std::string line; std::getline(lines, line);) {
    known.push_back(line);
  }
  std::string all;
  for (std::size_t row = 0; row < kRecords; ++row) {
    all += row % 13 == 7 ? (row % 2 == 0 ? "nonsense\n" : "not,\"a\"molecule\n")
                         : known[row % known.size()] + "\n";
  }
  molecules_ = place_.file("molecules.smi", all);
  std::filesystem::create_directory(path("scratch"));
}

std::string ShardedWorkplace::shard_folder(std::size_t shard) const {
  return pipeline::shard_folder(shards(), {shard, kShards}).string();
}

Outcome ShardedWorkplace::encode(std::size_t shard, const std::vector<std::string>& more,
                                 CommandOptions options) const {
  std::vector<std::string> words = {
      "encode", molecules_, "--encoder", "ecfp",    "--threads",
      "1",      "--out",    shards(),    "--shard", pipeline::to_string(pipeline::Shard{shard, kShards})};
  if (std::find(more.begin(), more.end(), "--part-rows") == more.end()) {
    words.insert(words.end(), {"--part-rows", std::to_string(kPartRows)});
  }
  words.insert(words.end(), more.begin(), more.end());
  options.environment["TMPDIR"] = path("scratch");
  return molgauge(words, options);
}

void ShardedWorkplace::encode_all(const std::vector<std::string>& more) const {
  for (std::size_t shard = 1; shard <= kShards; ++shard) {
    const Outcome outcome = encode(shard, more);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

Outcome ShardedWorkplace::verify() const { return molgauge({"shards", "verify", shards()}); }

Outcome ShardedWorkplace::join(const std::string& out) const {
  return molgauge({"shards", "join", shards(), "--out", out});
}

void ShardedWorkplace::encode_at_once(const std::string& out) const {
  const Outcome outcome = place_.encode(molecules_, {"--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

void ShardedWorkplace::expect_same_as_at_once() const {
  encode_at_once(path("at-once.npy"));
  const Outcome joined = join(path("joined.npy"));
  ASSERT_EQ(joined.exit_code, 0) << joined.err;
  EXPECT_TRUE(read_file(path("joined.npy")) == read_file(path("at-once.npy")));
  EXPECT_EQ(read_file(path("joined.failed.csv")), read_file(path("at-once.failed.csv")));
}

std::size_t ShardedWorkplace::scratch_files() const {
  const std::filesystem::recursive_directory_iterator all(path("scratch"));
  return static_cast<std::size_t>(
      std::count_if(begin(all), end(all), [](const auto& entry) { return entry.is_regular_file(); }));
}

}  // namespace molgauge::test
