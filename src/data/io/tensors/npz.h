#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// Reads all arrays of numbers in a .npz file of NumPy. Their names have no ".npy". Arrays of text and of
/// Python objects are skipped. Throws InputError naming file and array if read_npy() does not support an
/// array.
TensorMap read_npz(const std::filesystem::path& path);

/// Reads one array. If it is not in the file, throws InputError that lists the existing names.
TensorData read_npz(const std::filesystem::path& path, const std::string& name);

/// Writes one-dimensional float32 arrays by name, not compressed, atomically. Throws Error naming the path.
void write_npz(const std::filesystem::path& path,
               const std::map<std::string, std::span<const float>>& arrays);

}  // namespace headroom::io
