#include "ops/segment.h"

#include <limits>

#include <ATen/ATen.h>

#include "ops/cpu/instruction_level.h"
#include "ops/kernel_choice.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {
namespace {

cpu::Runs runs_of(const at::Tensor& rows, const Segments& segments) {
  return {
      .first = read_numbers<std::int64_t>(segments.first), .count = segments.count(), .width = rows.size(1)};
}

}  // namespace

Segments make_segments(const std::vector<std::int64_t>& sizes) {
  const auto count = static_cast<std::int64_t>(sizes.size());
  Segments segments;
  segments.first = at::zeros({count + 1}, at::kLong);
  auto* const first = write_numbers<std::int64_t>(segments.first);
  for (std::int64_t segment = 0; segment < count; ++segment) {
    first[segment + 1] = first[segment] + sizes[static_cast<std::size_t>(segment)];
  }
  segments.of = at::empty({first[count]}, at::kLong);
  auto* const of = write_numbers<std::int64_t>(segments.of);
  for (std::int64_t segment = 0; segment < count; ++segment) {
    std::fill(of + first[segment], of + first[segment + 1], segment);
  }
  return segments;
}

at::Tensor sum_of_runs(const at::Tensor& rows, const at::Tensor& first) {
  if (rows.numel() == 0) {  // which the operator refuses before LibTorch 2
    return at::zeros({first.size(0) - 1, rows.size(1)}, rows.options());
  }
  return at::segment_reduce(rows, "sum", /*lengths=*/{}, /*indices=*/{}, first, /*axis=*/0, /*unsafe=*/true,
                            /*initial=*/0);
}

at::Tensor segment_sum_reference(const at::Tensor& rows, const Segments& segments) {
  return sum_of_runs(rows, segments.first);
}

at::Tensor segment_max_reference(const at::Tensor& rows, const Segments& segments) {
  const at::Tensor lowest =
      at::full({segments.count(), rows.size(1)}, -std::numeric_limits<float>::infinity(), rows.options());
  return lowest.scatter_reduce(0, segments.of.unsqueeze(1).expand_as(rows), rows, "amax");
}

at::Tensor add_to_segments_reference(const at::Tensor& rows, const at::Tensor& addends,
                                     const Segments& segments) {
  return rows + addends.index_select(0, segments.of);
}

at::Tensor segment_sum(const at::Tensor& rows, const Segments& segments) {
  if (!cpu_kernels_apply({rows})) {
    return segment_sum_reference(rows, segments);
  }
  at::Tensor sums = at::empty({segments.count(), rows.size(1)}, rows.options());
  cpu::kernels().segment_sum(read_numbers<float>(rows), runs_of(rows, segments), write_numbers<float>(sums));
  return sums;
}

at::Tensor segment_max(const at::Tensor& rows, const Segments& segments) {
  if (!cpu_kernels_apply({rows})) {
    return segment_max_reference(rows, segments);
  }
  at::Tensor largest = at::empty({segments.count(), rows.size(1)}, rows.options());
  cpu::kernels().segment_max(read_numbers<float>(rows), runs_of(rows, segments),
                             write_numbers<float>(largest));
  return largest;
}

at::Tensor add_to_segments(const at::Tensor& rows, const at::Tensor& addends, const Segments& segments) {
  if (!cpu_kernels_apply({rows, addends})) {
    return add_to_segments_reference(rows, addends, segments);
  }
  at::Tensor sums = at::empty_like(rows);
  cpu::kernels().add_to_segments(read_numbers<float>(rows), read_numbers<float>(addends),
                                 runs_of(rows, segments), write_numbers<float>(sums));
  return sums;
}

}  // namespace headroom::ops
