// Tests a full disk, a read-only folder, and two programs in one folder. Each error message names the folder
// and the fix, and finished work is kept.

#include <chrono>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

/// An in-memory file system of this many KiB.
class SmallDisk {
 public:
  explicit SmallDisk(std::size_t kib)
      : mounted_(mount("tmpfs", folder_.path().c_str(), "tmpfs", 0,
                       ("size=" + std::to_string(kib) + "k").c_str()) == 0) {}
  ~SmallDisk() {
    if (mounted_) {
      umount2(folder_.path().c_str(), MNT_DETACH);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void grow(std::size_t kib) const {
    mount("tmpfs", folder_.path().c_str(), "tmpfs", MS_REMOUNT,
          ("size=" + std::to_string(kib) + "k").c_str());
  }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

#define REQUIRE_MOUNTED(disk)                                              \
  if (!(disk).mounted()) {                                                 \
    GTEST_SKIP() << "this user may not mount a file system to fill it up"; \
  }                                                                        \
  static_assert(true, "")

void expect_full(const Outcome& outcome, const std::string& place) {
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr(place), AnyOf(HasSubstr("Free some space"), HasSubstr("No space left"))));
}

class HostileDisk : public testing::Test {
 protected:
  void make_benchmark() {
    const Outcome split = place_.split(place_.nci_molecules(600), benchmark_);
    ASSERT_EQ(split.exit_code, 0) << split.err;
  }
  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json");
};

TEST_F(HostileDisk, AFullOneUnderTheStoreKeepsWhatIsFinished) {
  const SmallDisk disk(3000);
  REQUIRE_MOUNTED(disk);
  const std::string molecules = place_.nci_molecules(2000);
  place_.use_store(disk.path("store"));
  const std::vector<std::string> words = {"--quiet", "--batch-atoms", "500"};
  expect_full(place_.encode(molecules, words), disk.path("store"));
  expect_full(place_.encode(molecules, words), disk.path("store"));
  disk.grow(30000);
  const Outcome continued = place_.encode(molecules, {"--quiet", "--out", place_.path("continued.npy")});
  EXPECT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_THAT(continued.out, testing::Not(HasSubstr(" 0 found in the store")));
  place_.use_store("undisturbed");
  ASSERT_EQ(place_.encode(molecules, {"--quiet", "--out", place_.path("undisturbed.npy")}).exit_code, 0);
  EXPECT_EQ(read_file(place_.path("continued.npy")), read_file(place_.path("undisturbed.npy")));
}

TEST_F(HostileDisk, AFullOneUnderTheFeaturesLeavesNoHalfFile) {
  const SmallDisk disk(200);
  REQUIRE_MOUNTED(disk);
  const std::string molecules = place_.nci_molecules(400);
  expect_full(place_.encode(molecules, {"--quiet", "--out", disk.path("features.npy")}), disk.path(""));
  EXPECT_TRUE(std::filesystem::is_empty(disk.path("")));
}

TEST_F(HostileDisk, AFullOneUnderARunIsNamedAndTrainingGoesOn) {
  const SmallDisk disk(6000);
  REQUIRE_MOUNTED(disk);
  make_benchmark();
  const std::vector<std::string> words = {"--quiet", "--epochs", "12"};
  expect_full(place_.train(benchmark_, disk.path("run"), words), disk.path("run"));
  disk.grow(60000);
  const Outcome continued = place_.train(benchmark_, disk.path("run"), words);
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  ASSERT_EQ(place_.train(benchmark_, place_.path("undisturbed"), words).exit_code, 0);
  EXPECT_EQ(read_file(disk.path("run/best_model.safetensors")),
            read_file(place_.path("undisturbed/best_model.safetensors")));
}

constexpr const char* kSpec = R"([matrix]
encoders = ["ecfp"]
seeds = [1, 2, 3]
[training]
epochs = 4
[[benchmark]]
name = "nci"
file = "benchmark.json"
[[method]]
name = "energy"
)";

TEST_F(HostileDisk, AFullOneUnderAMatrixIsNamedAndTheMatrixGoesOn) {
  const SmallDisk disk(5000);
  REQUIRE_MOUNTED(disk);
  make_benchmark();
  const auto run = [&](const std::string& out) {
    return molgauge({"experiment", place_.file("spec.toml", kSpec), "--out", out, "--store",
                     place_.path("store"), "--quiet"});
  };
  const Outcome full = run(disk.path("matrix"));
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_THAT(full.err + full.out, HasSubstr("matrix"));
  disk.grow(60000);
  const Outcome continued = run(disk.path("matrix"));
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  ASSERT_EQ(run(place_.path("undisturbed")).exit_code, 0);
  EXPECT_EQ(read_file(disk.path("matrix/cells.csv")), read_file(place_.path("undisturbed/cells.csv")));
}

