#include "base/memory/measure/process_memory.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/measure/host_memory.h"

namespace molgauge::memory {
namespace {

TEST(ProcessMemory, AgreesWithWhatAProcessSaysOfItself) {
  const auto found = process_memory(getpid());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "test_memory");
  EXPECT_GE(found->peak, found->resident);
  EXPECT_NEAR(static_cast<double>(found->resident), static_cast<double>(resident_bytes()), 4e6);
  EXPECT_GE(found->threads, 1U);
}

TEST(ProcessMemory, ThereIsNoneOfAProcessThatHasEnded) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  siginfo_t ended;
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  EXPECT_FALSE(process_memory(child)) << "a zombie has no memory";
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(process_memory(child));
}

}  // namespace
}  // namespace molgauge::memory
