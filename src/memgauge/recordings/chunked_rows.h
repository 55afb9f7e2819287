#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace molgauge::allocator {

/// A list to which rows can only be appended. The address of a row never changes. Memory grows in chunks, so
/// tens of millions of rows are never copied. The chunk of a row is found with a shift, which is faster than
/// an access to std::deque.
template <typename Row>
class ChunkedRows {
 public:
  using value_type = Row;

  std::size_t size() const { return size_; }
  Row& operator[](std::size_t row) { return chunks_[row >> kShift][row & (kChunk - 1)]; }
  const Row& operator[](std::size_t row) const { return chunks_[row >> kShift][row & (kChunk - 1)]; }

  Row& emplace_back() {
    if (size_ == chunks_.size() << kShift) {
      chunks_.push_back(std::make_unique<Row[]>(kChunk));
    }
    return (*this)[size_++];
  }
  void push_back(const Row& row) { emplace_back() = row; }

 private:
  static constexpr unsigned kShift = 12;
  static constexpr std::size_t kChunk = std::size_t{1} << kShift;

  std::vector<std::unique_ptr<Row[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace molgauge::allocator