/// If a size limit (ulimit -f) is exceeded, the system ends the writing process with a signal.
TEST_F(HostileDisk, ALimitOfFileSizesIsNamedAndTrainingGoesOn) {
  make_benchmark();
  const std::vector<std::string> words = {"--quiet", "--epochs", "12"};
  ASSERT_EQ(place_.train(benchmark_, place_.path("undisturbed"), words).exit_code, 0);
  CommandOptions limited;
  limited.largest_file_bytes = 100'000;  // the model is larger than this limit
  const Outcome full = place_.train(benchmark_, place_.path("run"), words, limited);
  EXPECT_EQ(full.exit_code, 1) << full.signal << full.err;
  EXPECT_THAT(full.err, HasSubstr(place_.path("run")));
  const Outcome continued = place_.train(benchmark_, place_.path("run"), words);
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_EQ(read_file(place_.path("run/best_model.safetensors")),
            read_file(place_.path("undisturbed/best_model.safetensors")));
}

/// A saved domain with a model is saved again onto itself, on a disk without enough space and with kills.
class SavedAgain : public HostileDisk {
 protected:
  Outcome save(const std::string& folder, const std::string& train,
               const CommandOptions& options = {}) const {
    return molgauge(
        {"domain", train, candidates_, "--model", own_data("chemprop/v2_regression.pt").string(), "--save",
         folder, "--out", place_.path("saving.csv"), "--store", place_.path("store"), "--quiet"},
        options);
  }
  std::string judged(const std::string& folder) const {
    const std::string out = place_.path("judged.csv");
    const Outcome outcome =
        molgauge({"domain", folder, candidates_, "--out", out, "--store", place_.path("store"), "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? read_file(out) : "";
  }

  std::string candidates_ = place_.file("c.smi", "CCO\nCCCCN\n");
  std::string first_ = place_.file("first.smi", read_file(place_.nci_molecules(100)));
  std::string second_ = place_.file("second.smi", read_file(place_.nci_molecules(60)));
};

TEST_F(SavedAgain, OnAFullDiskItStaysAsItWas) {
  const SmallDisk disk(6000);
  REQUIRE_MOUNTED(disk);
  const std::string saved = disk.path("saved"), filler = disk.path("filler");
  ASSERT_EQ(save(saved, first_).exit_code, 0);
  const std::string before = judged(saved);
  for (const std::size_t kib : {0, 4, 16}) {
    const auto space = std::filesystem::space(disk.path(""));
    std::ofstream(filler) << std::string(space.available - kib * 1024, 'x');
    expect_full(save(saved, second_), disk.path(""));
    std::filesystem::remove(filler);
    EXPECT_EQ(judged(saved), before) << kib << " KiB free";
  }
  ASSERT_EQ(save(saved, second_).exit_code, 0);
  EXPECT_NE(judged(saved), before);
}

TEST_F(SavedAgain, AfterAKillItIsTheFormerOrTheNewOne) {
  const std::string saved = place_.path("saved");
  ASSERT_EQ(save(saved, second_).exit_code, 0);
  const std::string after = judged(saved);
  ASSERT_EQ(save(saved, first_).exit_code, 0);
  const std::string before = judged(saved);
  ASSERT_NE(before, after);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(save(saved, first_).exit_code, 0);
  const auto duration =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  constexpr int kKills = 8;
  for (int i = 0; i < kKills; ++i) {
    CommandOptions killed;
    killed.kill_after = duration * (kKills / 2 + i) / kKills;  // it saves at the end of the call
    save(saved, second_, killed);
    EXPECT_THAT(judged(saved), AnyOf(before, after)) << i;
  }
}

TEST_F(HostileDisk, ALinkThatLeadsBackToItselfIsNamed) {
  make_benchmark();
  const std::string loop = place_.path("loop"), molecules = place_.file("m.smi", "CCO\n");
  std::filesystem::create_symlink("loop", loop);
  const auto expect_named = [&](const Outcome& outcome) {
    EXPECT_THAT(outcome.exit_code, AnyOf(1, 3)) << outcome.err;  // the file is neither writable nor readable
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(loop), HasSubstr("Too many levels of symbolic links"),
                                   testing::Not(HasSubstr("filesystem error"))));
  };
  expect_named(place_.encode(loop));
  expect_named(place_.encode(loop + "/m.smi"));
  expect_named(place_.encode(molecules, {"--out", loop + "/f.npy"}));
  expect_named(place_.split(loop, place_.path("b.json")));
  expect_named(place_.train(loop, place_.path("run")));
  expect_named(place_.train(benchmark_, loop));
  expect_named(place_.train(benchmark_, loop + "/run"));
  expect_named(place_.evaluate(loop));
  expect_named(place_.score(loop, molecules));
  expect_named(molgauge({"report", loop}));
  expect_named(molgauge({"memory", "report", loop}));
  expect_named(molgauge({"store", "info", "--store", loop}));
  expect_named(molgauge(
      {"experiment", place_.file("spec.toml", kSpec), "--out", loop, "--store", place_.path("store")}));
  place_.use_store("loop");
  expect_named(place_.encode(molecules));
}

