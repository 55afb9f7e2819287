#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/graph.h"

namespace molgauge::test {

/// An array with these numbers, row by row.
inline ops::Floats floats(std::vector<std::int64_t> shape, const std::vector<float>& numbers) {
  ops::Floats array(std::move(shape));
  std::copy(numbers.begin(), numbers.end(), array.data());
  return array;
}

inline ops::Integers integers(const std::vector<std::int64_t>& numbers) {
  ops::Integers array{static_cast<std::int64_t>(numbers.size())};
  std::copy(numbers.begin(), numbers.end(), array.data());
  return array;
}

template <typename Number>
std::vector<Number> values_of(const ops::Array<Number>& array) {
  return std::vector<Number>(array.data(), array.data() + array.count());
}

/// A copy of rows `first` to `first + count - 1`.
inline ops::Floats rows_of(const ops::Floats& array, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> shape = array.shape();
  shape.front() = count;
  ops::Floats rows(std::move(shape));
  std::copy_n(array.data() + first * array.width(), rows.count(), rows.data());
  return rows;
}

/// The shared random generator of the functions below. It gives the same numbers in every run.
inline std::mt19937& generator() {
  static std::mt19937 bits(2026);
  return bits;
}

/// Normally distributed numbers.
inline ops::Floats normal_floats(std::vector<std::int64_t> shape, double deviation = 1.0) {
  ops::Floats array(std::move(shape));
  std::normal_distribution<double> normal(0, deviation);
  std::generate_n(array.data(), array.count(), [&] { return static_cast<float>(normal(generator())); });
  return array;
}

/// Numbers of very different magnitude. Another order of summation therefore changes the bytes of a sum.
inline ops::Floats uneven_floats(std::vector<std::int64_t> shape) {
  ops::Floats array = normal_floats(std::move(shape));
  std::normal_distribution<double> logarithm(0, 3);
  std::for_each(array.data(), array.data() + array.count(),
                [&](float& number) { number *= static_cast<float>(std::exp(logarithm(generator()))); });
  return array;
}

/// Integers from 0 to `end` - 1.
inline std::vector<std::int64_t> whole_numbers(std::int64_t count, std::int64_t end) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  for (std::int64_t& number : numbers) {
    number =
        static_cast<std::int64_t>(generator()() % static_cast<std::uint32_t>(std::max<std::int64_t>(end, 1)));
  }
  return numbers;
}

/// Edges between random nodes, of random kinds.
inline ops::Edges random_edges(std::int64_t nodes, std::int64_t edges, std::int64_t kinds) {
  std::vector<std::int64_t> target = whole_numbers(edges, nodes);
  std::sort(target.begin(), target.end());
  std::vector<std::int64_t> first;
  for (std::int64_t node = 0; node <= nodes; ++node) {
    first.push_back(std::lower_bound(target.begin(), target.end(), node) - target.begin());
  }
  return {.source = integers(whole_numbers(edges, nodes)),
          .target = integers(target),
          .kind = integers(whole_numbers(edges, kinds)),
          .first = integers(first)};
}

}  // namespace molgauge::test
