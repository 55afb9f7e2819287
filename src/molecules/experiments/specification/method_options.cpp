#include "molecules/experiments/specification/method_options.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/options/settings.h"
#include "base/options/tables.h"

namespace molgauge::experiment {

void set_energy_option(TrainRequest& request, const std::string& name, const options::Value& value) {
  options::set(options::mutable_view(request), options::Section::method, "energy methods", name, value);
}

void set_baseline_option(BaselineRequest& request, const std::string& name, const options::Value& value) {
  if (const auto why = why_without_effect(name, request.method); !why.empty()) {
    throw UsageError(fmt::format("'{}' has no effect on {}: {}", name, request.method, why));
  }
  options::set(options::mutable_view(request), options::Section::method, "baselines", name, value);
}

std::string why_without_effect(const std::string& option, const std::string& method) {
  BaselineRequest request;
  request.method = method;
  const options::Option* const known = options::find_option(options::table<BaselineRequest>(), option);
  const options::Condition* const broken =
      known == nullptr ? nullptr : options::broken_condition(options::view(request), *known);
  return broken == nullptr ? "" : std::string(broken->remark);
}

}  // namespace molgauge::experiment
