#include "base/core/session/cancellation.h"

#include <csignal>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/end_at_first_signal.h"

namespace molgauge {
namespace {

TEST(Cancellation, IsAskedForAndTakenBack) {
  EXPECT_FALSE(cancellation_requested());
  EXPECT_NO_THROW(throw_if_cancelled());
  request_cancellation();
  EXPECT_TRUE(cancellation_requested());
  try {
    throw_if_cancelled();
    FAIL();
  } catch (const Interrupted& error) {
    EXPECT_EQ(error.code(), ExitCode::interrupted);
  }
  request_cancellation(false);
  EXPECT_NO_THROW(throw_if_cancelled());
}

void interrupt_once() {
  install_cancellation();
  std::raise(SIGINT);
  std::exit(cancellation_requested() ? 7 : 0);
}

void interrupt_twice() {
  install_cancellation();
  std::raise(SIGINT);
  std::raise(SIGINT);
  std::exit(0);
}

void interrupt_while_loading() {
  install_cancellation();
  const EndAtFirstSignal end_at_first_signal;
  std::raise(SIGINT);
  std::exit(0);
}

TEST(CancellationDeathTest, TheFirstSignalSetsTheFlagTheSecondEndsTheProcess) {
  EXPECT_EXIT(interrupt_once(), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(interrupt_twice(), testing::ExitedWithCode(130), "");
  EXPECT_EXIT(interrupt_while_loading(), testing::ExitedWithCode(130), "stopped");
}

}  // namespace
}  // namespace molgauge
