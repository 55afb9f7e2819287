#pragma once

namespace molgauge::torch {

/// Makes bfloat16 products work on every CPU. Call it before operators of ATen (at::linear, at::matmul)
/// compute the first bfloat16 product on the CPU. If the CPU has AVX-512, ATen passes these products to
/// oneDNN. If oneDNN is limited to an older instruction set (ONEDNN_MAX_CPU_ISA), it refuses these products.
/// This function then makes ATen compute products without oneDNN in the whole process. Only the first call
/// performs the check. Thread-safe.
void prepare_bfloat16_products();

}  // namespace molgauge::torch
