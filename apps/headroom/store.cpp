#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "pages/toolkit/text_table.h"
#include "print.h"
#include "table_verb.h"

namespace headroom::cli {
namespace {

void info(const StoreRequest& request) {
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

void verify_store(const VerifyStoreRequest& request) {
  const StoreVerification result = load_engine().run(request);
  for (const auto& finding : result.findings) {
    print_result("{}\n", finding);
  }
  print_result("{}, {} damaged\n", counted(result.rows, "row"), result.damaged);
  if (result.damaged > 0) {
    throw InputError("the store has damaged rows; remove them with: headroom store prune --damaged");
  }
}

void import_features(const ImportFeaturesRequest& request) {
  const ImportFeaturesReport report = load_engine().run(request);
  print_failed(report.failed);
  print_result(
      "{}: {} of {} imported, {} wide, into {}; train on them with: --encoder {} --features "
      "imported:{}\n",
      request.file, report.imported, counted(report.rows, "row"), report.width, report.database,
      report.encoder, report.name);
  if (report.rounded > 0) {
    print_result("{} with float64 numbers rounded to float32\n", counted(report.rounded, "row"));
  }
}

void export_database(const ExportStoreRequest& request) {
  print_result("{}: {}\n", request.out, counted(load_engine().run(request).rows, "row"));
}

void prune(const PruneStoreRequest& request) {
  print_result("{} removed\n", counted(load_engine().run(request).rows, "row"));
}

}  // namespace

void add_store(CLI::App& app, Verbs& verbs) {
  auto* const store =
      app.add_subcommand("store", "Look into, fill, export, check and clean the feature store");
  store->require_subcommand(1);
  add_subcommand(*store, verbs, "info", "Show the databases, their encoders and sizes", info);
  add_subcommand(*store, verbs, "export", "Write a database's keys and rows to a file", export_database);
  add_subcommand(*store, verbs, "import",
                 "Take in features that the Python project computed (its .pkl cache)", import_features);
  add_subcommand(*store, verbs, "verify", "Check every row against its checksum", verify_store);
  add_subcommand(*store, verbs, "prune", "Remove a database, or damaged rows", prune);
}

}  // namespace headroom::cli
