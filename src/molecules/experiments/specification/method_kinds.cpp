#include "molecules/experiments/specification/method_kinds.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/core/error.h"
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

/// Baselines come last, because they accept all remaining names.
struct Registry {
  std::mutex mutex;
  std::vector<MethodKind> kinds = {energy_heads(), baselines()};
};

Registry& registry() {
  static Registry registry;
  return registry;
}

}  // namespace

std::vector<MethodKind> method_kinds() {
  const std::lock_guard lock(registry().mutex);
  return registry().kinds;
}

MethodKind method_kind(const std::string& kind) {
  const std::vector<MethodKind> kinds = method_kinds();
  return *std::find_if(kinds.begin(), kinds.end(),
                       [&](const MethodKind& candidate) { return candidate.has(kind); });
}

void add_method_kind(MethodKind kind) {
  const std::lock_guard lock(registry().mutex);
  auto& kinds = registry().kinds;
  for (const MethodKind& known : kinds) {
    if (known.name == kind.name || known.section == kind.section) {
      throw UsageError("there is already a kind of methods '" + known.name + "' with the section [" +
                       known.section + "]. Choose another name and another section");
    }
  }
  kinds.insert(kinds.end() - 1, std::move(kind));
}

}  // namespace molgauge::experiment
