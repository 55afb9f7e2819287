#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/memory/measure/tensor_memory.h"

namespace molgauge::ops {

/// A contiguous row-major tensor on the CPU. Copies share the data, like LibTorch tensors. The memory is
/// counted, limited and traced (base/memory/measure/tensor_memory.h).
template <typename Number>
class Array {
  static_assert(std::is_trivially_copyable_v<Number>);

 public:
  /// An empty array. defined() is false.
  Array() = default;
  /// Allocates numbers without initialising them. Throws memory::OutOfTensorMemory.
  explicit Array(std::vector<std::int64_t> shape)
      : shape_(std::move(shape)),
        numbers_(static_cast<Number*>(memory::obtain_tensor(bytes_of(shape_))), &memory::release_tensor) {}
  Array(std::initializer_list<std::int64_t> shape) : Array(std::vector<std::int64_t>(shape)) {}

  static Array zeros(std::vector<std::int64_t> shape) {
    Array array(std::move(shape));
    std::fill_n(array.data(), array.count(), Number{});
    return array;
  }

  /// A view of data that must outlive the array.
  static Array view(Number* numbers, std::vector<std::int64_t> shape) {
    Array array;
    array.shape_.swap(shape);
    array.numbers_ = std::shared_ptr<Number>(std::shared_ptr<void>(), numbers);
    return array;
  }

  bool defined() const { return !shape_.empty(); }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t size(std::size_t axis) const { return shape_[axis]; }
  /// Length of the last axis.
  std::int64_t width() const { return shape_.back(); }
  /// Number of rows of width() numbers.
  std::int64_t rows() const {
    std::int64_t rows = 1;
    std::for_each(shape_.begin(), shape_.end() - 1, [&](std::int64_t size) { rows *= size; });
    return rows;
  }
  std::int64_t count() const { return rows() * width(); }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(count()) * sizeof(Number); }

  Number* data() { return numbers_.get(); }
  const Number* data() const { return numbers_.get(); }
  std::span<Number> numbers() { return {data(), static_cast<std::size_t>(count())}; }
  std::span<const Number> numbers() const { return {data(), static_cast<std::size_t>(count())}; }

  /// Returns the data in another shape with an equal number of elements. Nothing is copied.
  Array reshaped(std::vector<std::int64_t> shape) const {
    Array array = *this;
    array.shape_.swap(shape);
    return array;
  }

 private:
  static std::size_t bytes_of(const std::vector<std::int64_t>& shape) {
    std::size_t bytes = sizeof(Number);
    for (const std::int64_t size : shape) {
      if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes)) {
        throw memory::OutOfTensorMemory("out of memory: a tensor larger than all memory there can be");
      }
    }
    return bytes;
  }

  std::vector<std::int64_t> shape_;
  std::shared_ptr<Number> numbers_;
};

using Floats = Array<float>;
using Integers = Array<std::int64_t>;

}  // namespace molgauge::ops
