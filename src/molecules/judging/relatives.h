#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/judging/environment_lists.h"

namespace molgauge::domain {

/// One number for each molecule of a training set. Molecules with the same number are left out together.
using GroupLabels = std::vector<std::uint32_t>;

/// The groups of training molecules that the calibration leaves out together.
struct LeftOutGroups {
  /// Molecules that equal each other without stereochemistry, or that have the same environments with the
  /// same counts. Without these groups, a stereoisomer in the training set would make the distance of a
  /// left-out molecule too small.
  GroupLabels relatives;
  /// Molecules of one scaffold, and their relatives.
  GroupLabels scaffolds;
};

/// `flat` [environments.size()]: hashes of the molecules without stereochemistry. If the list is empty, only
/// environments are compared. `scaffolds` [environments.size()].
LeftOutGroups left_out_groups(const EnvironmentLists& environments, std::span<const Hash128> flat,
                              std::span<const std::string> scaffolds);

}  // namespace molgauge::domain
