#include "session/pocket/pocket_rows.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"

namespace headroom::session {

void require_pockets_on_cpu(const ComputeOptions& compute) {
  if (compute.device != "auto" && compute.device != "cpu") {
    throw UsageError(
        fmt::format("--device {}: pocket encoders compute on the CPU; leave it out", compute.device));
  }
}

std::vector<std::size_t> all_graphs(const pocket::GraphSet& graphs) {
  std::vector<std::size_t> all(graphs.graphs().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ops::Floats encode_within_memory(const pocket::StoredEncoder& encoder, const pocket::GraphSet& graphs,
                                 const std::vector<std::size_t>& chosen, const ComputeOptions& compute,
                                 MemorySession& memory) {
  memory::Phase phase = memory.phases().begin("embed");
  const std::uint64_t rows = chosen.size() * static_cast<std::uint64_t>(encoder.shape.output) * sizeof(float);
  std::uint64_t of_pocket = 0;
  {
    const PlanningScope planning;
    of_pocket = pocket::bytes_of_encoding(encoder, graphs, chosen);
  }
  const std::uint64_t room = memory.room().host;
  const std::uint64_t fitting = room > rows ? (room - rows) / std::max<std::uint64_t>(1, of_pocket) : 0;
  const std::size_t threads =
      std::clamp<std::size_t>(fitting, 1, std::min(threads_of(compute), chosen.size()));
  memory.require({.what = "encoding the largest pocket", .host_bytes = rows + threads * of_pocket});
  phase.set_planned(memory.projected_peak(rows + threads * of_pocket, 0));
  return pocket::encode_pockets(encoder, graphs, chosen, threads, compute.quiet);
}

}  // namespace headroom::session
