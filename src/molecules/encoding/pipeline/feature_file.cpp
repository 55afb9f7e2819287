#include "molecules/encoding/pipeline/feature_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/core/error.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/safetensors.h"
#include "base/io/tensors/tensor_data.h"
#include "base/runtime/failure_file.h"
#include "molecules/encoding/pipeline/feature_rows.h"

namespace molgauge::pipeline {
namespace {

/// The rows to write, and the path of the file.
struct FeatureRows {
  const std::filesystem::path& path;
  RowTable& table;
  std::size_t width;
  const EncodeOutcome& outcome;
  const std::string& random_weights;

  std::map<std::string, std::string> metadata() const {
    return random_weights.empty() ? std::map<std::string, std::string>()
                                  : std::map<std::string, std::string>{{"weights", random_weights}};
  }

  /// Passes the rows to `visit`, as for_each_block() does. Throws if the row of a successful record is
  /// missing.
  void for_each(const VisitRows& visit) const {
    const std::size_t absent = for_each_block(table, outcome.keys, width, visit);
    if (absent != outcome.failed.size()) {
      throw Error(path.string() + ": not written, because the store has no row for " +
                  std::to_string(absent) + " records of which " + std::to_string(outcome.failed.size()) +
                  " failed: rows were removed or damaged in the meantime. " + kAdviceOnAbsentRows);
    }
  }
};

void write_npy(const FeatureRows& features) {
  io::NpyWriter file(features.path, features.width);
  features.for_each([&](std::span<const float> rows) { file.append(rows); });
  file.finish();
}

void write_safetensors(const FeatureRows& features) {
  io::TensorData tensor;
  tensor.shape = {static_cast<std::int64_t>(features.outcome.rows),
                  static_cast<std::int64_t>(features.width)};
  tensor.bytes.resize(features.outcome.rows * features.width * sizeof(float));
  std::byte* place = tensor.bytes.data();
  features.for_each([&](std::span<const float> rows) {
    std::memcpy(place, rows.data(), rows.size_bytes());
    place += rows.size_bytes();
  });
  io::TensorMap tensors;
  tensors.emplace("features", std::move(tensor));
  io::write_safetensors(features.path, tensors, features.metadata());
}

void write_hdf5(const FeatureRows& features) {
  std::vector<float> numbers;
  numbers.reserve(features.outcome.rows * features.width);
  features.for_each(
      [&](std::span<const float> rows) { numbers.insert(numbers.end(), rows.begin(), rows.end()); });
  io::write_hdf5_features(features.path, features.width, numbers, {}, "keys", features.metadata());
}

struct Format {
  const char* extension;
  bool in_blocks;  ///< whether rows are written in blocks, so that not all rows are in memory
  void (*write)(const FeatureRows& features);
};
constexpr std::array kFormats = {Format{".npy", true, write_npy},
                                 Format{".safetensors", false, write_safetensors},
                                 Format{".h5", false, write_hdf5}};

const Format& format_of(const std::filesystem::path& path) {
  for (const Format& format : kFormats) {
    if (path.extension() == format.extension) {
      return format;
    }
  }
  throw UsageError(path.string() + ": cannot write features to '" + path.extension().string() +
                   "'. Choose a name ending in .npy, .safetensors or .h5");
}

}  // namespace

void require_feature_format(const std::filesystem::path& path) { format_of(path); }

std::uint64_t feature_file_bytes(const std::filesystem::path& path, std::size_t rows, std::size_t width) {
  const std::size_t at_once = format_of(path).in_blocks ? std::min(rows, kBlockRows) : rows + kBlockRows;
  return std::uint64_t{at_once} * width * sizeof(float);
}

void write_feature_file(const std::filesystem::path& path, RowTable& table, std::size_t width,
                        const EncodeOutcome& outcome, CsvTexts texts, const std::string& random_weights) {
  const Format& format = format_of(path);
  write_with_failures(path, outcome.failed, texts, [&] {
    format.write({path, table, width, outcome, random_weights});
  });
}

void write_with_failures(const std::filesystem::path& path, const FailureLog& failed, CsvTexts texts,
                         const std::function<void()>& write) {
  if (!failed.empty()) {
    write_failures(failures_path(path), failed, texts);
  }
  write();
  if (failed.empty()) {
    std::error_code failure;
    std::filesystem::remove(failures_path(path), failure);
    if (failure) {
      throw system_error(failures_path(path).string(), "remove", failure.value());
    }
  }
}

std::filesystem::path failures_path(const std::filesystem::path& feature_file) {
  return std::filesystem::path(feature_file).replace_extension(".failed.csv");
}

}  // namespace molgauge::pipeline
