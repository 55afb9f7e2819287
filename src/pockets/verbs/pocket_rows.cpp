#include "pockets/verbs/pocket_rows.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/plan/device_workspace.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/torch_backend.h"
#include "pockets/verbs/pocket_torch.h"

namespace molgauge::verbs {

namespace {

/// Returns the tensor bytes for encoding the graph that needs the most memory. `plan`: the encoder.
std::uint64_t planned_bytes(const pocket::StoredEncoder& plan, const pocket::GraphSet& graphs,
                            const std::vector<std::size_t>& chosen) {
  const runtime::PlanningScope planning;
  return pocket::bytes_of_encoding(plan, graphs, chosen);
}

ops::Floats encode_on_gpu(const pocket::StoredEncoder& encoder, const pocket::GraphSet& graphs,
                          const std::vector<std::size_t>& chosen, bool quiet, Device gpu, std::uint64_t rows,
                          memory::Phase& phase, runtime::BudgetScope& memory) {
  PocketTorch& part = runtime::torch_part<PocketTorch>();
  const pocket::ParameterReader parameters = pocket::parameters_of(encoder);
  pocket::StoredEncoder there = encoder;
  there.encode = part.make_encoder(encoder.shape, parameters, Device{});
  const std::uint64_t of_pocket = planned_bytes(there, graphs, chosen);
  std::uint64_t of_messages = 0;
  for (const std::size_t graph : chosen) {
    of_messages = std::max(of_messages, part.device_bytes(graphs.graphs()[graph].counts));
  }
  const std::uint64_t on_gpu =
      of_pocket + of_messages + memory::device_workspace_bytes(memory::DevicePasses::forward);
  memory.require(
      {.what = "encoding the largest pocket", .host_bytes = rows + of_pocket, .device_bytes = on_gpu});
  phase.set_planned(memory.projected_peak(rows + of_pocket, on_gpu));
  there.encode = part.make_encoder(encoder.shape, parameters, gpu);
  return pocket::encode_pockets(there, graphs, chosen, 1, quiet);
}

}  // namespace

Device parse_pocket_device(const std::string& text) {
  if (text == "auto") {
    return {};
  }
  const Device device = runtime::parse_device(text);
  if (!device.is_gpu() || runtime::torch_part<PocketTorch>().has_kernels()) {
    return device;
  }
  throw UsageError(
      fmt::format("--device {}: this build has no GPU kernels for pocket encoders, because it was built "
                  "without nvcc. Use --device cpu, or build it with a CUDA toolkit",
                  text));
}

std::vector<std::size_t> all_graphs(const pocket::GraphSet& graphs) {
  std::vector<std::size_t> all(graphs.graphs().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ops::Floats encode_within_memory(const pocket::StoredEncoder& encoder, const pocket::GraphSet& graphs,
                                 const std::vector<std::size_t>& chosen, const ComputeOptions& compute,
                                 Device device, runtime::BudgetScope& memory) {
  memory::Phase phase = memory.phases().begin("embed");
  const std::uint64_t rows = chosen.size() * static_cast<std::uint64_t>(encoder.shape.output) * sizeof(float);
  if (device.is_gpu()) {
    return encode_on_gpu(encoder, graphs, chosen, compute.quiet, device, rows, phase, memory);
  }
  const std::uint64_t of_pocket = planned_bytes(encoder, graphs, chosen), room = memory.room().host;
  const std::uint64_t fitting = room > rows ? (room - rows) / std::max<std::uint64_t>(1, of_pocket) : 0;
  const std::size_t threads =
      std::clamp<std::size_t>(fitting, 1, std::min(runtime::threads_of(compute), chosen.size()));
  memory.require({.what = "encoding the largest pocket", .host_bytes = rows + threads * of_pocket});
  phase.set_planned(memory.projected_peak(rows + threads * of_pocket, 0));
  return pocket::encode_pockets(encoder, graphs, chosen, threads, compute.quiet);
}

}  // namespace molgauge::verbs
