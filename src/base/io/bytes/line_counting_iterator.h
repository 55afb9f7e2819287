#pragma once

#include <cstddef>
#include <iterator>

namespace molgauge::io {

/// Iterates over a text and counts lines, for parsers that do not report line numbers.
class LineCountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  /// `line`: increased by one at every line feed.
  LineCountingIterator(const char* position, std::size_t* line) : position_(position), line_(line) {}

  reference operator*() const { return *position_; }
  LineCountingIterator& operator++() {
    *line_ += *position_ == '\n' ? 1 : 0;
    ++position_;
    return *this;
  }
  bool operator==(const LineCountingIterator& other) const { return position_ == other.position_; }
  bool operator!=(const LineCountingIterator& other) const { return position_ != other.position_; }

 private:
  const char* position_;
  std::size_t* line_;
};

}  // namespace molgauge::io
