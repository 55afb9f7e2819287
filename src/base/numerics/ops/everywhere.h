#pragma once

/// Marks a function that nvcc compiles for GPUs and for the host. Other compilers see a plain function.
#if defined(__CUDACC__)
#define MOLGAUGE_EVERYWHERE __host__ __device__
#else
#define MOLGAUGE_EVERYWHERE
#endif
