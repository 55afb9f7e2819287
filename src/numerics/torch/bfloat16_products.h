#pragma once

namespace headroom::torch {

/// Call it before operators of ATen (at::linear, at::matmul) compute the first bfloat16 product on the CPU.
/// ATen passes these products to oneDNN if the CPU has AVX-512. If oneDNN is limited to an older instruction
/// set (ONEDNN_MAX_CPU_ISA), it refuses them. In this case, ATen computes products itself from now on, in the
/// whole process. Only the first call does the check. Thread-safe.
void prepare_bfloat16_products();

}  // namespace headroom::torch
