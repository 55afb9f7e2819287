#pragma once

#include <cstdint>

/// A tile is the work of a block of threads that share memory. The work has rounds. In each round, all
/// threads load numbers into the shared memory, and then all threads compute with these numbers. Tiles are
/// compiled for the host as well, where tests run them (run_kernel.h). The type Work must have these members:
///
///     static constexpr int kThreads;                 // number of threads of a block
///     struct Shared;                                 // shared memory, at most 48 KiB
///     struct Own;                                    // numbers of one thread, initially zeros
///     int rounds(std::int64_t tile) const;
///     void load(std::int64_t tile, int round, int thread, Shared& to) const;
///     void compute(std::int64_t tile, int round, int thread, const Shared& from, Own& own) const;
///
/// compute() writes the results. No two threads write to the same place.
namespace molgauge::torch::cuda {

/// Runs tiles 0 to tiles - 1 on the current GPU in a CUDA stream. Returns immediately with the error code of
/// CUDA, or 0 for success. launch_tiles.cuh defines this function for the work in files that include it.
template <typename Work>
int launch_tiles(const Work& work, std::int64_t tiles, void* stream);

}  // namespace molgauge::torch::cuda
