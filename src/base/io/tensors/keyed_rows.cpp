#include "base/io/tensors/keyed_rows.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/keyed_hdf5.h"
#include "base/io/tensors/npz.h"
#include "base/io/tensors/safetensors.h"

namespace molgauge::io {
namespace {

bool is_hdf5(const std::filesystem::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}

void append(KeyedRows& rows, const std::string& key, const std::vector<float>& numbers,
            const std::string& file) {
  const auto width = static_cast<std::int64_t>(numbers.size());
  if (width == 0) {
    throw InputError(fmt::format("{}: the row {} is empty", file, key));
  }
  if (rows.width != 0 && rows.width != width) {
    throw InputError(fmt::format("{}: the row {} has {} numbers, the rows before it have {}", file, key,
                                 width, rows.width));
  }
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) {
    throw InputError(fmt::format("{}: the row {} has a number that is not finite", file, key));
  }
  rows.width = width;
  rows.keys.push_back(key);
  rows.numbers.insert(rows.numbers.end(), numbers.begin(), numbers.end());
}

/// Makes rows from tensors. The names are ascending, because std::map is sorted.
KeyedRows rows_of(const TensorMap& tensors, const std::string& file) {
  KeyedRows rows;
  for (const auto& [key, tensor] : tensors) {
    const bool is_row = tensor.shape.size() == 1 || (tensor.shape.size() == 2 && tensor.shape[0] == 1);
    if (!is_row) {
      throw InputError(
          fmt::format("{}: the array {} is not a row. Its shape must be [width] or [1, width]", file, key));
    }
    append(rows, key, tensor.to_float32(), file);
  }
  return rows;
}

}  // namespace

std::optional<std::size_t> KeyedRows::find(const std::string& key) const {
  const auto found = std::lower_bound(keys.begin(), keys.end(), key);
  if (found == keys.end() || *found != key) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - keys.begin());
}

KeyedRows read_keyed_rows(const std::filesystem::path& path) {
  const std::string file = path.string();
  KeyedRows rows;
  if (is_hdf5(path)) {
    for (const auto& [key, numbers] : read_hdf5_rows(path)) {
      append(rows, key, numbers, file);
    }
  } else if (path.extension() == ".npz") {
    rows = rows_of(read_npz(path), file);
  } else if (path.extension() == ".safetensors") {
    rows = rows_of(read_safetensors(path).tensors, file);
  } else {
    throw InputError(file + ": rows by name are read from .h5, .hdf5, .npz and .safetensors");
  }
  if (rows.keys.empty()) {
    throw InputError(file + ": holds no rows");
  }
  return rows;
}

void require_keyed_rows_name(const std::filesystem::path& path) {
  if (!is_hdf5(path) && path.extension() != ".npz") {
    throw UsageError(path.string() + ": rows by name are written to .h5, .hdf5 and .npz");
  }
}

void write_keyed_rows(const std::filesystem::path& path, const KeyedRows& rows) {
  require_keyed_rows_name(path);
  std::map<std::string, std::span<const float>> arrays;
  for (std::size_t i = 0; i < rows.keys.size(); ++i) {
    arrays[rows.keys[i]] = {rows.row(i), static_cast<std::size_t>(rows.width)};
  }
  if (is_hdf5(path)) {
    write_hdf5_rows(path, arrays);
  } else {
    write_npz(path, arrays);
  }
}

}  // namespace molgauge::io
