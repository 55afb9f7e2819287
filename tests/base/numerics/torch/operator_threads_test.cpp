#include "base/numerics/torch/operator_threads.h"

#include <thread>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace molgauge::torch {
namespace {

TEST(OperatorThreads, HoldsForTheProcessAndGivesBack) {
  const int before = at::get_num_threads();
  {
    const OperatorThreads three(3);
    EXPECT_EQ(at::get_num_threads(), 3);
    int in_a_thread = 0;
    std::thread([&] {
      join_operator_threads();
      in_a_thread = at::get_num_threads();
    }).join();
    EXPECT_EQ(in_a_thread, 3);
  }
  EXPECT_EQ(at::get_num_threads(), before);
}

}  // namespace
}  // namespace molgauge::torch
