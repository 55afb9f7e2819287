#pragma once

#include <cstddef>

namespace molgauge::torch {

/// Maps the buffers of OpenBLAS in advance if the address space is limited (ulimit -v or -d). OpenBLAS maps
/// 128 MiB of address space for each thread at its first matrix product. If the request is refused, OpenBLAS
/// repeats it forever. This function therefore maps the buffers of `threads` threads now. If they do not fit,
/// it throws Error with exit code 4, and the message says by how much to raise the limit. If there is no
/// limit, it does nothing. With another matrix library, it only checks that the stacks and heaps of the
/// threads fit.
///
/// Call it while no other thread maps memory, before the first product.
void reserve_matrix_buffers(std::size_t threads);

/// Whether LibTorch multiplies matrices with OpenBLAS or MKL, according to the loaded libraries.
bool has_fast_matrix_library();

}  // namespace molgauge::torch
