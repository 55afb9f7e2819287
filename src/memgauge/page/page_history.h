#pragma once

#include <string>
#include <string_view>

#include "memgauge/explain/explanation.h"

namespace molgauge::allocator {

/// Returns a figure of the memory that each holder uses over time. It shows the holders as stacked areas,
/// with the phases above them and a line for reserved memory. For the moment under the pointer, it lists the
/// largest holders and their stack frames. `id`: id of the figure on the page.
std::string history_figure(const ExplainedMemory& explained, const std::string& id);

/// Returns a figure of the segments at one moment, which the user selects with a slider. If allocator
/// settings that cure the problem are known, the figure also shows the segments under these settings. Returns
/// an empty text if there are no states.
std::string states_figure(const ExplainedMemory& explained, const std::string& id);

/// The style and the script for history_figure() and states_figure() (page/history.css and page/history.js).
/// A page needs them only once.
std::string_view history_style();
std::string_view history_script();

}  // namespace molgauge::allocator
