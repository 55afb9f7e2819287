// Reads graphs of the Python project: `{complex}_model{N}.pt`, pickled by PyTorch Geometric.

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/file_versions.h"
#include "base/io/tensors/geometric_data.h"
#include "base/io/tensors/npz.h"
#include "pockets/graphs/graph_file.h"
#include "pockets/preparation/pocket_source.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kNormalizationFile = "node_feature_norm_params.npz";
/// Largest distance from a whole number that is accepted for atomic numbers. They were rounded when they were
/// converted to float32, normalised and converted back.
constexpr double kNearWhole = 0.01;
constexpr double kHeaviest = 118;

std::string normalization_file(const std::string& first_graph, const PocketBuildRequest& request) {
  if (!request.normalization.empty()) {
    return request.normalization;
  }
  const auto folder = std::filesystem::absolute(first_graph).parent_path();
  for (const auto& place : {folder, folder.parent_path()}) {
    if (std::filesystem::exists(place / kNormalizationFile)) {
      return (place / kNormalizationFile).string();
    }
  }
  return "";
}

std::array<double, 3> three_numbers(const std::string& file, const std::string& name) {
  const std::vector<float> numbers = io::read_npz(file, name).to_float32();
  if (numbers.size() != 3) {
    throw InputError(fmt::format("{}: '{}' has {} numbers instead of 3", file, name, numbers.size()));
  }
  return {numbers[0], numbers[1], numbers[2]};
}

FeatureNormalization read_normalization(const std::string& file) {
  const FeatureNormalization read{three_numbers(file, "mean"), three_numbers(file, "std")};
  for (std::size_t column = 0; column < 3; ++column) {
    if (!std::isfinite(read.mean[column]) || !std::isfinite(read.deviation[column]) ||
        read.deviation[column] <= 0) {
      throw InputError(file + ": a number is not finite, or a deviation is not positive");
    }
  }
  return read;
}

/// Whether the second feature of every atom can be an atomic number.
bool has_elements(const ops::Floats& features) {
  for (std::int64_t atom = 0; atom < features.size(0); ++atom) {
    const double number = features.data()[3 * atom + 1], element = std::round(number);
    if (element < 1 || element > kHeaviest || std::abs(number - element) > kNearWhole) {
      return false;
    }
  }
  return true;
}

class PythonGraphs : public PocketSource {
 public:
  PythonGraphs(std::vector<std::string> files, const PocketBuildRequest& request)
      : files_(std::move(files)), normalization_file_(normalization_file(files_.front(), request)) {
    if (!normalization_file_.empty()) {
      const io::FileVersions file({normalization_file_});
      normalization_checksum_ = file.checksum();
      normalization_ = file.read([&] { return read_normalization(normalization_file_); });
    }
    origin_.source = "python";
    origin_.force_field = "of the graphs";
    origin_.cutoff = 0;
    origin_.reference_phases = true;
  }

  GraphSetOrigin origin() const override { return origin_; }
  std::size_t items() const override { return files_.size(); }
  std::string name_of(std::size_t item) const override {
    return std::filesystem::path(files_[item]).stem().string();
  }

  std::vector<PlannedPocket> plan(std::size_t item) const override {
    const io::FileVersions file({files_[item]});
    return {{name_of(item), file.checksum(normalization_checksum_),
             [this, item, file] { return file.read([&] { return read(files_[item]); }); }}};
  }

 private:
  Pockets read(const std::string& file) const {
    Pockets pocket = from_tensors(io::read_geometric_data(file), file);
    if (has_elements(pocket.features)) {
      return pocket;  // the features are not normalised
    }
    if (normalization_file_.empty()) {
      throw InputError(
          fmt::format("{}: its features are normalised, and the parameters ({}) are missing. Name the file "
                      "with --normalization",
                      file, kNormalizationFile));
    }
    normalization_.undo(pocket.features);
    if (!has_elements(pocket.features)) {
      throw InputError(
          fmt::format("{}: its features do not match {}: after one reversal, the second feature is not an "
                      "atomic number. A second run of the Python project normalises twice",
                      file, normalization_file_));
    }
    round_elements(pocket.features);
    return pocket;
  }

  static void round_elements(ops::Floats& features) {
    for (std::int64_t atom = 0; atom < features.size(0); ++atom) {
      features.data()[3 * atom + 1] = std::round(features.data()[3 * atom + 1]);
    }
  }

  std::vector<std::string> files_;
  std::string normalization_file_;
  std::string normalization_checksum_;  ///< empty without a file
  FeatureNormalization normalization_;
  GraphSetOrigin origin_;
};

}  // namespace

std::unique_ptr<PocketSource> open_python_graphs(const std::vector<std::string>& files,
                                                 const PocketBuildRequest& request) {
  return std::make_unique<PythonGraphs>(files, request);
}

}  // namespace molgauge::pocket
