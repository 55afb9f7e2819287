#pragma once

#include <CLI/CLI.hpp>

#include "options/range.h"

namespace headroom::cli {

/// Has a numeric option refuse what is out of its range, which its help shows.
void check_range(CLI::Option& option, const options::NumericRange& range);

/// Has every option of a command refuse values that CLI11 would make something else of: -1, 010 and 0x10
/// where a count is asked for, nan and inf where a number is, and an empty text. To be called once the
/// options are there.
void check_option_values(CLI::App& command);

}  // namespace headroom::cli
