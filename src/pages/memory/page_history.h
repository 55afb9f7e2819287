#pragma once

#include <string>
#include <string_view>

#include "memory/allocator/explain/explanation.h"

namespace headroom::allocator {

/// A figure of the holders of memory over time: stacked areas, phases above them, and a line for reserved
/// memory. It shows the stacks under the pointer. `id`: id of the figure on the page.
std::string history_figure(const ExplainedMemory& explained, const std::string& id);

/// A figure of the segments at a moment that a slider selects, next to the segments with the cure. Empty
/// without states.
std::string states_figure(const ExplainedMemory& explained, const std::string& id);

/// The style and script of both figures (page/history.css and page/history.js). A page needs them once.
std::string_view history_style();
std::string_view history_script();

}  // namespace headroom::allocator
