#pragma once

/// Marks a function that nvcc compiles for GPUs as well as for the host; other compilers see a plain
/// function.
#if defined(__CUDACC__)
#define HEADROOM_EVERYWHERE __host__ __device__
#else
#define HEADROOM_EVERYWHERE
#endif
