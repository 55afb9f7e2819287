#pragma once

#include <cstddef>

namespace headroom::torch {

/// OpenBLAS maps 128 MiB of address space for each thread that multiplies matrices, at its first product. If
/// that is refused, it repeats the request for ever. Where the address space is limited (ulimit -v or -d),
/// this makes it map the buffers of `threads` threads now. Throws Error with exit code 4, naming a sufficient
/// limit, where they do not fit. Does nothing where there is no limit, or another matrix library.
///
/// Call it while no other thread maps memory, before the first product.
void reserve_matrix_buffers(std::size_t threads);

/// Whether LibTorch's matrix products are those of OpenBLAS or MKL, as far as the loaded libraries tell.
bool has_fast_matrix_library();

}  // namespace headroom::torch
