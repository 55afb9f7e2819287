// Tests kill -9 of shards at any moment. Finished parts stay, and the joined rows equal the rows of an
// undisturbed run.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molecules/encoding/shards/shard_manifest.h"
#include "sharded_workplace.h"

namespace molgauge::test {
namespace {

std::size_t number_of(const char* variable, std::size_t usual) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::stoul(text) : usual;
}

/// Parts that the shard has finished.
std::size_t finished_parts(const std::string& folder) {
  const auto manifest = pipeline::read_manifest(folder);
  return manifest ? manifest->parts.size() : 0;
}

TEST(KilledShards, ContinueToTheSameBytes) {
  const ShardedWorkplace place;
  std::mt19937 random(static_cast<unsigned>(number_of("MOLGAUGE_SEED", 11)));
  const std::size_t kills = number_of("MOLGAUGE_KILLS", 6);
  std::size_t hits = 0, longest = 600;
  for (std::size_t kill = 0; kill < kills; ++kill) {
    const std::size_t shard = 1 + random() % ShardedWorkplace::kShards;
    const std::size_t before = finished_parts(place.shard_folder(shard));
    CommandOptions options;
    options.kill_after = std::chrono::milliseconds(20 + random() % longest);
    const Outcome outcome = place.encode(shard, {"--part-rows", "10"}, options);
    EXPECT_TRUE(outcome.signal == SIGKILL || outcome.exit_code == 0) << outcome.err;
    hits += outcome.signal == SIGKILL ? 1 : 0;
    const std::size_t after = finished_parts(place.shard_folder(shard));
    EXPECT_GE(after, before) << "finished parts are gone after kill " << kill;
    if (outcome.exit_code == 0) {
      longest = longest * 4 / 5;
      std::filesystem::remove_all(place.shard_folder(shard));
    } else if (after == before) {
      longest = longest * 5 / 4;
    }
  }
  std::printf("%zu of %zu kills hit\n", hits, kills);
  EXPECT_GT(hits, 0U);
  place.encode_all({"--part-rows", "10"});
  EXPECT_EQ(place.verify().exit_code, 0);
  place.expect_same_as_at_once();
  EXPECT_EQ(place.scratch_files(), 0U);
}

TEST(KilledShards, AreStoppedByCtrlC) {
  const ShardedWorkplace place;
  std::string many;
  for (int copy = 0; copy < 4; ++copy) {
    many += read_file(place.molecules());
  }
  replace_file(place.molecules(), many);
  const std::string folder = place.shard_folder(1);
  CommandOptions options;
  options.interrupt_after = std::chrono::milliseconds(900);
  const Outcome stopped = place.encode(1, {"--part-rows", "10"}, options);
  EXPECT_THAT(stopped.exit_code, testing::AnyOf(130, 0)) << stopped.err;
  const std::size_t kept = finished_parts(folder);
  const Outcome again = place.encode(1, {"--part-rows", "10"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_GE(finished_parts(folder), kept);
}

}  // namespace
}  // namespace molgauge::test
