#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

void run(const VerifyShardsRequest& request) {
  const ShardsVerification result = load_engine().run(request);
  for (const auto& finding : result.findings) {
    print_result("{}\n", finding);
  }
  print_result("{}: {} of {} complete, {} of {}, {} in {}, {} failed\n", request.folder, result.complete,
               counted(result.shards, "shard"), result.number_type, result.encoder,
               counted(result.rows, "row"), counted(result.parts, "part"), result.failed_records);
  if (!result.findings.empty()) {
    throw InputError(request.folder + ": repair the shards above before you join them");
  }
}

void run(const JoinShardsRequest& request) {
  const JoinShardsReport report = load_engine().run(request);
  print_result("{}: {} [{}, {}] of {}, {} failed\n", request.out, report.number_type, report.rows,
               report.width, counted(report.shards, "shard"), report.failed_records);
}

}  // namespace

template <>
std::vector<Command> commands<VerifyShardsRequest>() {
  return {{.name = "shards verify",
           .summary = "Check that all shards are present, complete and undamaged",
           .add = runs<VerifyShardsRequest>(run)}};
}

template <>
std::vector<Command> commands<JoinShardsRequest>() {
  return {{.name = "shards join",
           .summary = "Write the rows of all shards to one file",
           .add = runs<JoinShardsRequest>(run)}};
}

}  // namespace molgauge::cli
