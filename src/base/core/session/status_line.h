#pragma once

#include <string>
#include <string_view>

namespace molgauge {

// The last line of the terminal, which shows a progress bar while work is running. Output to stderr through
// base/core/session/standard_streams.h or the log is written above this line. For this purpose, the line is
// cleared and then drawn again. There is only one such line, so a second one replaces the first. Every
// function may be called from any thread, and none throws: failed writes are ignored.

/// Draws `line`, without line break and control characters, in place of the present line. The text is cut to
/// the width of the terminal, because a terminal clears only one line.
void draw_status_line(std::string line) noexcept;

/// Keeps the line on the screen and continues below it. Has no effect if there is no line.
void end_status_line() noexcept;

/// Writes unchanged text above the line.
void write_above_status_line(std::string_view text) noexcept;

}  // namespace molgauge
