#include "base/core/session/status_line.h"

#include <gtest/gtest.h>

#include "base/core/session/standard_streams.h"

namespace molgauge {
namespace {

TEST(StatusLine, IsClearedForWhatIsWrittenAndDrawnAgain) {
  testing::internal::CaptureStderr();
  draw_status_line("half");
  write_to_stderr("a warning\n");
  draw_status_line("all");
  end_status_line();
  write_to_stderr("afterwards\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\r\x1b[Khalf"
            "\r\x1b[Ka warning\nhalf"
            "\r\x1b[Kall\n"
            "afterwards\n");
}

TEST(StatusLine, WaitsForTheEndOfALine) {
  testing::internal::CaptureStderr();
  draw_status_line("half");
  write_to_stderr("in ");
  draw_status_line("more");
  write_to_stderr("parts\n");
  end_status_line();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "\r\x1b[Khalf\r\x1b[Kin parts\nmore\n");
}

TEST(StandardStreams, TextsOfInputsDoNotActUponTheTerminal) {
  testing::internal::CaptureStderr();
  print_info("{}: '{}'\n", "a.smi", "\x1b[2J");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a.smi: '\\x1b[2J'\n");
}

TEST(StandardStreams, ErrorsAloneAreToldWhereInformationIsSilenced) {
  testing::internal::CaptureStderr();
  silence_information();
  print_info("a note\n");
  print_error("an error\n");
  silence_information(false);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "an error\n");
}

}  // namespace
}  // namespace molgauge
