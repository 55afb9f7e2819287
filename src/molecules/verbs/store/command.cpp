#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

void run(const StoreRequest& request) {
  const StoreInfo store = load_engine().run(request);
  page::TextTable table({"database", "encoder", "weights", "options", "width", "rows"});
  for (const auto& database : store.databases) {
    table.add_row({database.name, database.encoder, database.weights_sha256.substr(0, 12), database.options,
                   database.width == 0 ? "varies" : std::to_string(database.width),
                   std::to_string(database.rows)});
  }
  print_result("{}: {} in use, {} on disk\n{}", store.folder, format_bytes(store.bytes_used),
               format_bytes(store.bytes_on_disk),
               store.databases.empty() ? "  (empty)\n" : table.to_string());
}

void run(const VerifyStoreRequest& request) {
  const StoreVerification result = load_engine().run(request);
  for (const auto& finding : result.findings) {
    print_result("{}\n", finding);
  }
  print_result("{}, {} damaged\n", counted(result.rows, "row"), result.damaged);
  if (result.damaged > 0) {
    throw InputError("the store has damaged rows. Remove them with: molgauge store prune --damaged");
  }
}

void run(const ImportFeaturesRequest& request) {
  const ImportFeaturesReport report = load_engine().run(request);
  print_failed(report.failed);
  print_result(
      "{}: {} of {} imported, with {} features, into {}. Train on them with: --encoder {} --features "
      "imported:{}\n",
      request.file, report.imported, counted(report.rows, "row"), report.width, report.database,
      report.encoder, report.name);
  if (report.rounded > 0) {
    print_result("{} with float64 numbers rounded to float32\n", counted(report.rounded, "row"));
  }
}

void run(const ExportStoreRequest& request) {
  print_result("{}: {}\n", request.out, counted(load_engine().run(request).rows, "row"));
}

void run(const PruneStoreRequest& request) {
  print_result("{} removed\n", counted(load_engine().run(request).rows, "row"));
}

}  // namespace

template <>
std::vector<Command> commands<StoreRequest>() {
  return {{.name = "store info",
           .summary = "List the databases with their encoders and sizes",
           .add = runs<StoreRequest>(run)}};
}

template <>
std::vector<Command> commands<ExportStoreRequest>() {
  return {{.name = "store export",
           .summary = "Export the keys and rows of a database to a file",
           .add = runs<ExportStoreRequest>(run)}};
}

template <>
std::vector<Command> commands<ImportFeaturesRequest>() {
  return {{.name = "store import",
           .summary = "Import features that the Python project computed (its .pkl cache)",
           .add = runs<ImportFeaturesRequest>(run)}};
}

template <>
std::vector<Command> commands<VerifyStoreRequest>() {
  return {{.name = "store verify",
           .summary = "Check the checksum of every row",
           .add = runs<VerifyStoreRequest>(run)}};
}

template <>
std::vector<Command> commands<PruneStoreRequest>() {
  return {{.name = "store prune",
           .summary = "Remove a database or damaged rows",
           .add = runs<PruneStoreRequest>(run)}};
}

}  // namespace molgauge::cli
