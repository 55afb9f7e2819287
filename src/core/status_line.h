#pragma once

#include <string>
#include <string_view>

namespace headroom {

// The last line of the terminal behind stderr, which is drawn again and again while something works: a
// progress bar. What else goes to stderr through core/standard_streams.h or the log is written above it: the
// line is cleared, the text written, and the line drawn again. There is one such line; a second one takes the
// place of the first. Every function may be called from any thread, and none throws: what cannot be written
// is left out.

/// Draws `line`, without line break and control characters, in place of what stands there, cut to the
/// terminal's width: a terminal clears no more than one line.
void draw_status_line(std::string line) noexcept;

/// Leaves the line as it stands and goes on below it. Nothing where there is none.
void end_status_line() noexcept;

/// Writes text as it is, above the line.
void write_above_status_line(std::string_view text) noexcept;

}  // namespace headroom
