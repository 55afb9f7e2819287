#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

/// The functions of keyed_rows.h that use HDF5.
namespace molgauge::io {

/// Reads a row from each dataset in the root of a file. The shape of a dataset is [width] or [1, width]. If
/// the file has a dataset "features", reads the rows of this dataset with their keys instead. Throws
/// InputError with the file and the reason if the file cannot be read. HDF5 1.10 crashes on some damaged
/// files and never finishes reading others. A child process therefore reads the file first (trial_read.h).
std::map<std::string, std::vector<float>> read_hdf5_rows(const std::filesystem::path& path);

/// Atomically writes a file that contains a float32 dataset for each row. The shape of a dataset is [width].
void write_hdf5_rows(const std::filesystem::path& path,
                     const std::map<std::string, std::span<const float>>& rows);

}  // namespace molgauge::io
