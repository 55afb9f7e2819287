#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "molecules/ood/run/training_options.h"
#include "molgauge/train.h"

namespace molgauge::ood {

/// The training options of a request. Throws UsageError if an option is unknown, out of range, or has no
/// effect with the chosen loss.
TrainingOptions training_options(const TrainRequest& request);

/// config.json of a run folder: the request, and the data of the training.
struct RunConfig {
  TrainRequest request;
  std::string encoder_identity;  ///< weights and options that change the features (as in the store)
  std::size_t feature_width = 0;
  /// checksum_of_file() of the benchmark. Empty if unknown, for example for a run of an experiment matrix.
  std::string benchmark_checksum = {};
  std::size_t shared_molecules = 0;  ///< molecules in several parts of the benchmark, which the user accepted
  /// For `molgauge train --ood`: the file with the in-distribution molecules, and the number of background
  /// molecules that were left out because they are duplicates or near duplicates.
  std::string molecules_file = {};
  std::size_t near_duplicates_removed = 0;
  /// Absolute paths of the benchmark and of the splits cache, to evaluate the run from any working folder.
  /// write_run_config() fills them in.
  std::string benchmark_path = {}, splits_cache_path = {};
};

/// Returns the XXH3 hash of the content of a file, as 16 hexadecimal digits.
std::string checksum_of_file(const std::filesystem::path& file);

/// Writes config.json. Options that also exist in the Python project keep their Python names.
void write_run_config(const std::filesystem::path& run, const RunConfig& config);

/// The benchmark that `molgauge train --ood` makes in a run folder.
std::filesystem::path own_benchmark_file(const std::filesystem::path& run);

/// Finds a file that the training of a run has read. Tries `named` relative to the working folder, and then
/// the path `absolute`. If `checksum` is known and `named` is relative, also tries `named` in each folder
/// that contains the run, because the file may have been moved together with the run. Ignores files with
/// another checksum. Returns nothing if no file is found.
std::optional<std::filesystem::path> find_file_of_run(const std::filesystem::path& run,
                                                      const std::string& named, const std::string& absolute,
                                                      const std::string& checksum);

/// Whether the folder belongs to `molgauge baseline`, which also has a config.json. Throws InputError with
/// the file if it is damaged.
bool is_baseline_folder(const std::filesystem::path& run);

/// Removes config.json, if it exists. The folder is then no longer a run folder.
void remove_run_config(const std::filesystem::path& run);

/// Reads config.json. Throws InputError with the file and a remedy if the folder is not a run folder or the
/// file is damaged. The file does not store the ComputeOptions, or the paths of the feature store and the
/// weights.
RunConfig read_run_config(const std::filesystem::path& run);

/// Throws InputError unless the run was trained on features of this encoder.
void require_encoder(const std::filesystem::path& run, const RunConfig& config, const std::string& encoder,
                     const std::string& identity, std::size_t feature_width);

}  // namespace molgauge::ood
