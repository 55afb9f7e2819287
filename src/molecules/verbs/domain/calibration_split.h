#pragma once

#include <optional>

#include "molecules/files/named_table.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// The parts of a training file that --calibration-split names.
class CalibrationSplit {
 public:
  /// Throws UsageError if the option is not COLUMN=VALUE, or if the training molecules cannot be split.
  /// Throws InputError if the column is missing, or if a part has no rows. Does nothing if the request has no
  /// split.
  explicit CalibrationSplit(const DomainRequest& request);

  /// Returns the request with the two parts of the file as its training file and its calibration file.
  DomainRequest applied_to(DomainRequest request) const;

 private:
  std::optional<io::NamedPart> training_, calibration_;
};

}  // namespace molgauge::verbs
