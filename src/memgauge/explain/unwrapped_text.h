#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge::allocator {

/// A log as one line: each run of spaces and line ends is one space. Frames (│), colours and marks of ranks
/// at the beginnings of lines are left out.
struct UnwrappedText {
  struct Line {
    std::size_t begin = 0;  ///< position in `text`
    std::optional<std::uint64_t> rank;
  };

  std::string text;
  std::vector<Line> lines;  ///< the lines of the log, in order

  /// The rank that the line of a position names, as in "[rank1]: ...".
  std::optional<std::uint64_t> rank_at(std::size_t position) const;
  /// Whether the word that contains a position is the first of its line.
  bool begins_line(std::size_t position) const;

 private:
  const Line* line_of(std::size_t position) const;
};

UnwrappedText unwrapped(std::string_view text);

}  // namespace molgauge::allocator
