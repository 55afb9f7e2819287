#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "ops/array.h"
#include "ops/graph.h"
#include "torch/arrays.h"

namespace headroom::test {

/// These numbers, row by row.
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

/// A copy of a float32 tensor in any layout.
inline ops::Floats floats_of(const at::Tensor& tensor) {
  ops::Floats copy(tensor.sizes().vec());
  torch::as_tensor(copy).copy_(tensor);
  return copy;
}

/// A copy of an int64 tensor.
inline ops::Integers integers_of(const at::Tensor& tensor) {
  ops::Integers copy(tensor.sizes().vec());
  torch::as_tensor(copy).copy_(tensor);
  return copy;
}

/// Edges between random nodes, of random kinds.
inline ops::Edges random_edges(std::int64_t nodes, std::int64_t edges, std::int64_t kinds) {
  const auto below = [&](std::int64_t end) {
    return at::randint(std::max<std::int64_t>(end, 1), {edges}, at::kLong);
  };
  const at::Tensor target = std::get<0>(below(nodes).sort());
  return {.source = integers_of(below(nodes)),
          .target = integers_of(target),
          .kind = integers_of(below(kinds)),
          .first = integers_of(at::searchsorted(target, at::arange(nodes + 1, at::kLong)))};
}

}  // namespace headroom::test
