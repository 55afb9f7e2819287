#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/io/bytes/random_access.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// The content of a safetensors file.
struct SafetensorsFile {
  TensorMap tensors;
  std::map<std::string, std::string> metadata;  ///< the "__metadata__" of the header
};

/// Reads a whole safetensors file (https://github.com/huggingface/safetensors, format section): length of the
/// header, JSON header, numbers. Throws InputError with the file and the tensor unless every tensor has a
/// known type, a unique name and a size that matches its shape. The tensors must fill the file without gaps
/// or overlaps.
SafetensorsFile read_safetensors(const std::filesystem::path& path);
SafetensorsFile read_safetensors(const RandomAccess& file);

/// Writes the file atomically. The header is padded with spaces to a multiple of 8 bytes. Tensors are sorted
/// by descending element size and then by name, which aligns every tensor. Equal content gives equal bytes.
/// Throws Error naming the path if the file cannot be written.
void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace molgauge::io
