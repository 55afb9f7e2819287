#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace headroom {

/// Opens /dev/null in place of standard streams that are closed. The next file to be opened would get their
/// number, and what is meant for people would be written into it. To be called before anything is opened.
void open_standard_streams();

/// Writes to stderr. What cannot be written there (a full disk) is no reason to stop.
void write_to_stderr(std::string_view text) noexcept;

/// The same with fmt's format.
template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_to_stderr(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace headroom
