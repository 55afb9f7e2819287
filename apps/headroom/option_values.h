#pragma once

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Has every option of a command refuse values that CLI11 would make something else of: -1, 010 and 0x10
/// where a count is asked for, nan and inf where a number is, and nothing at all; and every numeric option
/// what is out of its range (core/option_range.h), which its help shows. To be called once the options are
/// there.
void check_option_values(CLI::App& command);

}  // namespace headroom::cli
