#pragma once

#include <string>
#include <string_view>

namespace headroom {

// The last line of the terminal behind stderr, which is redrawn while work is running: a
// progress bar. Other output to stderr through core/standard_streams.h or the log is written above it: the
// line is cleared, the text written, and the line drawn again. There is one such line; a second one replaces
// the first. Every function may be called from any thread, and none throws: failed writes are
// ignored.

/// Draws `line`, without line break and control characters, in place of the present line, cut to the
/// terminal's width: a terminal clears no more than one line.
void draw_status_line(std::string line) noexcept;

/// Leaves the line in place and continues below it. No effect where there is no line.
void end_status_line() noexcept;

/// Writes unchanged text above the line.
void write_above_status_line(std::string_view text) noexcept;

}  // namespace headroom
