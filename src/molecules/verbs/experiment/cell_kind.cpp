#include "molecules/verbs/experiment/cell_kind.h"

#include <mutex>

#include "base/core/error.h"
#include "molecules/experiments/specification/method_kinds.h"
#include "molecules/verbs/experiment/baseline_cells.h"
#include "molecules/verbs/experiment/energy_cells.h"

namespace molgauge::verbs {
namespace {

using MakeCellKind = std::unique_ptr<CellKind> (*)();

template <typename Kind>
std::unique_ptr<CellKind> make() {
  return std::make_unique<Kind>();
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, MakeCellKind> makers = {{"energy-head", make<EnergyCells>},
                                                {"baselines", make<BaselineCells>}};
};

Registry& registry() {
  static Registry registry;
  return registry;
}

}  // namespace

CellKinds::CellKinds() {
  const std::lock_guard lock(registry().mutex);
  for (const auto& [name, maker] : registry().makers) {
    kinds_.emplace(name, maker());
  }
}

CellKind& CellKinds::of(const matrix::Cell& cell) const {
  const auto found = kinds_.find(experiment::method_kind(cell.kind).name);
  if (found == kinds_.end()) {
    throw Error("this program cannot run methods of the kind '" + cell.kind + "'");
  }
  return *found->second;
}

void add_cell_kind(const std::string& method_kind, MakeCellKind maker) {
  const std::lock_guard lock(registry().mutex);
  registry().makers.insert_or_assign(method_kind, maker);
}

}  // namespace molgauge::verbs
