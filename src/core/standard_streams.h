#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace headroom {

/// Opens /dev/null in place of closed standard streams. Otherwise the next opened file would get their
/// number, and messages for people would be written into it. Call it before any file is opened.
void open_standard_streams();

/// Writes to stderr, above the status line where there is one (core/status_line.h). Line breaks are kept;
/// other control characters and invalid UTF-8 are written as escapes (core/printable.h), because messages
/// contain texts of inputs. A failed write (a full disk) is ignored. Safe from any
/// thread.
void write_to_stderr(std::string_view text) noexcept;

/// Writes to stdout, with escapes in place of control characters as in write_to_stderr(). Throws Error
/// when the write fails, because a result would be lost.
void write_to_stdout(std::string_view text);

/// A result for people on stdout, with fmt's format. Output for programs (CSV, JSON) is written unchanged
/// instead.
template <typename... Arguments>
void print_result(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stdout(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Makes tell() silent from now on (true), or audible again (false): --quiet.
void silence_information(bool silent = true);

/// Whether tell() is silent.
bool is_information_silenced();

/// Information for people: on stderr, or in the log of a session that takes its log itself.
void tell_text(std::string_view text);

/// As tell_text(), with fmt's format.
template <typename... Arguments>
void print_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// An error, on stderr, which --quiet does not silence.
template <typename... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace headroom
