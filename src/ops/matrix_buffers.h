#pragma once

#include <cstddef>

namespace headroom::ops {

/// OpenBLAS maps 128 MiB of address space for each thread that multiplies matrices, when it first does, and
/// where that is refused asks again for ever. Where the address space is limited (ulimit -v or -d), this has
/// it map what `threads` of them need now. Throws Error with exit code 4, naming the limit that would do,
/// where that does not fit. Does nothing where there is no limit, or another matrix library.
///
/// Call it while no other thread maps memory, before the first product.
void reserve_matrix_buffers(std::size_t threads);

}  // namespace headroom::ops
