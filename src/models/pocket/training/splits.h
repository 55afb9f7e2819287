#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "headroom/choices.h"

namespace headroom::pocket {

/// Names of pockets.
struct PocketSplit {
  std::vector<std::string> train, validation, test;
};

/// The unit of a pocket name such as "1aju_arg_model0": the text before "_model", and its parts before and
/// after the first "_".
std::string unit_of(const std::string& name, SplitUnit unit);

/// Lays out whole units in a random order, so many that the training part has at least its share of the
/// pockets, then validation, the rest test. Validation gets a unit if there are at least two. The same for
/// the same names in any order. Throws InputError where there is one unit alone.
PocketSplit draw_split(std::vector<std::string> names, SplitUnit unit, double train_share,
                       double validation_share, std::uint64_t seed);

/// JSON: lists "train", "val" and "test", of which the last may be missing. Throws InputError naming the
/// file, also where a name stands in two parts.
PocketSplit read_split(const std::filesystem::path& file);
void write_split(const std::filesystem::path& file, const PocketSplit& split);

/// The first complex that training shares with validation or test. Empty if there is none.
std::string shared_complex(const PocketSplit& split);

}  // namespace headroom::pocket
