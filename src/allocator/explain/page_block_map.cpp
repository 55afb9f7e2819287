#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "allocator/explain/page_drawings.h"
#include "core/bytes.h"

namespace headroom::allocator {
namespace {

constexpr double kWidth = 960, kLeft = 90, kRight = 10;
constexpr double kRowHeight = 16, kRowGap = 5;
constexpr double kNarrowest = 0.3;  // units of the drawing

constexpr std::array<const char*, 6> kHolderColours = {"#3b6ea5", "#c58b2a", "#2f8f5b",
                                                       "#7d4f9e", "#b3372f", "#3f8f96"};
constexpr const char* kOtherColour = "#8a949e";

std::uint64_t span_of(const SegmentPicture& segment) {
  return segment.blocks.empty()
             ? 0
             : segment.blocks.back().address + segment.blocks.back().bytes - segment.address;
}

class BlockMap {
 public:
  BlockMap(const ExplainedMemory& explained, std::uint64_t largest_span)
      : explained_(explained),
        colours_(colours_of_origins(explained)),
        bytes_a_unit_(static_cast<double>(largest_span) / (kWidth - kLeft - kRight)) {}

  std::string row(const SegmentPicture& segment, double top) const {
    std::string svg = fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>", kLeft - 8, top + 12,
                                  format_bytes(segment.reserved));
    double drawn_until = 0;
    for (const auto& block : segment.blocks) {
      const double start = static_cast<double>(block.address - segment.address) / bytes_a_unit_;
      const double width = static_cast<double>(block.bytes) / bytes_a_unit_;
      // What is too narrow to be seen beside its neighbour is left out: a page stays small with a million
      // blocks.
      if (start + width < drawn_until + kNarrowest) {
        continue;
      }
      drawn_until = start + width;
      svg += fmt::format(
          "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}'><title>{}</title></rect>",
          kLeft + start, top, std::max(width, kNarrowest), kRowHeight, colour(block), title(block));
    }
    return svg;
  }

 private:
  std::string colour(const BlockPicture& block) const {
    return block.state == BlockState::free      ? kFreeColour
           : block.state == BlockState::pending ? kPendingColour
                                                : colours_[block.origin];
  }
  std::string title(const BlockPicture& block) const {
    return fmt::format(
        "{}, {}", format_bytes(block.bytes),
        block.state == BlockState::free ? "free" : escape_html(explained_.origins[block.origin]));
  }

  const ExplainedMemory& explained_;
  std::vector<std::string> colours_;
  double bytes_a_unit_;
};

std::vector<const SegmentPicture*> largest_segments(const std::vector<SegmentPicture>& segments,
                                                    std::size_t count) {
  std::vector<const SegmentPicture*> largest;
  for (const auto& segment : segments) {
    if (!segment.blocks.empty()) {
      largest.push_back(&segment);
    }
  }
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto* left, const auto* right) { return span_of(*left) > span_of(*right); });
  largest.resize(std::min(largest.size(), count));
  return largest;
}

}  // namespace

std::vector<std::string> colours_of_origins(const ExplainedMemory& explained) {
  const auto& holders = explained.explanation.holders;
  std::vector<std::string> colours(explained.origins.size(), kOtherColour);
  for (std::size_t rank = 0; rank < std::min(holders.size(), kHolderColours.size()); ++rank) {
    const auto origin = std::find(explained.origins.begin(), explained.origins.end(), holders[rank].origin);
    colours.at(static_cast<std::size_t>(origin - explained.origins.begin())) = kHolderColours.at(rank);
  }
  return colours;
}

std::string draw_block_map_key(const ExplainedMemory& explained) {
  const auto entry = [](const std::string& colour, const std::string& text) {
    return fmt::format("<span style='background:{}'></span>{}", colour, escape_html(text));
  };
  const auto& holders = explained.explanation.holders;
  std::string html = "<p class='key'>";
  for (std::size_t rank = 0; rank < std::min(holders.size(), kHolderColours.size()); ++rank) {
    html += entry(kHolderColours.at(rank), holders[rank].origin);
  }
  if (holders.size() > kHolderColours.size()) {
    html += entry(kOtherColour, "others");
  }
  return html + entry(kPendingColour, "waits for another stream") + entry(kFreeColour, "free") + "</p>\n";
}

std::string draw_block_map(const ExplainedMemory& explained, std::size_t rows) {
  const auto segments = largest_segments(explained.segments, rows);
  if (segments.empty()) {
    return "<p>Nothing was reserved.</p>\n";
  }
  const BlockMap map(explained, span_of(*segments.front()));
  const double height = static_cast<double>(segments.size()) * (kRowHeight + kRowGap) + 10;
  std::string svg = fmt::format("<svg viewBox='0 0 {} {:.0f}' role='img'>", kWidth, height);
  double top = 5;
  for (const auto* segment : segments) {
    svg += map.row(*segment, top);
    top += kRowHeight + kRowGap;
  }
  return svg + "</svg>\n";
}

}  // namespace headroom::allocator
