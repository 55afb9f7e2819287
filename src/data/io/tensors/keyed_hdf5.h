#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

/// The part of keyed_rows.h that sees HDF5.
namespace headroom::io {

/// The datasets [width] or [1, width] in the root of a file, or the rows of "features" by their keys. Throws
/// InputError naming the file and the reason. HDF5 1.10 crashes on some damaged files and reads others
/// without an end, so a child process reads the file first (trial_read.h).
std::map<std::string, std::vector<float>> read_hdf5_rows(const std::filesystem::path& path);

/// A dataset float32 [width] for each row, atomically.
void write_hdf5_rows(const std::filesystem::path& path,
                     const std::map<std::string, std::span<const float>>& rows);

}  // namespace headroom::io
