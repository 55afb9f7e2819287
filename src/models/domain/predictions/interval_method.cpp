#include "models/domain/predictions/interval_method.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace headroom::domain {
namespace {

constexpr std::array<std::pair<IntervalMethod, const char*>, 7> kMethods = {
    {{IntervalMethod::automatic, "auto"},
     {IntervalMethod::constant, "constant"},
     {IntervalMethod::distance, "distance"},
     {IntervalMethod::uncertainty, "uncertainty"},
     {IntervalMethod::both, "both"},
     {IntervalMethod::mondrian, "mondrian"},
     {IntervalMethod::quantiles, "quantiles"}}};

}  // namespace

std::string to_string(IntervalMethod method) {
  for (const auto& [own, name] : kMethods) {
    if (own == method) {
      return name;
    }
  }
  return "";
}

IntervalMethod parse_interval_method(const std::string& name) {
  for (const auto& [method, own] : kMethods) {
    if (name == own) {
      return method;
    }
  }
  throw UsageError(
      fmt::format("--interval-method {}: is unknown. Use auto, constant, distance, uncertainty, both, "
                  "mondrian or quantiles",
                  name));
}

}  // namespace headroom::domain
