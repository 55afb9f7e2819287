// Options of `molgauge memory plan`. The other options are the options of the planned verb.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using P = PlanMemoryRequest;

constexpr std::array kPlan = {
    capacity_row<P>("Plan for a GPU with this memory, for example 80GiB, instead of this machine")};

}  // namespace

template <>
std::span<const Option> table<PlanMemoryRequest>() {
  return kPlan;
}

}  // namespace molgauge::options
