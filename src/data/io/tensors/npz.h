#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// All arrays of numbers in NumPy's .npz by name (without ".npy"). Arrays of text and of Python objects hold
/// no numbers and are left out. Throws InputError naming file and array on anything else that is not what
/// read_npy takes.
TensorMap read_npz(const std::filesystem::path& path);

/// One array; throws InputError that lists the names there are when it is not in the file.
TensorData read_npz(const std::filesystem::path& path, const std::string& name);

/// Writes one-dimensional float32 arrays by name, not compressed, atomically. Throws Error naming the path.
void write_npz(const std::filesystem::path& path,
               const std::map<std::string, std::span<const float>>& arrays);

}  // namespace headroom::io
