#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace molgauge::io {

/// The content of a features file.
struct Hdf5Features {
  std::size_t columns = 0;
  std::vector<float> numbers;                   ///< row-major [rows, columns]
  std::vector<std::string> keys;                ///< key of each row; empty if the file has none
  std::map<std::string, std::string> metadata;  ///< attributes of the file that are texts
};

/// Writes an HDF5 file atomically. The dataset "features" is float32 [rows, columns]. Unless `keys` is empty,
/// the dataset `keys_name` has one UTF-8 text of variable length for each row. `numbers.size()` must be a
/// multiple of `columns`. `metadata` become attributes of the file. Throws Error naming the path and the
/// reason if the file cannot be written. Thread safety: the HDF5 library is not thread safe. Only one call
/// may run at a time in a process.
void write_hdf5_features(const std::filesystem::path& path, std::size_t columns,
                         std::span<const float> numbers, const std::vector<std::string>& keys,
                         const std::string& keys_name = "keys",
                         const std::map<std::string, std::string>& metadata = {});

/// Reads a file that has the layout of write_hdf5_features() and any float type. Throws InputError naming the
/// path and the reason if the file cannot be read.
Hdf5Features read_hdf5_features(const std::filesystem::path& path, const std::string& keys_name = "keys");

}  // namespace molgauge::io
