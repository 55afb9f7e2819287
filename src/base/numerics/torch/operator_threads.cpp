#include "base/numerics/torch/operator_threads.h"

#include <ATen/Parallel.h>

namespace molgauge::torch {

OperatorThreads::OperatorThreads(int count) : former_(at::get_num_threads()) { at::set_num_threads(count); }

OperatorThreads::~OperatorThreads() { at::set_num_threads(former_); }

void join_operator_threads() {
  // LibTorch applies the count to a thread when this thread first requests the count.
  at::get_num_threads();
}

}  // namespace molgauge::torch
