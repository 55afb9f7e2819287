#include "molecules/experiments/specification/method_kinds.h"

#include <algorithm>

#include "molecules/experiments/specification/method_options.h"

namespace molgauge::experiment {
namespace {

MethodKind energy_heads() {
  return {.name = "energy-head",
          .section = "training",
          .noun = "an energy head",
          .has = [](const std::string& kind) { return kind == "energy-head"; },
          .check_option =
              [](const std::string&, const std::string& option, const options::Value& value) {
                TrainRequest request;
                set_energy_option(request, option, value);
              }};
}

MethodKind baselines() {
  return {.name = "baselines",
          .section = "classifier",
          .noun = "",
          .has = [](const std::string&) { return true; },
          .check_option =
              [](const std::string& kind, const std::string& option, const options::Value& value) {
                BaselineRequest request;
                request.method = kind;
                set_baseline_option(request, option, value);
              },
          .looks_at = [](const std::string& option,
                         const std::string& kind) { return why_without_effect(option, kind).empty(); }};
}

}  // namespace

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds = {energy_heads(), baselines()};
  return kinds;
}

const MethodKind& method_kind(const std::string& kind) {
  return *std::find_if(method_kinds().begin(), method_kinds().end(),
                       [&](const MethodKind& candidate) { return candidate.has(kind); });
}

}  // namespace molgauge::experiment
