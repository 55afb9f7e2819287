#pragma once

#include <string>
#include <vector>

#include "workplace.h"

namespace molgauge::test {

/// A folder with a few hundred molecules, some of which fail. Calls the program on shards of these molecules.
class ShardedWorkplace {
 public:
  static constexpr std::size_t kRecords = 500, kShards = 3, kPartRows = 40;

  ShardedWorkplace();

  std::string path(const std::string& name) const { return place_.path(name); }
  const std::string& molecules() const { return molecules_; }
  std::string shards() const { return path("shards"); }
  std::string shard_folder(std::size_t shard) const;

  /// Runs `molgauge encode --shard SHARD/kShards` into shards().
  Outcome encode(std::size_t shard, const std::vector<std::string>& more = {},
                 CommandOptions options = {}) const;
  /// Encodes every shard and expects success.
  void encode_all(const std::vector<std::string>& more = {}) const;
  Outcome verify() const;
  Outcome join(const std::string& out) const;
  /// The features and failures that one process writes for the complete input, under this name.
  void encode_at_once(const std::string& out) const;
  /// Expects the joined shards to be bit-identical to the files of encode_at_once().
  void expect_same_as_at_once() const;
  /// Files that the shards left in $TMPDIR.
  std::size_t scratch_files() const;

 private:
  Workplace place_;
  std::string molecules_;
};

}  // namespace molgauge::test
