#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

/// Prints the planned batches and the encoded batches of an encoder that needs memory for a batch. The plan
/// also counts batches for rows that are already in the store.
void print_plan(const EncodeReport& report) {
  const MemoryPlan& plan = report.plan;
  if (report.encoded == 0 || !plan.chosen || plan.alternatives[*plan.chosen].projected_bytes == 0) {
    return;
  }
  const PlannedAlternative& strategy = plan.alternatives[*plan.chosen];
  const std::string count = report.batches_planned > 0 ? counted(report.batches_planned, "batch") : "batches";
  print_info("planned: {} of up to {} atoms, {} with {} each. Limited by {}\n", count,
             report.batch_size_planned, counted(report.workers, "worker"),
             format_bytes(strategy.projected_bytes), plan.limited_by);
  print_info("encoded: {}\n", counted(report.batches, "batch"));
}

void print_stages(const EncodeReport& report) {
  print_info("busiest stage: {}. Share of thread time by stage:", report.bottleneck);
  for (const StageTime& stage : report.stages) {
    print_info(" {} {:.1f} %{}", stage.stage, 100 * stage.share,
               &stage == &report.stages.back() ? "\n" : ",");
  }
}

void print_shard(const EncodeRequest& request, const EncodeReport& report) {
  print_failed(report.failed, report.failed_records);
  print_phases({report.phase});
  const std::string rate =
      report.encoded > 0 ? fmt::format(" ({:.1f} molecules/s)", report.molecules_per_second) : "";
  print_result(
      "{}: shard {} is complete: {} of {} in {}, {} of them written now. {} encoded now{}, {} failed\n",
      request.out, request.shard, counted(report.rows, "row"), to_string(request.part_type),
      counted(report.parts_kept + report.parts_written, "part"), report.parts_written, report.encoded, rate,
      report.failed_records);
}

void run(const EncodeRequest& request) {
  if (!request.shard.empty()) {
    print_shard(request, load_engine().run(request));
    return;
  }
  const EncodeReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases({report.phase});
  const std::string rate =
      report.encoded > 0 ? fmt::format(" ({:.1f} molecules/s)", report.molecules_per_second) : "";
  print_result("{}: {} encoded now{}, {} found in the store, {} failed\n", counted(report.rows, "record"),
               report.encoded, rate, report.from_store, report.failed_records);
  if (report.oom_recoveries > 0) {
    print_info("recovered {} from running out of memory. The batch size went from {} down to {} atoms\n",
               counted(report.oom_recoveries, "time"), report.batch_size_planned, report.batch_size_used);
  }
  print_plan(report);
  if (report.encoded > 0) {
    print_stages(report);
  }
  if (!request.out.empty()) {
    print_result("{}: float32 [{}, {}]\n", request.out, report.rows, report.width);
  }
  if (!request.atom_features.empty()) {
    print_result("{}: features of atoms, float32 [{}, {}]\n", request.atom_features, report.atom_rows,
                 report.width);
  }
  if (!request.pair_features.empty()) {
    print_result("{}: features of pairs, float32 [{}, {}]\n", request.pair_features, report.pair_rows,
                 report.pair_width);
  }
}

}  // namespace

template <>
std::vector<Command> commands<EncodeRequest>() {
  return {{.name = "encode",
           .summary = "Encode molecules and store their features",
           .add = runs<EncodeRequest>(run),
           .has_encoders = true}};
}

}  // namespace molgauge::cli
