#include "molecules/verbs/experiment/cell_kind.h"

#include "molecules/experiments/specification/method_kinds.h"

namespace molgauge::verbs {

CellKind& CellKinds::of(const matrix::Cell& cell) const {
  return experiment::method_kind(cell.kind).name == "energy-head" ? *energy_ : *baselines_;
}

}  // namespace molgauge::verbs
