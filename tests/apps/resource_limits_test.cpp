// Tests that system limits (ulimit, absurd thread counts, pipes without a writer) end in finished work or in
// an error that names the fix. They never end in a signal or in a command that does not stop.

#include <chrono>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "budgets.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using namespace std::chrono_literals;

/// Kills a command that takes many times its allowed time, so a hang becomes a failed test.
CommandOptions bounded() {
  CommandOptions options;
  options.kill_when = [end = std::chrono::steady_clock::now() + 180s] {
    return std::chrono::steady_clock::now() > end;
  };
  return options;
}

CommandOptions limited(int resource, std::uint64_t value) {
  CommandOptions options = bounded();
  options.limits[resource] = value;
  return options;
}

void expect_done_or_refused(const Outcome& outcome) {
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_THAT(outcome.exit_code, AnyOf(Eq(0), Eq(4))) << outcome.err;
  if (outcome.exit_code == 4) {
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("ulimit -v"), HasSubstr("--memory-budget"))) << outcome.err;
  }
}

class ResourceLimits : public testing::Test {
 protected:
  Workplace workplace_;
  std::string molecules_ = workplace_.nci_molecules(200);
};

/// Limits of memory. The shadow memory of a sanitizer does not fit in them.
class MemoryLimits : public ResourceLimits {
 protected:
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "a sanitizer needs terabytes of address space";
    }
  }
};

TEST_F(MemoryLimits, OfTheAddressSpaceEndInWorkDoneOrRefused) {
  const std::string benchmark = workplace_.path("benchmark.json");
  ASSERT_EQ(workplace_.split(molecules_, benchmark).exit_code, 0);
  for (const std::uint64_t mebibytes : {200U, 800U, 1100U, 1600U}) {
    SCOPED_TRACE(std::to_string(mebibytes) + " MiB");
    const CommandOptions options = limited(RLIMIT_AS, mebibytes * kMebibyte);
    workplace_.use_store("store" + std::to_string(mebibytes));
    expect_done_or_refused(workplace_.encode(molecules_, {"--threads", "2"}, options));
    expect_done_or_refused(workplace_.train(benchmark, workplace_.path("run" + std::to_string(mebibytes)),
                                            {"--epochs", "1", "--threads", "2"}, options));
  }
}

TEST_F(MemoryLimits, OfTheAddressSpaceHoldForVerbsThatNeedNoMatrices) {
  for (const std::uint64_t mebibytes : {700U, 820U, 920U, 960U}) {
    SCOPED_TRACE(std::to_string(mebibytes) + " MiB");
    expect_done_or_refused(workplace_.split(molecules_, workplace_.path("benchmark.json"), {},
                                            limited(RLIMIT_AS, mebibytes * kMebibyte)));
  }
}

TEST_F(MemoryLimits, OfTheDataSegmentEndInWorkDoneOrRefused) {
  for (const std::uint64_t mebibytes : {50U, 250U, 300U, 400U, 700U}) {
    SCOPED_TRACE(std::to_string(mebibytes) + " MiB");
    workplace_.use_store("store" + std::to_string(mebibytes));
    expect_done_or_refused(
        workplace_.encode(molecules_, {"--threads", "2"}, limited(RLIMIT_DATA, mebibytes * kMebibyte)));
  }
}

TEST_F(MemoryLimits, WideOnesChangeNothing) {
  const Outcome free = workplace_.encode(molecules_, {"--out", workplace_.path("free.npy")});
  workplace_.use_store("another");
  const Outcome outcome = workplace_.encode(molecules_, {"--out", workplace_.path("limited.npy")},
                                            limited(RLIMIT_AS, 64 * 1024 * kMebibyte));
  ASSERT_EQ(free.exit_code, 0) << free.err;
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_file(workplace_.path("limited.npy")), read_file(workplace_.path("free.npy")));
}

TEST_F(ResourceLimits, OfThreadsAreNamed) {
  if (getuid() != 0) {
    GTEST_SKIP() << "as another user: for root alone";
  }
  CommandOptions options = limited(RLIMIT_NPROC, 1);
  options.run_as = 65534;
  options.environment["MOLGAUGE_HOME"] = "/tmp";
  const Outcome outcome = workplace_.encode("-", {"--threads", "2"}, options);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("ulimit -u"));
}

TEST_F(ResourceLimits, NumbersOfThreadsThatNoMachineHasAreRefused) {
  for (const char* const threads : {"4294967296", "4294967297", "18446744073709551615", "100000"}) {
    const Outcome outcome = workplace_.encode(molecules_, {"--threads", threads}, bounded());
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--threads"));
  }
}

TEST_F(ResourceLimits, NumbersOfThreadsInTheEnvironmentThatNoMachineHasAreNotTaken) {
  const std::string benchmark = workplace_.path("benchmark.json");
  ASSERT_EQ(workplace_.split(molecules_, benchmark).exit_code, 0);
  for (const char* const threads : {"100000", "18446744073709551615", "-1", "many"}) {
    CommandOptions options = bounded();
    for (const char* const variable : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) {
      options.environment[variable] = threads;
    }
    const Outcome outcome = workplace_.train(benchmark, workplace_.path(std::string("run of ") + threads),
                                             {"--epochs", "1"}, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST_F(ResourceLimits, OneInterruptEndsTheWaitForAPipeThatHasNoWriter) {
  const std::string pipe = workplace_.path("pipe.smi");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  CommandOptions options = bounded();
  options.interrupt_after = 4s;
  const Outcome outcome = workplace_.encode(pipe, {}, options);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
}

}  // namespace
}  // namespace molgauge::test
