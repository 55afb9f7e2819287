// Tests HDF5 files with damaged bytes. The HDF5 library crashes on some of them.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/keyed_hdf5.h"
#include "base/io/tensors/trial_read.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds kPatience{20};

using Outcome = Trial::Outcome;

TEST(TrialRead, TellsEndsFromCrashes) {
  EXPECT_EQ(try_in_child(kPatience, [] {}).outcome, Outcome::ended);
  EXPECT_EQ(try_in_child(kPatience, [] { throw Error("no memory"); }).outcome, Outcome::ended);
  const Trial refused = try_in_child(kPatience, [] { throw InputError("is damaged"); });
  EXPECT_EQ(refused.outcome, Outcome::refused);
  EXPECT_EQ(refused.reason, "is damaged");
  EXPECT_EQ(try_in_child(kPatience, [] { throw InputError(std::string(100'000, 'a')); }).outcome,
            Outcome::refused);
  for (const int number : {SIGSEGV, SIGABRT, SIGKILL}) {
    EXPECT_EQ(try_in_child(kPatience, [&] { raise(number); }).outcome, Outcome::crashed) << number;
  }
  EXPECT_EQ(try_in_child(kPatience, [] { _exit(0); }).outcome, Outcome::crashed)
      << "it has not come to its end";
}

TEST(TrialRead, HasALimitOfTime) {
  EXPECT_EQ(try_in_child(std::chrono::seconds(1), [] { pause(); }).outcome, Outcome::took_too_long);
}

TEST(TrialRead, CanBeCancelled) {
  request_cancellation();
  EXPECT_THROW(try_in_child(kPatience, [] { pause(); }), Interrupted);
  request_cancellation(false);
}

class DamagedHdf5 : public testing::Test {
 protected:
  DamagedHdf5() {
    std::vector<float> numbers(40, 0.5F);
    std::vector<std::string> keys;
    for (int i = 0; i < 10; ++i) {
      keys.push_back("ligand " + std::to_string(i));
    }
    write_hdf5_features(folder_ / "features.h5", 4, numbers, keys, "keys", {{"weights", "seed 7"}});
    std::map<std::string, std::span<const float>> rows;
    for (const std::string& key : keys) {
      rows[key] = std::span(numbers).first(4);
    }
    write_hdf5_rows(folder_ / "rows.h5", rows);
  }
  test::TemporaryFolder folder_;
};

/// Each file is read, or refused with its name. Without the child process, this program would crash.
TEST_F(DamagedHdf5, DoesNotEndTheProgram) {
  std::size_t crashes = 0, refused = 0;
  for (const char* const name : {"features.h5", "rows.h5"}) {
    const std::string whole = read_file(folder_ / name);
    std::mt19937 random(7);
    for (int trial = 0; trial < 100; ++trial) {
      std::string damaged = whole;
      for (int changes = 1 + static_cast<int>(random() % 6); changes > 0; --changes) {
        damaged[random() % damaged.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      }
      test::write_text(folder_ / "damaged.h5", damaged);
      try {
        read_hdf5_rows(folder_ / "damaged.h5");
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("damaged.h5"));
        crashes += std::string(error.what()).find("crashes") != std::string::npos ? 1 : 0;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0U);
  std::printf("%zu of 200 damaged files are refused, %zu of them because the library crashes\n", refused,
              crashes);
}

}  // namespace
}  // namespace molgauge::io
