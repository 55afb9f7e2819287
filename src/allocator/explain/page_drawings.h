#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "allocator/explain/explanation.h"

namespace headroom::allocator {

/// Text with the characters that HTML takes for itself replaced.
std::string escape_html(std::string_view text);

/// A curve over events.
struct PageCurve {
  std::string name, colour;
  std::vector<std::pair<std::size_t, std::uint64_t>> points;  ///< event, bytes
};

/// Curves over events as SVG, bytes upward, with a legend; `limit`: a dashed line, 0 for none.
std::string draw_curves(const std::vector<PageCurve>& curves, std::uint64_t limit);

inline constexpr const char* kFreeColour = "#e3e6ea";
inline constexpr const char* kPendingColour = "#1d2733";

/// A colour for each origin: one of its own for those that hold most, the same for all others.
std::vector<std::string> colours_of_origins(const ExplainedMemory& explained);

/// The colours of the largest holders, and of what is free or waits, in words.
std::string draw_block_map_key(const ExplainedMemory& explained);

/// Segments as bars to one scale, the largest first; blocks coloured by who holds them. Up to `rows` of them.
std::string draw_block_map(const ExplainedMemory& explained, std::size_t rows);

}  // namespace headroom::allocator
