#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::io {

/// Rows of equal width by their names, in ascending order of the names.
struct KeyedRows {
  std::vector<std::string> keys;
  std::int64_t width = 0;
  std::vector<float> numbers;  ///< row-major [keys.size(), width]

  const float* row(std::size_t place) const {
    return numbers.data() + place * static_cast<std::size_t>(width);
  }
  /// The place of a key; none where there is no such row.
  std::optional<std::size_t> find(const std::string& key) const;
};

/// Reads a file in which each array is a row of its own, named by its key: HDF5 (.h5, .hdf5), .npz or
/// .safetensors; arrays are [width] or [1, width]. Of an HDF5 file as write_hdf5_features() makes it, the
/// rows of the dataset "features" are read under their keys. Throws InputError naming the file and the key:
/// no rows, rows of different widths, a number that is not finite, a link out of the file.
KeyedRows read_keyed_rows(const std::filesystem::path& path);

/// Writes such a file, atomically, each row as an array [width]; by its ending HDF5 or .npz. Throws
/// UsageError on another ending.
void write_keyed_rows(const std::filesystem::path& path, const KeyedRows& rows);

/// Throws UsageError naming the ending unless write_keyed_rows() takes the path.
void require_keyed_rows_name(const std::filesystem::path& path);

}  // namespace headroom::io
