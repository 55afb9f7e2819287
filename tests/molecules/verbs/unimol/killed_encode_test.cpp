// Kills an encoding at random moments while it generates conformers, and repeats it. Finished work is not
// lost. Only the molecules in progress at a kill are computed twice, and the rows are bit-identical to the
// rows of an undisturbed encoding.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "small_unimol.h"

namespace molgauge::test {
namespace {

constexpr int kKills = 8;

int kills_wanted() {
  const char* const kills = std::getenv("MOLGAUGE_KILLS");
  return kills == nullptr ? kKills : std::atoi(kills);
}

/// Distinct molecules, and two records that fail.
std::string molecules(std::size_t count) {
  std::string text = "nonsense\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "c1ccc(cc1)" + std::string(i % 9 + 1, 'C') + "N" + std::string(i / 9 % 9 + 1, 'C') + "O" +
            std::string(i / 81 + 1, 'C') + "\n";
  }
  return text + "C1CC\n";
}

/// An engine, and molecules that keep it busy for some seconds.
struct Work {
  ConformerEngine engine;
  std::size_t molecules;
};

class KilledEncode : public Unimol, public testing::WithParamInterface<Work> {
 protected:
  /// An encoding into the store `name`.
  EncodeRequest encoding_into(const std::string& name) {
    EncodeRequest encoding = request(molecules(GetParam().molecules));
    encoding.out = path(name + ".npy");
    encoding.atom_features = path(name + "-atoms.npz");
    encoding.store = path(name);
    encoding.placement.conformer_engine = GetParam().engine;
    return encoding;
  }

  /// The number of values and rows in the store so far.
  std::size_t stored(const std::string& store) {
    std::size_t rows = 0;
    try {
      for (const StoreDatabase& database : engine().run(StoreRequest{path(store)}).databases) {
        rows += database.rows;
      }
    } catch (const Error&) {
      // The store does not exist yet.
    }
    return rows;
  }

  /// Starts an encoding in a separate process and kills it. Returns false if it ended before.
  bool kill_once(const EncodeRequest& encoding, const std::function<bool()>& is_time) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        engine().run(encoding);
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    while (!is_time()) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        return false;
      }
      usleep(5'000);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return true;
  }
};

TEST_P(KilledEncode, EndsWithTheSameRows) {
  init(7);
  const EncodeRequest encoding = encoding_into("killed");
  std::mt19937 random(2026);
  int kills = 0;
  for (; kills < kills_wanted(); ++kills) {
    // Every other kill comes soon after new data is on disk, to reach all stages of the run. The other kills
    // come at any moment.
    const std::size_t before = stored("killed");
    int looks = kills % 2 == 0 ? -1 : static_cast<int>(random() % 100);
    const auto is_time = [&] { return looks < 0 ? stored("killed") > before : looks-- == 0; };
    if (!kill_once(encoding, is_time)) {
      break;
    }
    ASSERT_EQ(engine().run(VerifyStoreRequest{encoding.store}).damaged, 0U) << kills;
    if (std::filesystem::exists(encoding.out) || std::filesystem::exists(encoding.atom_features)) {
      break;  // the process was killed between its last file and its end
    }
  }
  EXPECT_GT(kills, 1);
  const EncodeReport last = engine().run(encoding), alone = engine().run(encoding_into("alone"));
  const std::size_t encoded = GetParam().molecules;
  EXPECT_EQ(last.rows, encoded + 2);
  EXPECT_EQ(last.failed_records, 2U);
  EXPECT_EQ(last.encoded + last.from_store, encoded);
  EXPECT_EQ(alone.encoded, encoded);
  EXPECT_EQ(alone.conformers_made, encoded);
  for (const char* const file : {".npy", "-atoms.npz", ".failed.csv", "-atoms.failed.csv"}) {
    EXPECT_EQ(read_file(path(std::string("killed") + file)), read_file(path(std::string("alone") + file)));
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, KilledEncode,
                         testing::Values(Work{ConformerEngine::exact, 90}, Work{ConformerEngine::fast, 600}),
                         [](const auto& tested) { return std::string(to_string(tested.param.engine)); });

}  // namespace
}  // namespace molgauge::test
