// Tests the output on a terminal. The progress bar and the log use separate lines.

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// Splits terminal output at each line break and each time the line is cleared.
std::vector<std::string> strokes(const std::string& text) {
  const std::regex break_or_clear("\r\x1b\\[K|\n");
  return {std::sregex_token_iterator(text.begin(), text.end(), break_or_clear, -1),
          std::sregex_token_iterator()};
}

TEST(Terminal, BarAndLogDoNotWriteOverEachOther) {
  Workplace place;
  const std::string benchmark = place.path("b.json");
  ASSERT_EQ(place.split(place.nci_molecules(600), benchmark).exit_code, 0);
  CommandOptions on_terminal;
  on_terminal.stderr_is_terminal = true;
  const Outcome outcome = place.train(benchmark, place.path("run"), {"--epochs", "20"}, on_terminal);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("train [="));
  std::size_t logged = 0;
  for (const std::string& stroke : strokes(outcome.err)) {
    const std::size_t log = stroke.find(" - molgauge - ");
    logged += log == std::string::npos ? 0 : 1;
    // Each line of the log begins with its time. The progress bar uses separate lines, which are narrower
    // than the terminal.
    EXPECT_TRUE(log == std::string::npos || log == std::string("2026-01-01 00:00:00,000").size()) << stroke;
    EXPECT_TRUE(stroke.find("train [") == std::string::npos || log == std::string::npos) << stroke;
    EXPECT_TRUE(stroke.find("train [") == std::string::npos || stroke.size() < 80) << stroke;
  }
  EXPECT_GT(logged, 5u) << outcome.err;
}

}  // namespace
}  // namespace molgauge::test
