#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "table_verb.h"

namespace headroom::cli {
namespace {

void verify_shards(const VerifyShardsRequest& request) {
  const ShardsVerification result = load_engine().run(request);
  for (const auto& finding : result.findings) {
    print_result("{}\n", finding);
  }
  print_result("{}: {} of {} complete; {} of {}, {} in {}, {} failed\n", request.folder, result.complete,
               counted(result.shards, "shard"), result.number_type, result.encoder,
               counted(result.rows, "row"), counted(result.parts, "part"), result.failed_records);
  if (!result.findings.empty()) {
    throw InputError(request.folder + ": the shards cannot be joined before that is mended");
  }
}

void join_shards(const JoinShardsRequest& request) {
  const JoinShardsReport report = load_engine().run(request);
  print_result("{}: {} [{}, {}] of {}, {} failed\n", request.out, report.number_type, report.rows,
               report.width, counted(report.shards, "shard"), report.failed_records);
}

}  // namespace

void add_shards(CLI::App& app, Verbs& verbs) {
  auto* const shards = app.add_subcommand("shards", "Check and join what encode --shard has written");
  shards->require_subcommand(1);
  add_subcommand(*shards, verbs, "verify", "Check that every shard is there, finished and undamaged",
                 verify_shards);
  add_subcommand(*shards, verbs, "join", "Write the rows of all shards to one file", join_shards);
}

}  // namespace headroom::cli
