#include "molecules/judging/calibrated_domain.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"

namespace molgauge::domain {
namespace {

/// A scaffold with more than this part of the molecules is left out of the calibration for new scaffolds.
constexpr std::size_t kLargestPart = 5;

Molecules enough(Molecules training) {
  require_enough_training(training.size());
  return training;
}

/// Up to kMaxLeftOut molecules, evenly spaced.
std::vector<std::uint32_t> left_out_members(std::size_t molecules) {
  const std::size_t count = std::min(molecules, kMaxLeftOut);
  std::vector<std::uint32_t> members;
  members.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    members.push_back(static_cast<std::uint32_t>(i * molecules / count));
  }
  return members;
}

}  // namespace

void require_enough_training(std::size_t molecules) {
  if (molecules < kMinTraining) {
    throw InputError(fmt::format(
        "{} {} too few for a calibration. Give at least {} distinct training molecules",
        counted(molecules, "distinct training molecule"), molecules == 1 ? "is" : "are", kMinTraining));
  }
}

CalibratedDomain::CalibratedDomain(Molecules training, const std::vector<std::string>& scaffolds,
                                   const std::vector<Hash128>& flat, const Settings& settings)
    : training_(enough(std::move(training))), reference_(training_, {settings.method, settings.threads}) {
  calibrate(scaffolds, flat, settings);
}

CalibratedDomain::CalibratedDomain(Molecules training, Reference::Scales scales, Calibration calibration,
                                   const Settings& settings)
    : training_(std::move(training)),
      reference_(training_, {settings.method, settings.threads}),
      calibration_(std::move(calibration)) {
  reference_.set_scales(std::move(scales));
}

void CalibratedDomain::calibrate(const std::vector<std::string>& scaffolds, const std::vector<Hash128>& flat,
                                 const Settings& settings) {
  const std::vector<std::uint32_t> members = left_out_members(training_.size());
  const LeftOutGroups groups = left_out_groups(training_.environments, flat, scaffolds);
  Progress progress("calibrate", "molecule",
                    Reference::compared_to_calibrate(members.size(), settings.method), settings.quiet);
  const Reference::LeftOut left_out = reference_.calibrate(members, groups, &progress);
  std::map<std::uint32_t, std::size_t> sizes, drawn;
  for (const std::uint32_t label : groups.scaffolds) {
    ++sizes[label];
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    calibration_.left_out.push_back(left_out.without_relatives[i].score);
    calibration_.range.push_back(left_out.without_relatives[i].property.value);
    const std::uint32_t label = groups.scaffolds[members[i]];
    if (kLargestPart * sizes[label] <= training_.size()) {
      calibration_.scaffold.push_back(left_out.without_scaffold[i].score);
      calibration_.largest_scaffold = std::max(calibration_.largest_scaffold, ++drawn[label]);
    }
  }
  calibration_.scaffolds = drawn.size();
  if (drawn.size() < kMinScaffolds) {
    calibration_.scaffold.clear();
    calibration_.scaffolds = calibration_.largest_scaffold = 0;
  }
  for (std::vector<float>* const scores :
       {&calibration_.left_out, &calibration_.scaffold, &calibration_.range}) {
    std::sort(scores->begin(), scores->end());
  }
}

}  // namespace molgauge::domain
