#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// Reads all arrays of numbers in a .npz file of NumPy. The returned names do not end in ".npy". Arrays of
/// text and of Python objects are skipped. Throws InputError naming file and array if read_npy() does not
/// support an array.
TensorMap read_npz(const std::filesystem::path& path);

/// Reads one array. If it is not in the file, throws InputError that lists the existing names.
TensorData read_npz(const std::filesystem::path& path, const std::string& name);

/// Atomically writes one-dimensional float32 arrays without compression. The keys of `arrays` are the names.
/// Throws Error naming the path if the file cannot be written.
void write_npz(const std::filesystem::path& path,
               const std::map<std::string, std::span<const float>>& arrays);

}  // namespace molgauge::io
