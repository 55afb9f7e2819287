#pragma once

namespace headroom::torch {

/// Call before the first product in bfloat16 on the CPU by ATen's operators (at::linear, at::matmul), which
/// hand it to oneDNN wherever the CPU has AVX-512. oneDNN refuses it where it is kept to an older instruction
/// set (ONEDNN_MAX_CPU_ISA): products are ATen's own from then on, in the whole process. Tried once; any
/// thread may call it.
void prepare_bfloat16_products();

}  // namespace headroom::torch
