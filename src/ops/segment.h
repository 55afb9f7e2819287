#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace headroom::ops {

/// Rows of a matrix in runs: the atoms of molecule after molecule. Both tensors are int64 and contiguous, on
/// one device.
struct Segments {
  at::Tensor first;  ///< [segments + 1] segment s is the rows first[s] to first[s + 1] - 1
  at::Tensor of;     ///< [rows] the segment of a row, ascending

  std::int64_t count() const { return first.size(0) - 1; }
};

/// Segments of these sizes, in this order, on the CPU.
Segments make_segments(const std::vector<std::int64_t>& sizes);

/// Sums of rows in runs: rows [n, d] contiguous, run r the rows first[r] to first[r + 1] - 1; [runs, d].
/// Differentiable. In ATen operators, each number added up by one thread in the order of the rows: a GPU
/// gives the same bytes every time, which it does not when rows are scattered.
at::Tensor sum_of_runs(const at::Tensor& rows, const at::Tensor& first);

/// Sum of the rows of each segment: rows [n, d] -> [segments, d]; zeros for an empty segment. Differentiable.
at::Tensor segment_sum(const at::Tensor& rows, const Segments& segments);
/// Largest number of each column within each segment; -infinity for an empty segment. Differentiable.
at::Tensor segment_max(const at::Tensor& rows, const Segments& segments);
/// Adds to each row the row of its segment: rows [n, d], addends [segments, d] -> [n, d]. Differentiable.
at::Tensor add_to_segments(const at::Tensor& rows, const at::Tensor& addends, const Segments& segments);

/// The same in ATen operators.
at::Tensor segment_sum_reference(const at::Tensor& rows, const Segments& segments);
at::Tensor segment_max_reference(const at::Tensor& rows, const Segments& segments);
at::Tensor add_to_segments_reference(const at::Tensor& rows, const at::Tensor& addends,
                                     const Segments& segments);

}  // namespace headroom::ops
