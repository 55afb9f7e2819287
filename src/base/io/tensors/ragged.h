#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace molgauge::io {

/// Concatenated arrays of different lengths: array i has the rows [offsets[i], offsets[i + 1]).
struct Ragged {
  std::size_t columns = 0;
  std::span<const std::int64_t> offsets;        ///< ascending, starting with 0; one more than the number of
                                                ///< arrays
  std::map<std::string, std::string> metadata;  ///< texts, in ASCII
};

/// Appends rows in their order. Each call passes one or more whole rows.
using AppendRows = std::function<void(std::span<const float> rows)>;
using FillRows = std::function<void(const AppendRows& append)>;

// The writers below write the rows as they arrive, so only the rows of one call are in memory. They replace
// the file atomically. Equal content gives equal bytes. They throw Error naming the path if the file cannot
// be written, or if the number of rows from `fill` contradicts the offsets.

/// Writes an .npz of NumPy without compression. It contains `features` float32 [rows, columns], `offsets`
/// int64, and each of the metadata as an array of one text.
void write_ragged_npz(const std::filesystem::path& path, const Ragged& ragged, const FillRows& fill);

/// Writes an HDF5 file with the datasets `features` and `offsets`, as in the .npz. Readers can load a slice
/// of a large file. Metadata are attributes of the file. Thread safety: one call at a time in a process.
void write_ragged_hdf5(const std::filesystem::path& path, const Ragged& ragged, const FillRows& fill);

}  // namespace molgauge::io
