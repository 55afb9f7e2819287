#pragma once

#include <string>
#include <string_view>

#include "allocator/explain/explanation.h"

namespace headroom::allocator {

/// Who held memory over time as a figure: stacked areas, phases above them, reserved memory as a line. Its
/// stacks show where the pointer is. `id`: of the figure within the page.
std::string history_figure(const ExplainedMemory& explained, const std::string& id);

/// The segments at any moment of the run, chosen with a slider, and under the cure beside them. Empty without
/// states.
std::string states_figure(const ExplainedMemory& explained, const std::string& id);

/// What both need once in a page.
std::string_view history_style();
std::string_view history_script();

}  // namespace headroom::allocator
