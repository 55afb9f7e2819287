#include "pockets/preparation/fitting_options.h"

#include <array>
#include <string>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

/// An option, whether the user has set it, and the kinds of input that it applies to.
struct Given {
  const char* name;
  bool is_given, is_for_amber, is_for_structures, is_for_graphs;
};

}  // namespace

void require_fitting_options(PocketInput kind, const PocketBuildRequest& request) {
  const PocketBuildRequest defaults;
  const auto options = std::to_array<Given>({
      {"distance-cutoff", request.distance_cutoff != defaults.distance_cutoff, true, true, false},
      {"reference-compatible", request.reference_compatible, true, true, false},
      {"pocket-cutoff", request.pocket_cutoff != defaults.pocket_cutoff, false, true, false},
      {"force-field", !request.force_field.empty(), false, true, false},
      {"ligand", !request.ligand.empty(), false, true, false},
      {"hariboss-csv", !request.hariboss_csv.empty(), false, true, false},
      {"normalization", !request.normalization.empty(), false, false, true},
  });
  for (const Given& option : options) {
    const bool fits = kind == PocketInput::amber        ? option.is_for_amber
                      : kind == PocketInput::structures ? option.is_for_structures
                                                        : option.is_for_graphs;
    if (option.is_given && !fits) {
      const char* const what = kind == PocketInput::amber        ? "AMBER topologies"
                               : kind == PocketInput::structures ? "structures"
                                                                 : "graphs of the Python project";
      throw UsageError("--" + std::string(option.name) + " has no effect: " + request.input + " holds " +
                       what);
    }
  }
}

}  // namespace molgauge::pocket
