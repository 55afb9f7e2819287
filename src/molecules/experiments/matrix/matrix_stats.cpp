#include "molecules/experiments/matrix/matrix_stats.h"

#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/json/json_text.h"

namespace molgauge::matrix {

void write_matrix_stats(const std::filesystem::path& folder, const MatrixCost& cost) {
  nlohmann::ordered_json fields = {{"device", cost.device},
                                   {"jobs", cost.jobs},
                                   {"runs_computed", cost.runs},
                                   {"memory_budget_bytes", cost.memory_budget_bytes}};
  for (const PhaseReport& phase : cost.phases) {
    fields["phase_seconds"][phase.phase] = phase.seconds;
    fields["peak_host_memory_bytes"][phase.phase] = phase.peak_host_memory_bytes;
    fields["peak_device_memory_bytes"][phase.phase] = phase.peak_device_memory_bytes;
    if (phase.planned_memory_bytes > 0) {
      fields["planned_memory_bytes"][phase.phase] = phase.planned_memory_bytes;
    }
  }
  replace_file(folder / "matrix_stats.json", json_text(fields));
}

}  // namespace molgauge::matrix
