#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/io/bytes/random_access.h"
#include "base/io/bytes/staged_file.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// Reads a .npy file of NumPy, versions 1 to 3 (NEP 1). The numbers must have a type of DataType and be
/// stored little-endian and in C order. Throws InputError with the file and the remedy if the numbers have
/// another type, byte order or order of dimensions. Also throws it if NumPy would not write such a header, or
/// if the size of the file does not match.
TensorData read_npy(const std::filesystem::path& path);
TensorData read_npy(const RandomAccess& file);

/// Atomically writes a float32 array with `columns` columns. `numbers` are its elements in row-major order.
void write_npy(const std::filesystem::path& path, std::size_t columns, std::span<const float> numbers);

/// Writes a file with a float32 array of the shape [rows, columns]. The number of rows need not be known in
/// advance. finish() renames the complete file to its final name. Without finish() no file remains. Throws
/// Error naming the path if the file cannot be written.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, std::size_t columns);

  /// Appends one or more whole rows.
  void append(std::span<const float> rows);
  void finish();
  std::size_t rows() const { return rows_; }

 private:
  StagedFile file_;
  std::size_t columns_, rows_ = 0;
};

}  // namespace molgauge::io
