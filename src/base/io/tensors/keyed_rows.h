#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace molgauge::io {

/// Rows of equal width with names, in ascending order of the names.
struct KeyedRows {
  std::vector<std::string> keys;
  std::int64_t width = 0;
  std::vector<float> numbers;  ///< row-major [keys.size(), width]

  const float* row(std::size_t place) const {
    return numbers.data() + place * static_cast<std::size_t>(width);
  }
  /// Returns the row number of a key, or nothing if there is no such row.
  std::optional<std::size_t> find(const std::string& key) const;
};

/// Reads a file with one array for each row, named by its key: HDF5 (.h5, .hdf5), .npz or .safetensors.
/// Arrays are [width] or [1, width]. If write_hdf5_features() wrote an HDF5 file, reads the rows of the
/// dataset "features" with their keys. Throws InputError with the file and the key if there are no rows, if
/// rows have different widths, if a number is not finite, or if a link leads out of the file.
KeyedRows read_keyed_rows(const std::filesystem::path& path);

/// Atomically writes a file for read_keyed_rows(). Each row is an array with the shape [width]. The extension
/// selects HDF5 or .npz. Throws UsageError for another extension.
void write_keyed_rows(const std::filesystem::path& path, const KeyedRows& rows);

/// Throws UsageError with the extension if write_keyed_rows() does not support the extension of the path.
void require_keyed_rows_name(const std::filesystem::path& path);

}  // namespace molgauge::io
