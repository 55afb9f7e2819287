#pragma once

#include <cstdint>

#include <ATen/ATen.h>

namespace headroom::ood {

/// float32 numbers as bfloat16, each rounded to one of its two neighbours at random, so that its mean stays
/// (stochastic rounding). The chance is a function of `key` and the number's place alone.
at::Tensor round_at_random(const at::Tensor& numbers, std::uint64_t key);

}  // namespace headroom::ood
