#pragma once

#include <cstddef>

namespace headroom::torch {

/// OpenBLAS maps 128 MiB of address space for each thread that multiplies matrices, when it first does, and
/// where that is refused asks again for ever. Where the address space is limited (ulimit -v or -d), this has
/// it map what `threads` of them need now. Throws Error with exit code 4, naming the limit that would do,
/// where that does not fit. Does nothing where there is no limit, or another matrix library.
///
/// Call it while no other thread maps memory, before the first product.
void reserve_matrix_buffers(std::size_t threads);

/// Whether LibTorch's matrix products are OpenBLAS's or MKL's, as far as the loaded libraries tell.
bool has_fast_matrix_library();

}  // namespace headroom::torch
