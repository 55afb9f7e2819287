#pragma once

#include <string>
#include <string_view>

#include "memory/allocator/explain/explanation.h"

namespace headroom::allocator {

/// The holders of memory over time as a figure: stacked areas, phases above them, reserved memory as a line.
/// It shows the stacks under the pointer. `id`: id of the figure within the page.
std::string history_figure(const ExplainedMemory& explained, const std::string& id);

/// The segments at any moment of the run, chosen with a slider, beside those under the cure. Empty without
/// states.
std::string states_figure(const ExplainedMemory& explained, const std::string& id);

/// The style and script of both figures, needed once in a page: page/history.css and page/history.js.
std::string_view history_style();
std::string_view history_script();

}  // namespace headroom::allocator