/// A folder without write permission. The test only runs if the user is not root.
class ReadOnlyFolder : public HostileDisk {
 protected:
  void SetUp() override {
    ordinary_.environment["HOME"] = "/";
    if (getuid() == 0) {
      ordinary_.run_as = 65534;
      const Outcome outcome = molgauge({"--version"}, ordinary_);
      if (outcome.exit_code != 0) {
        GTEST_SKIP() << "the user 65534 cannot run the program where it lies";
      }
    }
  }
  void close(const std::string& name) const {
    namespace fs = std::filesystem;
    // The parent folder belongs to the test, and only the user of the test may enter it.
    fs::permissions(place_.path(""), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
    for (const auto& entry : fs::recursive_directory_iterator(place_.path(name))) {
      fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
    }
    fs::permissions(place_.path(name), fs::perms(0555));
  }
  void TearDown() override {
    std::filesystem::permissions(place_.path("closed"), std::filesystem::perms(0755));
  }
  void expect_refused(const Outcome& outcome, int exit_code = 1) const {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(place_.path("closed")), HasSubstr("ermission")));
  }
  CommandOptions ordinary_;
};

TEST_F(ReadOnlyFolder, IsNamedByEveryVerbThatWouldWriteThere) {
  make_benchmark();
  std::filesystem::create_directories(place_.path("closed"));
  std::filesystem::create_directories(place_.path("open"));
  close("closed");
  std::filesystem::permissions(place_.path("open"), std::filesystem::perms::all);
  const std::string molecules = place_.file("m.smi", "CCO\n");
  place_.use_store("closed/store");
  expect_refused(place_.encode(molecules, {"--quiet"}, ordinary_));
  place_.use_store("open/store");
  // An output is checked before the work, like the other arguments.
  expect_refused(place_.encode(molecules, {"--quiet", "--out", place_.path("closed/f.npy")}, ordinary_), 2);
  expect_refused(place_.train(benchmark_, place_.path("closed/run"), {"--quiet"}, ordinary_));
}

TEST_F(ReadOnlyFolder, AStoreThereIsNamed) {
  place_.use_store("closed");
  const std::string molecules = place_.file("m.smi", "CCO\n");
  ASSERT_EQ(place_.encode(molecules, {"--quiet"}).exit_code, 0);
  close("closed");
  expect_refused(place_.encode(molecules, {"--quiet"}, ordinary_));
  expect_refused(molgauge({"store", "info", "--store", place_.path("closed")}, ordinary_));
}

TEST_F(HostileDisk, TwoThatEncodeIntoOneStoreTakeTurns) {
  const std::string molecules = place_.nci_molecules(1000);
  Outcome other;
  std::thread second([&] { other = place_.encode(molecules, {"--quiet", "--threads", "1"}); });
  const Outcome one = place_.encode(molecules, {"--quiet", "--threads", "1"});
  second.join();
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(molgauge({"store", "verify", "--store", place_.path("store")}).out, HasSubstr(" 0 damaged"));
}

TEST_F(HostileDisk, ASecondTrainingInOneFolderIsRefusedByTheNumberOfTheFirst) {
  make_benchmark();
  const std::string run = place_.path("run");
  Outcome refused;
  CommandOptions watched;
  watched.kill_when = [&] {
    if (!std::filesystem::exists(run + "/training_curve.csv")) {
      return false;
    }
    refused = place_.train(benchmark_, run, {"--quiet"});
    return true;
  };
  place_.train(benchmark_, run, {"--quiet", "--epochs", "2000", "--patience", "2000"}, watched);
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr(run), HasSubstr("another process (process "), HasSubstr("Wait until it ends")));
}

}  // namespace
}  // namespace molgauge::test
