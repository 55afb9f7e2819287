#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace headroom {

/// Opens /dev/null in place of standard streams that are closed. The next file to be opened would get their
/// number, and what is meant for people would be written into it. To be called before anything is opened.
void open_standard_streams();

/// Writes to stderr, above the status line where there is one (core/status_line.h). Line breaks are kept;
/// other control characters and what is no UTF-8 are written as escapes (core/printable.h), because texts of
/// inputs stand in messages. What cannot be written there (a full disk) is no reason to stop. Safe from any
/// thread.
void write_to_stderr(std::string_view text) noexcept;

/// Writes to stdout, with escapes in place of control characters as write_to_stderr() has them. Throws Error
/// when it cannot be written: a result would be lost.
void write_to_stdout(std::string_view text);

/// A result for people on stdout, with fmt's format. What programs read (CSV, JSON) is written as it is
/// instead.
template <typename... Arguments>
void print_result(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stdout(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Has tell() be silent from now on (true), or speak again: --quiet.
void silence_information(bool silent = true);

/// Whether it is.
bool is_information_silenced();

/// Information for people: on stderr, or in the log of a session that takes its log itself.
void tell_text(std::string_view text);

/// As tell_text(), with fmt's format.
template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// An error, on stderr, which --quiet does not silence.
template <typename... Arguments>
void tell_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace headroom
