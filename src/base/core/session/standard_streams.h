#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace molgauge {

/// Opens /dev/null in place of closed standard streams. Otherwise the next opened file would get the number
/// of a closed stream, and messages would be written into that file. Call it before any file is opened.
void open_standard_streams();

/// Writes to stderr, above the status line if there is one (base/core/session/status_line.h). Line breaks are
/// kept. Other control characters and invalid UTF-8 become escapes (base/core/text/printable.h), because
/// messages contain text from inputs. A failed write (a full disk) is ignored. Safe from any thread.
void write_to_stderr(std::string_view text) noexcept;

/// Writes to stdout, with escapes in place of control characters as in write_to_stderr(). Throws Error
/// when the write fails, because a result would be lost.
void write_to_stdout(std::string_view text);

/// Formats a result for people with fmt and writes it to stdout. Do not use this function for CSV or JSON,
/// because it may change the text.
template <typename... Arguments>
void print_result(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stdout(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Turns the output of tell_text() and print_info() off (true) or on again (false). --quiet turns it off.
void silence_information(bool silent = true);

/// Whether the output of tell_text() and print_info() is off.
bool is_information_silenced();

/// Writes information for people to stderr, or to the log of a session that handles its log itself.
void tell_text(std::string_view text);

/// Formats the text with fmt and calls tell_text().
template <typename... Arguments>
void print_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Formats an error message with fmt and writes it to stderr. --quiet has no effect on it.
template <typename... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace molgauge
