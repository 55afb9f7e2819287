#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

/// The functions of keyed_rows.h that use HDF5.
namespace headroom::io {

/// Reads the datasets [width] or [1, width] in the root of a file, or the rows of "features" with their keys.
/// Throws InputError with the file and the reason. HDF5 1.10 crashes on some damaged files and never finishes
/// reading others. A child process therefore reads the file first (trial_read.h).
std::map<std::string, std::vector<float>> read_hdf5_rows(const std::filesystem::path& path);

/// Writes a dataset float32 [width] for each row, atomically.
void write_hdf5_rows(const std::filesystem::path& path,
                     const std::map<std::string, std::span<const float>>& rows);

}  // namespace headroom::io
