#pragma once

#include <string_view>

#include <CLI/CLI.hpp>

#include "base/options/range.h"

namespace molgauge::cli {

/// Makes an option refuse numbers outside of the range. The help then shows the range, and the unit if it is
/// not empty.
void check_range(CLI::Option& option, const options::NumericRange& range, std::string_view unit);

/// Makes all options of a command refuse values that CLI11 would misread: -1, 010 and 0x10 for a count, nan
/// and inf for a number, and an empty text. Call it after all options have been added.
void check_option_values(CLI::App& command);

}  // namespace molgauge::cli
