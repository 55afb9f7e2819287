#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "molgauge/choices.h"

namespace molgauge::pocket {

/// The names of the pockets in each part of a split.
struct PocketSplit {
  std::vector<std::string> train, validation, test;
};

/// The unit to which a pocket belongs. For a name such as "1aju_arg_model0", this is the text before
/// "_model", or the part of this text before or after the first "_".
std::string unit_of(const std::string& name, SplitUnit unit);

/// Splits units of pockets in a random order into training, validation and test. All pockets of a unit are in
/// the same part. Units are added to training until it has its share of the pockets, then to validation.
/// Validation gets at least one unit. The result depends on the names but not on their order. Throws
/// InputError if there are fewer than two units.
PocketSplit draw_split(std::vector<std::string> names, SplitUnit unit, double train_share,
                       double validation_share, std::uint64_t seed);

/// Reads a JSON file with the lists "train", "val" and "test". "test" may be missing. Throws InputError with
/// the file if it is invalid, or if a name is in two parts.
PocketSplit read_split(const std::filesystem::path& file);
void write_split(const std::filesystem::path& file, const PocketSplit& split);

/// Returns the first complex that is in training and in validation or test, or an empty text if there is
/// none.
std::string shared_complex(const PocketSplit& split);

}  // namespace molgauge::pocket
