#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "allocator/explanation.h"

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

/// Segments as bars to one scale, the largest first; blocks coloured by what they hold. Up to `rows` of them.
std::string draw_block_map(const std::vector<SegmentPicture>& segments,
                           const std::vector<std::string>& origins, std::size_t rows);

}  // namespace headroom::allocator
