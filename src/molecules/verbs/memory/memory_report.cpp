// `molgauge memory report`.

#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/memory/plan/run_cost.h"
#include "base/options/verb.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

struct CommandFile {
  const char *command, *name;
};
constexpr CommandFile kFiles[] = {{"train", "training_stats.json"},
                                  {"evaluate", "ood_evaluation_results.json"}};

MemoryOfCommand describe(const char* command, const memory::RunCost& cost) {
  return {.command = command,
          .device = cost.device,
          .memory_budget_bytes = cost.memory_budget_bytes,
          .host_memory_budget_bytes = cost.host_memory_budget_bytes,
          .batch_size_planned = cost.batch_size_planned,
          .batch_size_used = cost.batch_size_used,
          .oom_recoveries = cost.oom_recoveries,
          .phases = cost.phases};
}

MemoryOfRun report_memory(const ReportMemoryRequest& request) {
  const std::string& run = request.run;
  MemoryOfRun report;
  report.run = run;
  ordered_json json = {{"run", run}};
  for (const CommandFile& file : kFiles) {
    const auto path = std::filesystem::path(run) / file.name;
    if (!std::filesystem::exists(path)) {
      continue;
    }
    require_intact(path, std::string("Run 'molgauge ") + file.command + "' again");
    try {
      const memory::RunCost cost = memory::read_cost(parse_json<ordered_json>(read_file(path)));
      memory::add_cost(json[file.command], cost);
      report.commands.push_back(describe(file.command, cost));
    } catch (const nlohmann::json::exception& problem) {
      throw InputError(path.string() + ": not a file of molgauge (" + json_problem(problem) + ")");
    }
  }
  if (report.commands.empty()) {
    throw InputError(run +
                     ": is not the folder of a finished run (training_stats.json or "
                     "ood_evaluation_results.json is missing)");
  }
  report.json = json_text(json);
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<ReportMemoryRequest>() {
  return row_without_json<ReportMemoryRequest>("memory_report", report_memory);
}

}  // namespace molgauge
