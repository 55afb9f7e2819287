#pragma once

namespace headroom::torch {

/// Call it before the first product in bfloat16 on the CPU by ATen's operators (at::linear, at::matmul),
/// which pass it to oneDNN wherever the CPU has AVX-512. oneDNN refuses it where it is limited to an older
/// instruction set (ONEDNN_MAX_CPU_ISA): then ATen computes products itself from now on, in the whole
/// process. Only the first call tries; any thread may call it.
void prepare_bfloat16_products();

}  // namespace headroom::torch
